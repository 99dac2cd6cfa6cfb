"""Insight: what the record says, and what it lets one expect."""
