"""The families of sentences, one file each: what decides the next word, and how one is drawn."""
