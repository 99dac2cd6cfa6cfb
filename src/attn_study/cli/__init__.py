"""The command line: parse, open, call, print."""
