"""Rows of the log on their way out of a home and into another."""
