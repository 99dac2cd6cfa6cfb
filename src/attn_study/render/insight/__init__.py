"""How the record is drawn: pages of `stats`."""
