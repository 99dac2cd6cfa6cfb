"""Lessons on weights set by hand, small enough to follow every number."""
