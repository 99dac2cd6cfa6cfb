"""What the deck commands do: add, check, edit, export, and what a learner is told of it."""
