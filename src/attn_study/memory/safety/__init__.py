"""Copies of the study: made, put back, and saved from what is damaged."""
