"""The quiz: cards drawn by a seed, asked once each, counted and never scheduled.

The seed and the ids of the cards decide which are asked and in which order, -n how many; the seed
decides on numbers too, and with the texts of the options on their order. Neither the log nor the
day has a say, so that a class with the same decks shares one test by one command.
"""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from attn_study.computed import drawn, find, work_out
from attn_study.deck.kinds.choice import shuffled
from attn_study.demos.weighing import OfModel
from attn_study.errors import UserError
from attn_study.posed import Posed, demo_of, revealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from attn_study.deck.card import Card

KINDS = ("choice", "typed", "computed")  # the program can tell whether these are right
ADVISED = 3  # cards named at the end, and demos


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Posed):
    """One card of a quiz; `number` counts from 1, `right` what was right up to now."""

    number: int
    of: int
    right: int = 0

    @property
    def is_last(self) -> bool:
        """Whether nothing is asked after it."""
        return self.number == self.of


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of a quiz, as it was compared. `seconds` is the time it took."""

    turn: Turn
    seconds: float

    @property
    def right(self) -> bool:
        """Whether it counts."""
        return self.turn.verdict is not None and self.turn.verdict.right

    @property
    def expected(self) -> str:
        """What would have been right."""
        return self.turn.verdict.expected if self.turn.verdict else ""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a quiz of `of` cards. `again` is the command that asks the same."""

    seed: int
    of: int
    again: str
    answers: tuple[Reply, ...] = ()

    @property
    def right(self) -> int:
        """How many answers were right."""
        return sum(answer.right for answer in self.answers)

    @property
    def missed(self) -> tuple[Reply, ...]:
        """The answers that were not right, in order."""
        return tuple(answer for answer in self.answers if not answer.right)

    @property
    def revise(self) -> tuple[str, ...]:
        """What to type next: the first cards missed, and the demos of most of them.

        No review is advised: a quiz does not know whether one of these cards is due.
        """
        demos = Counter(answer.turn.demo for answer in self.missed if answer.turn.demo)
        return (
            *(command("card", "show", answer.turn.card.id) for answer in self.missed[:ADVISED]),
            *(command("demo", name) for name, _ in demos.most_common(ADVISED)),
        )


class Screen(Protocol):
    """What a quiz needs of whoever shows and asks."""

    def question(self, turn: Turn) -> str | None:
        """Show the question; return what is answered, None when the learner leaves."""

    def answer(self, turn: Turn) -> bool:
        """Show the question with its answer; return whether to go on."""


@dataclass(frozen=True, slots=True)
class Quiz:
    """Asks each card once; `stopwatch` gives seconds."""

    cards: Sequence[Card]
    seed: int
    screen: Screen
    stopwatch: Callable[[], float]
    ascii: bool = False

    def run(self) -> tuple[Reply, ...]:
        """Hold the quiz, and return what was answered before it was over or left."""
        answers: list[Reply] = []
        for number, card in enumerate(self.cards, start=1):
            right = sum(answer.right for answer in answers)
            turn = self._turn(card, number, right)
            shown = self.stopwatch()
            given = self.screen.question(turn)
            if given is None:
                break
            answer = Reply(revealed(turn, given), self.stopwatch() - shown)
            answers.append(answer)
            if not self.screen.answer(replace(answer.turn, right=right + answer.right)):
                break
        return tuple(answers)

    def _turn(self, card: Card, number: int, right: int) -> Turn:
        """Return the card as the seed has it asked: only now, since numbers take time to draw."""
        dice = _drawn("numbers", self.seed, card.id)
        return Turn(
            card=card,
            ascii=self.ascii,
            demo=demo_of(card),
            options=shuffled(card, dice),
            worked=work_out(card.question, dice) if card.kind == "computed" else None,
            number=number,
            of=len(self.cards),
            right=right,
        )


def order(cards: Iterable[str], seed: int) -> list[str]:
    """Return the ids in the order in which `seed` asks them, one of each note."""
    notes: dict[str, str] = {}
    for card in sorted(cards, key=lambda card: (_drawn("place", seed, card), card)):
        notes.setdefault(card.partition(":")[0], card)
    return list(notes.values())


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards of a quiz, and what is said of those left out.

    `fault` says why none about the trained model is among them: it cannot be read.
    """

    cards: tuple[Card, ...]
    unknown: tuple[str, ...] = ()
    fault: UserError | None = None

    @property
    def left_out(self) -> tuple[str, ...]:
        """A line for each card whose question there is not, and one for the trained model."""
        if self.fault is None or not self.cards:  # then it is why there is no quiz at all
            return self.unknown
        return (*self.unknown, f"cards about the trained model are left out: {self.fault}")

    @property
    def refusal(self) -> UserError:
        """Why there is no quiz, where there are no cards."""
        what = "no card here can be asked in a quiz"
        if self.fault is None:
            hint = "cards of the kinds choice, typed and computed can; `attn-study deck list`"
            return UserError(what, hint=hint)
        where = f"{self.fault.where}: " if self.fault.where else ""
        why = f"{what} without the trained model: {where}{self.fault.what}"
        return UserError(why, hint=self.fault.hint)


def deal(cards: Iterable[Card], most: int) -> Dealt:
    """Return the first `most` of the cards that can be asked.

    A card is left out when its lesson does not know the question it names, or asks it of the
    trained model where that cannot be read. No card is read beyond the last one dealt.
    """
    dealt: list[Card] = []
    unknown = []
    fault: UserError | None = None
    for card in cards:
        try:
            question = find(card.question) if card.kind == "computed" else None
        except UserError as error:
            unknown.append(f"{card.id} is left out: {error}")
            continue
        if isinstance(question, OfModel):
            fault = fault or _unread(question)
            if fault:
                continue
        dealt.append(card)
        if len(dealt) == most:
            break
    return Dealt(tuple(dealt), tuple(unknown), fault)


def _unread(question: OfModel) -> UserError | None:
    """Return why the trained model that a question is about cannot be read, None where it can."""
    try:
        question.check()
    except UserError as error:
        return error
    return None


def command(*words: str, **options: str) -> str:
    """Return a command as it is typed; an option without a value is left out."""
    named = [word for name, value in options.items() if value for word in (f"--{name}", value)]
    return shlex.join(["attn-study", *(word for word in words if word), *named])


def _drawn(purpose: str, seed: int, card: str) -> int:
    return drawn(f"quiz|{purpose}|{seed}|{card}")
