"""The trained model in the lessons: prepared sentences with slots, and what it does with them."""
