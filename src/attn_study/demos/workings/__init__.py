"""What the lessons compute beyond one head of attention, one file a lesson or a text."""
