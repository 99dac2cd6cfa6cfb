"""One sentence of the toy language, with what decides its next word and where to look for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words and what is known about them; positions count from 0 and leave the start token out.

    `decides` is the position whose next word is the critical one, and `answer` that word; `wrong`
    is the word that the other reading would have. From `asks` a legible head looks at `target`
    and not at the `rivals`. `kind` is the class of the answer, by which results are reported.
    `also` are further positions whose next word something before decides.
    """

    family: str
    words: tuple[str, ...]
    decides: int
    answer: str
    asks: int
    target: int
    rivals: tuple[int, ...] = ()
    kind: str = ""
    wrong: str = ""
    also: tuple[int, ...] = ()

    @property
    def beginning(self) -> tuple[str, ...]:
        """The words up to the critical one."""
        return self.words[: self.decides + 1]

    def after(self, before: tuple[str, ...]) -> Sentence:
        """Return the sentence with other words in front of it."""
        by = len(before)
        return Sentence(
            self.family,
            (*before, *self.words),
            self.decides + by,
            self.answer,
            self.asks + by,
            self.target + by,
            tuple(rival + by for rival in self.rivals),
            self.kind,
            self.wrong,
            tuple(place + by for place in self.also),
        )
