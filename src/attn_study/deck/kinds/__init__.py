"""The kinds of card, one file each; a kind is loaded by its name when it is met.

A kind is a module with

- `KEYS`: the keys a note of this kind must have, and `MAY`: those it may have beside the
  common ones;
- `cards(note)`: the cards a note makes, in order;
- `ANSWERED`: how the learner answers: the answer is recalled, typed, or chosen among options;
- `check(card, given)`: a `Verdict` on what was typed or chosen (not for kinds that are recalled;
  what a computed card counts as right is worked out where lessons are known).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Literal, Protocol, cast

if TYPE_CHECKING:
    from attn_study.deck.card import Card

NAMES = ("basic", "reversed", "cloze", "choice", "typed", "computed")
Response = Literal["recalled", "typed", "chosen"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a typed or chosen answer is worth: the grade it suggests (0-5), and what differs.

    `pieces` are of a typed answer: marks with texts, in reading order: `=` as it should be, `-`
    missing, `+` too much. `why` says why a wrong choice is wrong, where the deck says so.
    """

    right: bool
    grade: int
    pieces: tuple[tuple[str, str], ...]
    expected: str
    why: str = ""


class Kind(Protocol):
    """What a module in this folder offers."""

    KEYS: frozenset[str]
    MAY: frozenset[str]
    ANSWERED: Response

    def cards(self, note: Card) -> tuple[Card, ...]:
        """Return the cards that one note makes."""

    def check(self, card: Card, given: str) -> Verdict:
        """Compare what was typed or chosen with what counts as right."""


@cache
def kind(name: str) -> Kind:
    """Return the kind called `name`, one of `NAMES`."""
    return cast("Kind", import_module(f"{__name__}.{name}"))
