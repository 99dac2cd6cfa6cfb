"""Tables in text files, a row a note."""
