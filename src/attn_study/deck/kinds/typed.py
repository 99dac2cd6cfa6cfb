"""A typed card: the learner writes the answer, and what was meant counts."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from attn_study.deck.kinds import Verdict
from attn_study.deck.kinds.differ import pieces
from attn_study.deck.kinds.forgiving import canonical, is_slip
from attn_study.deck.numbers import readings

if TYPE_CHECKING:
    from attn_study.deck.card import Card
    from attn_study.deck.kinds import Response

KEYS = frozenset({"front", "answer"})
MAY = frozenset({"back", "accept", "tolerance"})
ANSWERED: Response = "typed"

RIGHT, SLIP, WRONG = 4, 2, 1  # grades; notation is not knowledge, a slip of one letter is no pass


def cards(note: Card) -> tuple[Card, ...]:
    """Return the note as one card; without a back the answer is shown."""
    return (replace(note, back=note.back or note.answer),)


def check(card: Card, given: str) -> Verdict:
    """Compare what was typed with the answer and with what else the deck accepts."""
    wanted = (card.answer, *card.accept)
    if any(_equal(one, given, card.tolerance) for one in wanted):
        return Verdict(True, RIGHT, (("=", card.answer),), card.answer)
    slip = next((one for one in wanted if is_slip(one, given)), None)
    if slip is not None:
        return Verdict(False, SLIP, pieces(slip, given), card.answer)
    return Verdict(False, WRONG, pieces(card.answer, given), card.answer)


def _equal(wanted: str, given: str, tolerance: float | None) -> bool:
    """Whether both say the same, as numbers where both are numbers."""
    numbers, typed = readings(wanted), readings(given)
    if numbers and typed:
        limit = Decimal(str(tolerance or 0))
        return any(abs(ours - theirs) <= limit for ours in numbers for theirs in typed)
    form = canonical(wanted)
    return wanted.strip() == given.strip() or (form != "" and form == canonical(given))
