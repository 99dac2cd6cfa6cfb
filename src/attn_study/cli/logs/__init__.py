"""The whole log as a file, and files of other programs as rows of the log."""
