"""The commands that keep the study safe: `backup` and `doctor`."""
