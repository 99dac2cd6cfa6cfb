"""Decks in Markdown."""
