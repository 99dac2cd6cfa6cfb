"""Sentences in which one word decides what another means."""

from __future__ import annotations

from dataclasses import dataclass

# Features of a token: asks what it means, leans to the first sense, to the second, is filler.
FEATURES = ("asks", "sense 1", "sense 2", "filler")
FILLER = (0, 0, 0, 1)
OPEN = (1, 1, 1, 0)


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with a gap `_`, the two words for it, the word that is open, and its senses.

    `hints` are words of the sentence that lean a little to the first or the second sense.
    `turns` is what leans to a sense, where that is not the open word itself.
    """

    text: str
    cues: tuple[str, str]
    opens: str
    senses: tuple[str, str]
    about: str
    hints: tuple[str, str] = ("", "")
    turns: str = ""
    causal: bool = True

    def words(self, cue: str) -> tuple[str, ...]:
        """Return the tokens with `cue` in the gap."""
        return tuple(cue if word == "_" else word for word in self.text.split())

    def vector(self, word: str, lean: int = 2) -> tuple[int, ...]:
        """Return the features of a word; `lean` is how far a word for the gap leans."""
        if word == self.opens:
            return OPEN
        if word in self.cues:
            return (0, lean, 0, 0) if word == self.cues[0] else (0, 0, lean, 0)
        if word in self.hints:
            return (0, 1, 0, 0) if word == self.hints[0] else (0, 0, 1, 0)
        return FILLER

    @property
    def reader(self) -> int:
        """The position of the open word, its last occurrence."""
        words = self.text.split()
        return len(words) - 1 - words[::-1].index(self.opens)

    @property
    def subject(self) -> str:
        """What leans to a sense, in words: `“it”`."""
        return self.turns or f"“{self.opens}”"


CASES = {
    "chicken": Case(
        "The chicken didn’t cross the road because it was too _",
        ("tired", "wide"),
        "it",
        ("chicken", "road"),
        "No mask here: in a causal model “it” has not seen the word after “too” yet.",
        hints=("chicken", "road"),
        causal=False,
    ),
    "keys": Case(
        "The _ to the cabinet",
        ("keys", "key"),
        "cabinet",
        ("are", "is"),
        "The verb to come agrees with the subject, not with the noun right before it.",
        turns="what follows “cabinet”",
    ),
    "bank": Case(
        "She left the _ for the bank",
        ("pond", "money"),
        "bank",
        ("shore", "lender"),
        "One word, further back, decides which bank it is.",
    ),
    "mole": Case(
        "the _ of the mole",
        ("burrow", "biopsy"),
        "mole",
        ("animal", "skin"),
        "One word, further back, decides which mole it is.",
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
        "“blue” says nothing about fur or scales: its value is 0 0, and adds nothing.",
    ),
}
