"""What the screen of a lesson shows, as a value: every key makes a new one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from attn_study.demos.lesson import Lesson
    from attn_study.demos.working import Focus

Page = Literal[
    "lesson", "matrices", "mistakes", "compare", "step", "help", "predict", "again", "left"
]

CHOICES = "1234567890abcdefg"  # the keys that choose from a list
ONWARD, BACKWARD = {"space", "enter"}, {"backspace", "b"}
PAGES: dict[str, Page] = {"m": "matrices", "w": "mistakes", "p": "predict", "?": "help"}
MOMENT = "moment"
LACKS = {
    "h": "there is one head here",
    "p": "this lesson asks no questions",
    "w": "this lesson makes no mistakes",
}
HELP = (
    ("← →", "the query before, the query after; of a lesson that plays, the moment"),
    ("home", "the first moment; end is the last"),
    ("r", "play it again"),
    ("h", "the next head"),
    ("m", "every step in full; ↑ ↓ scroll"),
    ("p", "predict a number first, then see it computed"),
    ("w", "mistakes: the wrong computation beside the right one"),
    ("space", "one stage after another, large; backspace goes back"),
    ("t", "queries into columns, as the video has them, or into rows, as papers do"),
    ("esc", "back to where you were"),
    ("q", "leave"),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """How far the keys of a lesson reach; `along` is what the arrows go along.

    `turns` says whether the lesson itself, and not only its stages, shows one head at a time.
    """

    queries: int
    heads: int
    stages: int
    mistakes: tuple[str, ...]
    asks: bool
    along: str = "query"
    turns: bool = True

    @property
    def plays(self) -> bool:
        """Whether the lesson plays, so that moments are what the arrows go along."""
        return self.along == MOMENT


@dataclass(frozen=True, slots=True)
class View:
    """One page of a lesson; `stage` counts from 0, `mistake` is what `compare` shows.

    `kept` is the focus to come back to from a comparison that looks elsewhere. `words` is said
    once, of a key that does nothing here.
    """

    limits: Limits
    focus: Focus
    page: Page = "lesson"
    stage: int = 0
    mistake: str = ""
    kept: Focus | None = None
    words: str = ""

    @classmethod
    def of(cls, lesson: Lesson, focus: Focus) -> View:
        """Return the first page of a lesson under a focus."""
        demo = lesson.demo
        limits = Limits(
            queries=lesson.n_queries,
            heads=lesson.n_heads,
            stages=len(lesson.stages),
            mistakes=demo.mistakes,
            asks=bool(lesson.asking.questions),
            along=MOMENT if lesson.demo.play else "query",
            turns=lesson.turns,
        )
        return cls(limits, lesson.focus(focus))

    def press(self, key: str) -> View:
        """Return the view after a key; one that the lesson has no use for says so."""
        lacks = {
            "h": self.limits.heads < 2,
            "p": not self.limits.asks,
            "w": not self.limits.mistakes,
        }
        if self.page == "lesson" and lacks.get(key):
            return replace(self, words=LACKS[key])
        return replace(self, words="")._pressed(key)

    def _pressed(self, key: str) -> View:
        if key == "q":
            return replace(self, page="left")
        if key == "escape":
            return self._back()
        if self.page == "mistakes" and key in CHOICES[: len(self.limits.mistakes)]:
            chosen = self.limits.mistakes[CHOICES.index(key)]
            return replace(self, page="compare", mistake=chosen)
        if key in {"left", "right"}:
            return self._move_query(1 if key == "right" else -1)
        if self.limits.plays and self.page == "lesson" and key in {"home", "end"}:
            query = 0 if key == "home" else self.limits.queries - 1
            return replace(self, focus=replace(self.focus, query=query))
        if key == "h":
            head = (self.focus.head + 1) % max(1, self.limits.heads)
            return replace(self, focus=replace(self.focus, head=head))
        if key == "t":
            return replace(self, focus=replace(self.focus, columns=not self.focus.columns))
        if key in ONWARD | BACKWARD:
            return self._step(1 if key in ONWARD else -1)
        return self._open(key)

    def offers(self) -> tuple[tuple[str, str], ...]:
        """Return the keys that mean something here, with what they do; the last is the way out."""
        here = self.limits
        along = "←→ home end" if here.plays and self.page == "lesson" else "←→"
        found = [
            (along, here.along, here.queries > 1),
            ("r", "again", here.plays and self.page == "lesson"),
            ("h", "head", here.heads > 1 and self._shows_a_head),
            ("m", "matrices", self.page == "lesson"),
            ("p", "predict", here.asks and self.page == "lesson"),
            ("w", "mistakes", bool(here.mistakes) and self.page in {"lesson", "compare"}),
            ("space", "step" if self.page != "step" else "next", self.page in {"lesson", "step"}),
            ("backspace", "before", self.page == "step" and self.stage > 0),
            ("esc", "back", self.page != "lesson"),
            ("?", "help", self.page == "lesson"),
            ("q", "quit", True),
        ]
        if self.page in {"help", "mistakes"}:
            found = found[-3:]
        return tuple((key, does) for key, does, is_here in found if is_here)

    def helps(self) -> tuple[tuple[str, str], ...]:
        """Return all keys that do something in this lesson, with what they do."""
        here = self.limits
        does_nothing = {
            "← →": here.queries < 2,
            "home": not here.plays,
            "r": not here.plays,
            "h": here.heads < 2,
            "p": not here.asks,
            "w": not here.mistakes,
            "space": not here.stages,
            "t": here.plays or not here.queries,
        }
        return tuple((key, says) for key, says in HELP if not does_nothing.get(key))

    @property
    def _shows_a_head(self) -> bool:
        """Whether another head looks different on this page; the matrices have every head."""
        return self.limits.turns if self.page == "lesson" else self.page != "matrices"

    def _back(self) -> View:
        if self.page == "lesson":
            return replace(self, page="left")
        page: Page = "mistakes" if self.page == "compare" else "lesson"
        return replace(self, page=page, focus=self.kept or self.focus, kept=None)

    def _move_query(self, by: int) -> View:
        query = max(0, min(self.focus.query + by, self.limits.queries - 1))
        return replace(self, focus=replace(self.focus, query=query))

    def _step(self, by: int) -> View:
        """Go through the stages; after the last, and before the first, the lesson is back."""
        if self.page == "lesson" and by > 0 and self.limits.stages:
            return replace(self, page="step", stage=0)
        if self.page != "step":
            return self
        stage = self.stage + by
        if 0 <= stage < self.limits.stages:
            return replace(self, stage=stage)
        return replace(self, page="lesson", stage=0)

    def _open(self, key: str) -> View:
        if key == "r" and self.limits.plays and self.page == "lesson":
            return replace(self, page="again")
        page = PAGES.get(key, self.page)
        if self.page == "compare" and page == "mistakes":
            return self._back()
        if (page == "predict" and not self.limits.asks) or (
            page == "mistakes" and not self.limits.mistakes
        ):
            return self
        return replace(self, page=page)
