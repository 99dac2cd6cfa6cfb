"""The explorer: a demo as something to play with, its state a value and Textual its hands."""
