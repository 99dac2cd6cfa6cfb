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
# On a dark ground and on a light one alike, more is more vivid, not darker or lighter.
INK = "rgb(255,255,255)"
WEIGHTS = (
    "",
    f"{INK} on rgb(92,106,140)",
    f"{INK} on rgb(72,104,168)",
    f"{INK} on rgb(48,102,204)",
    f"{INK} on rgb(14,98,240)",
)
STEPS = (0.2, 0.4, 0.6, 0.8)
ABOVE = ("", f"{INK} on rgb(86,104,142)", f"{INK} on rgb(36,100,206)")
BELOW = ("", f"{INK} on rgb(146,112,78)", f"{INK} on rgb(196,98,10)")


def of_weight(weight: float | None) -> str:
    """Return the style of a weight from 0 to 1; a masked one has none."""
    if weight is None:
        return "dim"
    return WEIGHTS[sum(weight >= step for step in STEPS)]


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
