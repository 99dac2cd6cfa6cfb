"""Numbers of things in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def counted(count: int, words: str) -> str:
    """Return the number with its words; `(s|es)` in them is for one and for many.

    `counted(1, "row(|s) keep(s|)")` is `1 row keeps`.
    """
    said = []
    for piece in words.split("("):
        choice, bracket, rest = piece.partition(")")
        one, _, many = choice.partition("|")
        said.append((one if count == 1 else many) + rest if bracket else piece)
    return f"{count:,} {''.join(said)}"


def all_counted(counts: Mapping[str, int]) -> tuple[str, ...]:
    """Return what there is at least one of, with its number."""
    return tuple(counted(count, words) for words, count in counts.items() if count)


def cards(number: int) -> str:
    """Return a number of cards in words."""
    return counted(number, "card(|s)")
