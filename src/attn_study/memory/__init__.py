"""When to show a card: the scheduler, the log of answers, and what follows from it."""
