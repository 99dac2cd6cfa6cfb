"""The world a command runs in: streams, clock, home, settings; made once, handed on."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, TextIO

from attn_study.cli.streams import broken, harmless, writing
from attn_study.errors import UserError
from attn_study.places import Home, home
from attn_study.settings import Settings, load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rich.console import Console
    from rich.text import Text

    from attn_study.cli.study import Study


FIRST_YEAR, LAST_YEAR = 1900, 9000  # of a time that is set; every zone and interval fits behind
SEEDS = 9_973  # a number that a class can be told; a prime, so that full hours differ too


@dataclass
class World:
    """Everything outside that a command may touch."""

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    color: str = "auto"
    quiet: bool = False

    @property
    def stdin(self) -> TextIO:
        """Where answers come from."""
        return sys.stdin

    @property
    def stdout(self) -> TextIO:
        """Where data goes."""
        return sys.stdout

    @property
    def stderr(self) -> TextIO:
        """Where notices go."""
        return sys.stderr

    @cached_property
    def home(self) -> Home:
        """Where the learner's files are."""
        return home(self.environ)

    @cached_property
    def settings(self) -> Settings:
        """The learner's settings."""
        return load(self.home.settings)

    def forget_settings(self) -> None:
        """Read the settings anew when they are next asked for."""
        self.__dict__.pop("settings", None)

    @cached_property
    def frozen(self) -> datetime | None:
        """The instant that ATTN_STUDY_NOW names, if it is set."""
        text = self.environ.get("ATTN_STUDY_NOW", "").strip()
        if not text:
            return None
        try:
            now = datetime.fromisoformat(text)
        except ValueError:
            now = None
        if now is None or now.tzinfo is None:
            raise UserError(
                f"ATTN_STUDY_NOW is {text!r}, not a time with its offset",
                hint="for example 2026-03-01T09:00:00+01:00",
            )
        if not FIRST_YEAR <= now.year <= LAST_YEAR:
            what = f"ATTN_STUDY_NOW is {text!r}, out of range"
            raise UserError(what, hint=f"the years from {FIRST_YEAR} to {LAST_YEAR} serve")
        return now

    def clock(self) -> datetime:
        """Return the local time, aware of its offset; raises UserError for a zone beyond a day."""
        if self.frozen:
            return self.frozen
        try:
            return datetime.now().astimezone()
        except (ValueError, OverflowError, OSError) as error:
            what = f"the local time zone cannot be used: {error}"
            raise UserError(what, hint="check TZ, for example TZ=Europe/Berlin") from error

    def fresh_seed(self) -> int:
        """Return a seed that differs from one start to the next; a stopped clock gives the same."""
        return int(self.clock().timestamp() * 1000) % SEEDS

    @cached_property
    def console(self) -> Console:
        """The console that draws on standard output."""
        from attn_study.cli.console import PlainConsole

        _ = self.ascii  # its notice comes before a screen that would hide it
        forced = {"always": True, "never": False}.get(self.color)
        return PlainConsole(
            file=self.stdout,
            force_terminal=True if forced else None,
            no_color=True if forced is False else None,
            markup=False,
            emoji=False,
            highlight=False,
            soft_wrap=True,
        )

    @property
    def is_plain(self) -> bool:
        """Whether lines go out without styles, so that no console is needed."""
        wanted = self.color == "always" or self.environ.get("FORCE_COLOR")
        return not (wanted or self.stdout.isatty())

    @cached_property
    def ascii(self) -> bool:
        """Whether only ASCII may be drawn; by default where the settings cannot be read.

        A lesson needs no settings but this: a notice names what is wrong with them.
        """
        try:
            return self.settings.math == "ascii"
        except UserError as error:
            why = " ".join(str(error).split())
            self.say(_plain(f"settings left aside, defaults serve: {why}", self.stderr))
            return Settings().math == "ascii"

    def show(self, lines: Iterable[Text]) -> None:
        """Print lines on standard output; what its encoding lacks is replaced visibly."""
        from attn_study.render.output import fitted

        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        with writing():
            for line in lines:
                drawn = fitted(line, encoding, ascii=self.ascii)
                if self.is_plain:
                    print(drawn.plain, file=self.stdout)
                else:  # a terminal breaks between words, a pipe never breaks
                    self.console.print(drawn, soft_wrap=not self.stdout.isatty())
            self.stdout.flush()

    def notice(self, lines: Iterable[Text]) -> None:
        """Print lines on standard error, where standard output is for data alone."""
        from attn_study.render.output import fitted

        encoding = getattr(self.stderr, "encoding", None) or "utf-8"
        for line in lines:
            self.say(fitted(line, encoding, ascii=self.ascii).plain)

    def print(self, words: str) -> None:
        """Print words, harmless, on standard output."""
        with writing():
            told = broken(_plain(words, self.stdout, ascii=self.ascii), self.stdout)
            print(told, file=self.stdout, flush=True)

    def page(self, lines: Sequence[Text]) -> None:
        """Print lines, through a pager where they do not fit the terminal."""
        if self.columns is None or len(lines) < self.console.size.height:
            self.show(lines)
            return
        os.environ.setdefault("LESS", "-FRX")  # colours as they are; what fits stays on screen
        with self.console.pager(styles=True):
            self.show(lines)

    @property
    def columns(self) -> int | None:
        """The width to fit lines to; None where no terminal shows them."""
        return self.console.size.width if self.stdout.isatty() else None

    def agrees(self, question: str) -> bool:
        """Ask for a yes; without a terminal nobody can give it.

        Raises UserError naming the question when there is none.
        """
        if not (self.stdin.isatty() and self.stdout.isatty()):
            raise UserError(question, hint="nobody can answer here: run it in a terminal")
        self.say(f"{question} (y/n)")
        return self.stdin.readline().strip().casefold() in {"y", "yes"}

    def json(self, name: str, **fields: object) -> None:
        """Print one strict JSON object on standard output: dates as ISO texts, no NaN."""
        import json

        report = {"schema": f"attn-study/{name}/1", **fields}
        plain = (getattr(self.stdout, "encoding", None) or "").casefold() not in {"utf-8", "utf8"}
        text = json.dumps(report, indent=2, allow_nan=False, ensure_ascii=plain, default=str)
        with writing():
            print(text, file=self.stdout, flush=True)

    def say(self, words: str) -> None:
        """Print a notice on standard error."""
        if self.quiet:
            return
        with suppress(OSError, ValueError):
            print(broken(words, self.stderr), file=self.stderr, flush=True)

    def check_clock(self, *, write: bool) -> None:
        """Say that the clock stands, where it does; raises UserError before a real log is written
        under such a clock.
        """
        if not self.frozen:
            return
        if write and not self.environ.get("ATTN_STUDY_HOME", "").strip():
            raise UserError(
                "the clock is frozen by ATTN_STUDY_NOW, and your real log would be written",
                hint="set ATTN_STUDY_HOME to a folder for trying things out",
            )
        self.say(f"the clock stands at {self.frozen.isoformat()} (ATTN_STUDY_NOW)")

    @contextmanager
    def open(self, *, write: bool = False, adopting: bool = True) -> Iterator[Study]:
        """Open the learner's study, with the catalogue brought up to date.

        `adopting` lets a writer give renamed decks their progress before all else.
        """
        from attn_study.cli.opening import opened

        self.check_clock(write=write)
        with opened(self, write=write, adopting=adopting) as study:
            yield study


def _plain(words: str, stream: TextIO, *, ascii: bool = False) -> str:
    return harmless(words, getattr(stream, "encoding", None) or "utf-8", ascii=ascii)
