"""The same log on every machine: each writes a file of its own into a folder, and reads all."""
