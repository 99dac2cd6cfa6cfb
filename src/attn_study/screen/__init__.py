"""The only keyboard and the only console: what asks the learner, and what answers on screen."""
