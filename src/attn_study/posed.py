"""A card as it is put to somebody, and what an answer to it is worth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from attn_study.computed import judge
from attn_study.deck.kinds import kind
from attn_study.demos import exists

if TYPE_CHECKING:
    from attn_study.computed import Worked
    from attn_study.deck.card import Card, Option
    from attn_study.deck.kinds import Verdict
    from attn_study.demos.question import Asked
    from attn_study.errors import UserError


@dataclass(frozen=True, slots=True, kw_only=True)
class Posed:
    """One card as it is asked now. `given` and `verdict` come with the answer.

    `demo` is the name of a lesson that there is, `worked` holds the numbers of a computed card,
    `fault` says why they could not be drawn: such a card cannot be asked. `options` are the answers
    on offer, as they are numbered on the screen.
    """

    card: Card
    ascii: bool = False
    demo: str = ""
    options: tuple[Option, ...] = ()
    worked: Worked | None = None
    fault: UserError | None = None
    given: str | None = None
    verdict: Verdict | None = None

    @property
    def told(self) -> Asked | None:
        """The question of the demo that goes with the card, once it is answered."""
        own = self.demo == self.card.question.partition(".")[0]
        return self.worked.asked if self.worked and self.verdict and own else None

    @property
    def repeats(self) -> bool:
        """Whether the back says no more than the right answer beside a wrong one."""
        found = self.verdict
        return found is not None and not found.right and self.card.back == found.expected

    def numbered(self, digits: str) -> str:
        """Return the answer on offer that has this number; "" for none."""
        texts = (option.text for option in self.options)
        return next((text for at, text in enumerate(texts, start=1) if str(at) == digits), "")

    def named(self, words: str) -> str:
        """Return the answer on offer that has this number, else the one of this text."""
        texts = [option.text for option in self.options]
        return self.numbered(words) or (words if words in texts else "")


Some = TypeVar("Some", bound=Posed)


def demo_of(card: Card) -> str:
    """Return the lesson that goes with a card, "" where it names none that there is."""
    demo = card.demo or card.question.partition(".")[0]
    return demo if exists(demo) else ""


def revealed(face: Some, given: str) -> Some:
    """Return the card with its answer, and with what was given compared where it was asked for."""
    if face.worked:
        worked, verdict = judge(face.worked, given)
        return replace(face, given=given, worked=worked, verdict=verdict)
    rules = kind(face.card.kind)
    if rules.ANSWERED == "recalled":
        return face
    return replace(face, given=given, verdict=rules.check(face.card, given))
