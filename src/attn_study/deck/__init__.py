"""What a card says: decks, cards, their kinds, and the files they come from."""
