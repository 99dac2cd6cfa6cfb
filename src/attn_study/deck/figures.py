"""The figure of a note: words with their weights, checked."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from attn_study.deck.card import Figure
from attn_study.deck.nodes import Map
from attn_study.deck.numbers import number

if TYPE_CHECKING:
    from attn_study.deck.fields import Desk
    from attn_study.deck.nodes import Node


def read_figure(desk: Desk, node: Node) -> Figure | None:
    """Words with their weights; None without one or after a complaint."""
    if not isinstance(node, Map):
        desk.blame(node.start, "`figure` must have `tokens`, `weights` and `from`")
        return None
    keys = ("tokens", "weights", "from")
    fields = desk.fields(node, keys)
    if missing := [key for key in keys if key not in fields]:
        desk.blame(node.start, f"this figure has no `{missing[0]}`", f"add `{missing[0]}: …`")
        return None
    tokens = tuple(text for text, _ in desk.texts(fields["tokens"]))
    weights = _weights(desk, fields["weights"])
    if weights is None:
        return None
    if len(tokens) != len(weights):
        what = f"{len(tokens)} tokens and {len(weights)} weights"
        desk.blame(fields["weights"].start, what, "give one weight for each token")
    return Figure(tokens, weights, desk.text(fields["from"]))


def _weights(desk: Desk, node: Node) -> tuple[float, ...] | None:
    """Numbers from 0 to 1 that sum to 1 within the rounding of their last digit."""
    before = desk.errors
    found = []
    for text, item in desk.texts(node):
        value = number(text)
        if value is None or not 0 <= value <= 1:
            desk.blame(item.start, f"{text!r} is not a weight", "a number from 0 to 1")
        else:
            found.append(value)
    if desk.errors > before:
        return None
    digits = max((-int(value.as_tuple().exponent) for value in found), default=0)
    total = sum(found, Decimal(0))
    if abs(total - 1).scaleb(digits) * 2 > (len(found) if digits > 0 else 0):
        desk.blame(
            node.start, f"the weights sum to {total}, not to 1", "a row of weights sums to 1"
        )
    return tuple(float(value) for value in found)
