"""The review: the loop in which memory, decks and the learner meet.

An answer counts for the study day on which its question appeared. The plan is made afresh after
every answer, so that the queue always says what the log says.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from attn_study.computed import seed, work_out
from attn_study.deck.card import Card
from attn_study.deck.kinds.choice import shuffled
from attn_study.errors import UserError
from attn_study.memory.event import LONGEST_ANSWER, Draft
from attn_study.memory.leech import mark_words, new_mark
from attn_study.memory.log import StaleError
from attn_study.memory.words import described
from attn_study.posed import demo_of, revealed
from attn_study.sitting import Answer, Face, Summary, choices

if TYPE_CHECKING:
    from attn_study.computed import Worked
    from attn_study.deck.card import Option
    from attn_study.memory.day import Moment
    from attn_study.memory.fold import CardState
    from attn_study.memory.queue import Plan
    from attn_study.sitting import Act, Desk, Screen

Outcome = Literal["saved", "stale", "failed"]


@dataclass(slots=True)
class Review:
    """One sitting: asks, writes, and asks again, until nothing is left or the learner leaves."""

    desk: Desk
    screen: Screen
    answers: list[Answer] = field(default_factory=list)
    steps: int = 0  # taken in this sitting, and not taken back
    earlier: list[str] = field(default_factory=list)  # cards of older steps that were taken back
    first: str | None = None  # to be asked before all else, as after an undo
    started: float = 0.0

    def run(self) -> Summary:
        """Hold the sitting and return what it did."""
        self.started = self.desk.stopwatch()
        while True:
            if self._is_out_of_time():
                return self._summary(out_of_time=True)
            face = self._next_face()
            act = self._ask(face) if face else self.screen.finished(self._summary())
            if act.wish == "quit":
                return self._summary()
            if act.wish == "undo":
                self._undo()

    def _is_out_of_time(self) -> bool:
        limit = self.desk.seconds
        return limit is not None and self.desk.stopwatch() - self.started >= limit

    def _summary(self, *, out_of_time: bool = False) -> Summary:
        spent = self.desk.stopwatch() - self.started
        return Summary(tuple(self.answers), spent, out_of_time, tuple(self.earlier))

    def _next_face(self) -> Face | None:
        now = self.desk.moment()
        todo = self.desk.plan(now)
        wanted, self.first = (self.first, todo.next()), None
        for card in filter(None, wanted):
            entry = self.desk.catalogue.entry(card)
            state = self.desk.log.state(card)
            if entry and _is_askable(state, now):
                return self._face(Card.from_json(entry.text), state, now, todo)
        return None

    def _face(self, card: Card, state: CardState, now: Moment, todo: Plan) -> Face:
        drill = state.review_day == now.day
        worked, fault = self._work_out(card, now) if card.kind == "computed" else (None, None)
        return Face(
            card=card,
            demo=demo_of(card),
            options=self._options(card, now),
            worked=worked,
            fault=fault,
            state=state,
            now=now,
            plan=todo,
            choices=choices(state, now, self.desk.log.rules(), drill=drill),
            drill=drill,
            ascii=self.desk.ascii,
            beginner=not self.desk.log.has_begun(),
        )

    def _work_out(self, card: Card, now: Moment) -> tuple[Worked | None, UserError | None]:
        """Draw the card's numbers, or say why that cannot be done.

        Its lesson does not know the question, or the trained model that it is about cannot be read.
        """
        answers = self.desk.log.answers_on(card.id, now.day)
        try:
            return work_out(card.question, seed(card.id, now.day, answers)), None
        except UserError as error:
            return None, error

    def _options(self, card: Card, now: Moment) -> tuple[Option, ...]:
        """Return the answers on offer, in another order each time the card is asked."""
        if not card.options:
            return ()
        answers = self.desk.log.answers_on(card.id, now.day)
        return shuffled(card, seed(card.id, now.day, answers))

    def _ask(self, face: Face) -> Act:
        """Put one card; return the act that ends it: a grade, or one that moves on or leaves."""
        answered = False
        seconds = 0.0
        while True:
            shown = self.desk.stopwatch()
            act = self.screen.answer(face) if answered else self.screen.question(face)
            seconds += 0 if answered else self.desk.stopwatch() - shown
            if face.fault and act.wish in {"reveal", "grade"}:
                continue  # nothing was asked, so there is nothing to show or to grade
            if act.wish == "reveal":
                face, answered = revealed(face, act.text), True
            elif act.wish == "history":
                self._history(face)
            elif act.wish == "demo":
                self.screen.demo(face, predict=not answered)
            elif act.wish == "explore":
                self.screen.explore(face, predict=not answered)
            elif act.wish == "help":
                self.screen.help()
            elif act.wish == "flag":
                outcome, face = self._flag(face, act.text)
                if outcome == "stale":
                    return act
            elif act.wish in ("quit", "undo") or self._done_with(face, act, seconds):
                return act

    def _done_with(self, face: Face, act: Act, seconds: float) -> bool:
        """Carry out what ends a card; return False when it is to stay on screen."""
        card = face.card.id
        if act.wish == "edit":
            return self._edit(face)
        if act.wish in {"bury", "suspend"}:
            outcome = self._write(face, Draft(card, act.wish))
            words = "rests until tomorrow" if act.wish == "bury" else "is suspended"
            if outcome == "saved":
                self.screen.tell(f"{card} {words}; undo takes it back")
            return outcome != "failed"
        spent = min(seconds, LONGEST_ANSWER)
        draft = Draft(card, "drill" if face.drill else "review", act.grade, round(spent, 3))
        outcome = self._write(face, draft)
        if outcome == "saved":
            self.answers.append(Answer(card, act.grade, spent, face.state.is_new, face.drill))
            self._mark_leech(face)
        return outcome != "failed"

    def _mark_leech(self, face: Face) -> None:
        """Say so when the answer just kept made a leech of its card; nothing is put away."""
        lapses = self.desk.log.state(face.card.id).memory.lapses
        if new_mark(face.state.memory.lapses, lapses):
            self.screen.tell(mark_words(face.card.id, lapses, face.demo))

    def _flag(self, face: Face, words: str) -> tuple[Outcome, Face]:
        """Write a report on the card, asking for its words; the card stays."""
        words = words or self.screen.line("What is wrong with this card?")
        if not words:
            return "failed", face
        outcome = self._write(face, Draft(face.card.id, "flag", data={"words": words}))
        if outcome == "saved":
            self.screen.tell("noted; `attn-study card list is:flagged` lists such cards")
        return outcome, replace(face, state=self.desk.log.state(face.card.id))

    def _edit(self, face: Face) -> bool:
        try:
            question = self.desk.may_edit(face.card)
            if question and not self.screen.confirm(question):
                return False
            with self.screen.away():
                words = self.desk.edit(face.card)
        except UserError as error:
            words = str(error)
        self.screen.tell(words)
        self.first = face.card.id
        return True

    def _write(self, face: Face, draft: Draft) -> Outcome:
        """Write durably, for the day on which the question appeared; else say why not."""
        now = self.desk.moment()._replace(day=face.now.day)
        try:
            self.desk.log.write([draft], now, expecting=face.state)
        except StaleError:
            self.screen.tell(f"{face.card.id} was answered elsewhere meanwhile; nothing was added")
            return "stale"
        except UserError as error:
            self.screen.tell(f"not saved: {error}")
            return "failed"
        self.desk.catalogue.saw([face.card.id])
        self.steps += 1
        return "saved"

    def _history(self, face: Face) -> None:
        self.screen.history(face, self.desk.log.past(face.card.id))

    def _undo(self) -> None:
        try:
            taken = self.desk.log.undo(self.desk.moment())
        except UserError as error:
            self.screen.tell(f"not taken back: {error}")
            return
        if not taken:
            self.screen.tell("nothing to take back")
            return
        self.desk.catalogue.mend_hints()
        newest = taken[-1]
        self.first = newest.card
        if self.answers and self.answers[-1].matches(newest):
            self.answers.pop()
        if self.steps:
            self.steps -= 1
        else:
            self.earlier.append(newest.card)
        self.screen.tell(f"took back: {described(newest)}")


def _is_askable(state: CardState, now: Moment) -> bool:
    """Return whether an answer now would be the one that memory waits for."""
    due = state.memory.due
    return due is None or due <= now.day or state.waits_for_drill(now.day)
