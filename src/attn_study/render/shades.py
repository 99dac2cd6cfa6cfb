"""Colours of numbers: weights in one hue from 0 to 1, signed values in two about 0."""

from __future__ import annotations

ROLES = {
    "x": "",
    "query": "yellow",
    "key": "cyan",
    "value": "red",
    "scores": "",
    "weights": "blue",
    "output": "magenta",
}
WEIGHTS = (
    "",
    "white on rgb(38,48,78)",
    "white on rgb(40,60,108)",
    "white on rgb(40,76,146)",
    "white on rgb(38,92,190)",
    "white on rgb(30,110,235)",
)
ABOVE = ("", "white on rgb(38,60,98)", "white on rgb(34,92,170)")
BELOW = ("", "white on rgb(98,64,28)", "white on rgb(160,92,20)")


def of_weight(weight: float | None) -> str:
    """Return the style of a weight from 0 to 1; a masked one has none."""
    if weight is None or weight < 0.05:
        return "dim" if weight is None else ""
    steps = (0.05, 0.2, 0.4, 0.6, 0.8)
    return WEIGHTS[sum(weight >= step for step in steps)]


def of_signed(value: float | None, limit: float) -> str:
    """Return the style of a signed value; `limit` is the largest size in the whole panel."""
    if value is None:
        return "dim"
    share = abs(value) / limit if limit else 0.0
    level = 0 if share < 0.15 else 1 if share < 0.6 else 2
    return (ABOVE if value > 0 else BELOW)[level]


def of_role(role: str) -> str:
    """Return the colour that a role has in every lesson."""
    return ROLES.get(role, "")
