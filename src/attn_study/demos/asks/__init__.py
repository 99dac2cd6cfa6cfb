"""The questions that the lessons ask, one file a lesson."""
