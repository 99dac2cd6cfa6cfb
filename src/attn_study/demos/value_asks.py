"""Questions about values: effects, ranks, savings."""
QUESTIONS = {}
