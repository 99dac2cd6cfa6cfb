"""The commands of insight: `stats` and its pages."""
