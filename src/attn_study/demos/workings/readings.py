"""Texts in two readings, with what may come next: another subject, another next word."""

from __future__ import annotations

from dataclasses import dataclass

from attn_study.demos.workings.layers import FILLER, MEANS_A, MEANS_B, PART, PART_A, STEM, STEM_B

Piece = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Case:
    """A text in two readings, `+` before a part that continues a word; what may come next."""

    readings: dict[str, tuple[Piece, ...]]
    words: tuple[str, str, str, str]


# One vector for a token, wherever it stands: the +s of `keys` is that of `looks`.
MEANINGS = {
    "key": STEM_B,
    "+s": PART_A,
    "chick": STEM,
    "+en": PART_A,
    "road": MEANS_B,
    "pond": MEANS_A,
    "money": MEANS_B,
    "cab": STEM,
    "look": STEM,
}


def _pieces(text: str) -> tuple[Piece, ...]:
    """Return the tokens of a text with their vectors."""
    return tuple(
        (token, MEANINGS.get(token, PART if token.startswith("+") else FILLER))
        for token in text.split()
    )


CASES = {
    "keys": Case(
        {
            "keys": _pieces("The key +s to the cab +inet"),
            "key": _pieces("The key to the cab +inet +s"),
        },
        ("are", "is", "of", "and"),
    ),
    "chicken": Case(
        {
            "chicken": _pieces("The chick +en was slow since it was too"),
            "road": _pieces("The road was often slow since it was too"),
        },
        ("tired", "narrow", "much", "soon"),
    ),
    "bank": Case(
        {
            "pond": _pieces("The pond at the bank look +s"),
            "money": _pieces("The money at the bank look +s"),
        },
        ("shallow", "safe", "good", "at"),
    ),
}
