"""Sentences in which one word decides what another means."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with a gap `_`, the two words for it, the word that is open, and its senses.

    `hints` are words of the sentence that lean a little to the first or the second sense.
    """

    text: str
    cues: tuple[str, str]
    opens: str
    senses: tuple[str, str]
    about: str
    hints: tuple[str, str] = ("", "")
    causal: bool = True

    def words(self, cue: str) -> tuple[str, ...]:
        """Return the tokens with `cue` in the gap."""
        return tuple(cue if word == "_" else word for word in self.text.split())

    @property
    def reader(self) -> int:
        """The position of the open word, its last occurrence."""
        words = self.text.split()
        return len(words) - 1 - words[::-1].index(self.opens)


CASES = {
    "chicken": Case(
        "The chicken didn’t cross the road because it was too _",
        ("tired", "wide"),
        "it",
        ("the chicken", "the road"),
        "No mask here: in a causal model “it” has not seen the adjective yet.",
        hints=("chicken", "road"),
        causal=False,
    ),
    "keys": Case(
        "The _ to the cabinet",
        ("keys", "key"),
        "cabinet",
        ("are", "is"),
        "The next verb agrees with the distant subject, not with “cabinet” beside it.",
    ),
    "bank": Case(
        "the _ by the bank",
        ("pond", "money"),
        "bank",
        ("riverside", "institution"),
        "The word before decides which bank it is.",
    ),
    "mole": Case(
        "the _ of the mole",
        ("burrow", "biopsy"),
        "mole",
        ("animal", "spot on skin"),
        "The word before decides which mole it is.",
    ),
    "tower": Case(
        "a _ Eiffel tower",
        ("miniature", "towering"),
        "tower",
        ("small", "tall"),
        "“Eiffel” leans to tall; one word before it can turn that over.",
        hints=("", "Eiffel"),
    ),
    "creature": Case(
        "a _ blue creature",
        ("fluffy", "scaly"),
        "creature",
        ("furry", "reptile"),
        "The adjective before moves the noun.",
    ),
}
