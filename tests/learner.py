"""A learner whose acts are written down beforehand, at a desk whose clocks are set by hand."""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from attn_study.deck.card import Card, Deck
from attn_study.deck.kinds import kind
from attn_study.errors import UserError
from attn_study.memory.catalogue import Catalogue
from attn_study.memory.limits import Limit, Limits
from attn_study.memory.scope import Scope
from attn_study.memory.sm2 import Grade
from attn_study.refresh import entries
from attn_study.review import Review
from attn_study.sitting import Act, Desk
from memory_helpers import NOWHERE, imported, log_in_memory, noon, shelve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attn_study.memory.fold import Past
    from attn_study.memory.log import Log
    from attn_study.sitting import Face, Screen, Summary

    Step = str | Act | Callable[[], object]

GRADES = {"1": Grade.WRONG, "2": Grade.HARD, "3": Grade.HESITANT, "4": Grade.PERFECT}
REVEAL, QUIT, UNDO = Act("reveal"), Act("quit"), Act("undo")
HISTORY, HELP, REPORT = Act("history"), Act("help"), Act("flag")
EDIT, BURY, SUSPEND = Act("edit"), Act("bury"), Act("suspend")


def flag(words: str) -> Act:
    return Act("flag", text=words)


class Learner:
    """Follows a script: "3" shows the answer and grades it; an `Act` is done where it stands; a
    function is called while the card is looked at. The end of the script leaves.
    """

    def __init__(self, *script: Step, agrees: bool = True) -> None:
        self._script = deque(script)
        self._agrees = agrees
        self.questions: list[Face] = []
        self.answers: list[Face] = []
        self.told: list[str] = []
        self.histories: list[list[Past]] = []
        self.demos: list[tuple[str, bool]] = []
        self.explored: list[tuple[str, bool]] = []
        self.confirmed: list[str] = []
        self.finishes: list[Summary] = []

    @property
    def asked(self) -> list[str]:
        """The names of the cards whose question was shown, in order."""
        return [face.card.name for face in self.questions]

    def question(self, face: Face) -> Act:
        self.questions.append(face)
        step = self._step()
        return REVEAL if isinstance(step, str) else step

    def answer(self, face: Face) -> Act:
        self.answers.append(face)
        step = self._step()
        if isinstance(step, Act):
            return step
        self._script.popleft()
        return Act("grade", GRADES[step])

    def _step(self) -> str | Act:
        """Return the next act; a grade stays in the script until the answer is shown."""
        while self._script:
            step = self._script[0]
            if isinstance(step, str):
                return step
            self._script.popleft()
            if isinstance(step, Act):
                return step
            step()
        return QUIT

    def tell(self, words: str) -> None:
        self.told.append(words)

    def history(self, face: Face, rows: list[Past]) -> None:
        self.histories.append(rows)
        self._aside()

    def _aside(self) -> None:
        """Let what the script says next happen beside the card."""
        step = self._script.popleft()
        assert callable(step), "a function says what happens meanwhile"
        step()

    def demo(self, face: Face, *, predict: bool) -> None:
        self.demos.append((face.demo, predict))

    def explore(self, face: Face, *, predict: bool) -> None:
        self.explored.append((face.demo, predict))

    def help(self) -> None:
        self._aside()

    def line(self, words: str) -> str:
        self._aside()
        return ""

    def confirm(self, words: str) -> bool:
        self.confirmed.append(words)
        return self._agrees

    @contextmanager
    def away(self) -> Iterator[None]:
        yield

    def finished(self, summary: Summary) -> Act:
        self.finishes.append(summary)
        step = self._step()
        return step if isinstance(step, Act) else QUIT


@dataclass
class Study:
    """A log with a catalogue, and what a sitting may be told: clocks, limits, an editor."""

    log: Log
    now: datetime = datetime(2026, 3, 2, 12, tzinfo=UTC)
    stopwatch: float = 1000.0  # seconds
    new: int = 10
    reviews: int = 200
    minutes: float | None = None
    edit: Callable[[Card], str] = field(default=lambda card: "nothing changed")
    may_edit: Callable[[Card], str] = field(default=lambda card: "")

    def wait(self, seconds: float) -> Callable[[], None]:
        """Return what lets time go by on the stopwatch."""

        def passed() -> None:
            self.stopwatch += seconds

        return passed

    def clock(self, text: str) -> Callable[[], None]:
        """Return what sets the wall clock."""

        def turned() -> None:
            self.now = datetime.fromisoformat(text)

        return turned

    @property
    def desk(self) -> Desk:
        return Desk(
            log=self.log,
            catalogue=Catalogue(self.log.conn),
            clock=lambda: self.now,
            stopwatch=lambda: self.stopwatch,
            rollover=4,
            scope=Scope(),
            limits=Limits(Limit(self.new, self.reviews)),
            edit=self.edit,
            may_edit=self.may_edit,
            seconds=None if self.minutes is None else self.minutes * 60,
        )

    def sit(self, screen: Screen) -> Summary:
        """Hold one sitting."""
        return Review(self.desk, screen).run()

    def learn(self, *script: Step) -> Learner:
        """Hold one sitting with a learner who follows the script."""
        learner = Learner(*script)
        self.sit(learner)
        return learner

    def grades(self) -> list[tuple[str, str, int | None]]:
        """Return the rows of the log as (name of the card, kind, grade)."""
        found = self.log.conn.execute("SELECT card, kind, grade FROM log ORDER BY id")
        return [(card.partition("/")[2], kind, grade) for card, kind, grade in found]

    def shelve(self, *cards: Card) -> None:
        """Make these the only cards."""
        shelve(self.log.conn, *entries(Deck("mine", "Mine", NOWHERE, cards)))


def basic(name: str, note: str = "") -> Card:
    return Card(f"mine/{name}", "basic", f"Question {name}?", f"Reply {name}", note=note)


def typed(name: str) -> Card:
    return Card(f"mine/{name}", "typed", f"Question {name}?", f"word {name}", answer=f"word {name}")


def refusing(card: Card) -> str:
    """An editor that cannot be started."""
    raise UserError("no editor was found", hint="set EDITOR")


def face_of(card: Card, given: str | None = None, **memory: object) -> Face:
    """The face of a card that is due with this memory, or new without one."""
    with log_in_memory() as log:
        study = Study(log)
        study.shelve(card)
        if memory:
            log.write([imported(card.id, **memory)], noon(-1))
        face = study.learn(REVEAL).answers[0]
    if given is None:
        return replace(face, given=None, verdict=None)
    return replace(face, given=given, verdict=kind("typed").check(card, given))
