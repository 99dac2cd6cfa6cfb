"""Texts in two readings: one word changed, and another word comes next."""

from __future__ import annotations

from dataclasses import dataclass

from attn_study.demos.layers import FILLER, MEANS_A, MEANS_B, PART, PART_A, STEM, STEM_B

Piece = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Case:
    """A text in two readings, `+` before a part that continues a word; what may come next."""

    readings: dict[str, tuple[Piece, ...]]
    words: tuple[str, str, str, str]


def _plain(text: str) -> tuple[Piece, ...]:
    return tuple((word, PART if word.startswith("+") else FILLER) for word in text.split())


CASES = {
    "keys": Case(
        {
            "keys": (
                ("The", FILLER),
                ("key", STEM_B),
                ("+s", PART_A),
                *_plain("to the"),
                ("cab", STEM),
                ("+inet", PART),
            ),
            "key": (
                ("The", FILLER),
                ("key", STEM_B),
                *_plain("to the"),
                ("cab", STEM),
                ("+inet", PART),
                ("+s", PART_A),
            ),
        },
        ("are", "is", "of", "and"),
    ),
    "chicken": Case(
        {
            "chicken": (
                ("The", FILLER),
                ("chicken", MEANS_A),
                *_plain("was left"),
                ("be", STEM),
                ("+cause", PART),
                *_plain("it was too"),
            ),
            "road": (
                ("The", FILLER),
                ("road", MEANS_B),
                *_plain("was left"),
                ("be", STEM),
                ("+cause", PART),
                *_plain("it was too"),
            ),
        },
        ("tired", "wide", "much", "soon"),
    ),
    "bank": Case(
        {
            "pond": (
                ("The", FILLER),
                ("pond", MEANS_A),
                *_plain("by the bank"),
                ("look", STEM),
                ("+s", PART),
            ),
            "money": (
                ("The", FILLER),
                ("money", MEANS_B),
                *_plain("in the bank"),
                ("look", STEM),
                ("+s", PART),
            ),
        },
        ("deep", "safe", "good", "at"),
    ),
}
