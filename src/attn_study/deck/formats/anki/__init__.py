"""Anki: its packages and its notes in plain text."""
