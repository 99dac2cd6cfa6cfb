"""Spaced repetition for the attention chapter, in the terminal."""

__version__ = "0.1.0"
