"""The kinds of card, one file each; a kind is loaded by its name when it is met.

A kind is a module with

- `KEYS`: the keys a note of this kind must have, and `MAY`: those it may have beside the
  common ones;
- `cards(note)`: the cards a note makes, in order;
- `TYPED`: whether the learner types an answer;
- `check(card, given)`: a `Verdict` on what was typed (kinds with `TYPED` alone; what a computed
  card counts as right is worked out where lessons are known).
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from attn_study.deck.card import Card

NAMES = ("basic", "typed", "computed")


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a typed answer compares: the grade it suggests (0-5) and the pieces that differ.

    `pieces` pairs a mark with a text, in reading order: `=` as it should be, `-` missing,
    `+` too much.
    """

    right: bool
    grade: int
    pieces: tuple[tuple[str, str], ...]
    expected: str


class Kind(Protocol):
    """What a module in this folder offers."""

    KEYS: frozenset[str]
    MAY: frozenset[str]
    TYPED: bool

    def cards(self, note: Card) -> tuple[Card, ...]:
        """Return the cards that one note makes."""

    def check(self, card: Card, given: str) -> Verdict:
        """Compare what was typed with what counts as right."""


def kind(name: str) -> Kind:
    """Return the kind called `name`, one of `NAMES`."""
    return cast("Kind", import_module(f"{__name__}.{name}"))
