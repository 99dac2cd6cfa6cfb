"""What `attn-study doctor` looks at beyond the database, and what `--fix` does."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from attn_study import __version__
from attn_study.cli.progress import progress
from attn_study.errors import UserError
from attn_study.memory.database import open_study, speaking_of
from attn_study.memory.health.examining import UNSTUDIED, Examined, examine
from attn_study.memory.health.finding import Check, Finding
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attn_study.cli.world import World
    from attn_study.memory.health.finding import Mend


@dataclass(frozen=True, slots=True)
class Report:
    """All that was found, after what was done about it.

    `is_whole` says whether SQLite can read all of the study, so that it can be mended; `end` is
    what is to be said last.
    """

    study: Path
    rows: int | None
    checks: tuple[Check, ...]
    is_whole: bool = True
    done: tuple[str, ...] = ()
    backup: Path | None = None
    end: str = ""

    @property
    def findings(self) -> list[Finding]:
        """What was found, in the order of the checks."""
        return [one for check in self.checks for one in check.findings]

    @property
    def faults(self) -> int:
        """How many of the findings are faults."""
        return sum(one.is_fault for one in self.findings)

    @property
    def mendable(self) -> set[Mend]:
        """What `--fix` can mend: of a damaged file nothing is worked out, nor written into it."""
        mends: set[Mend] = {one.mend for one in self.findings if one.mend}
        return mends if self.is_whole else mends & {"catalogue"}

    @property
    def about(self) -> str:
        """Which study was looked at."""
        rows = "" if self.rows is None else f": {counted(self.rows, 'row(|s) of the log')}"
        return f"{self.study}{rows}"

    def fields(self) -> dict[str, object]:
        """Return the report as data."""
        return {
            "study": str(self.study),
            "rows": self.rows,
            "faults": self.faults,
            "notes": len(self.findings) - self.faults,
            "findings": [_fields(one) for one in self.findings],
            "done": list(self.done),
            "backup": None if self.backup is None else str(self.backup),
        }


def _fields(finding: Finding) -> dict[str, Any]:
    said = asdict(finding)
    level = "fault" if said.pop("is_fault") else "note"
    return {"level": level, **said, "mend": bool(said["mend"])}


def show_care(world: World, *, fix: bool, json: bool) -> bool:
    """Look everything over, with `fix` mend it, and show it; return whether a fault is left."""
    from attn_study.render.doctor import doctor_lines

    report = care(world, fix=fix)
    if json:
        world.json("doctor", **report.fields())
    else:
        shown = doctor_lines(report.checks, report.about, report.done, world.columns, report.end)
        world.page(shown)
    return report.faults > 0


def care(world: World, *, fix: bool) -> Report:
    """Look everything over; with `fix` mend what can be, and look again.

    Raises UserError for a study that is none of ours to look at: a newer one, one held by another
    process.
    """
    world.check_clock(write=fix)
    with progress(world) as tell:
        found = _looked_over(world, tell)
        wanted = found.mendable
        if not fix or not wanted:
            return replace(found, end=UNMENDED) if fix and found.faults else found
        tell("mending")
        done, backup = _mended(world, wanted)
        again = _looked_over(world, tell)
    return replace(again, done=tuple(done), backup=backup)


UNMENDED = "Nothing was mended: --fix mends what a sound log can tell."


def _looked_over(world: World, tell: Callable[[str], None]) -> Report:
    from attn_study.cli.safety.surroundings import surroundings

    study = world.home.study
    examined = _examined(world, tell)
    tell("decks, backups and settings")
    checks = (*examined.checks, *surroundings(world, examined))
    return Report(study, examined.rows, checks, examined.is_whole)


def _examined(world: World, tell: Callable[[str], None]) -> Examined:
    """Examine the study; where there is none yet, say so unless something speaks of one."""
    home = world.home
    try:
        if not home.study.exists() or not home.study.stat().st_size:
            open_study(home.study, home.cache, __version__, write=False).close()
            return UNSTUDIED
    except UserError as error:
        finding = Finding("missing", error.what, error.where, error.hint)
        return Examined((Check("the study is there", (finding,)),), is_open=False, is_whole=False)
    return examine(home.study, __version__, world.clock().date(), tell)


def _mended(world: World, wanted: set[Mend]) -> tuple[list[str], Path | None]:
    """Mend after a backup; return what was done, and the backup."""
    from attn_study.files import free
    from attn_study.memory.health.mending import mend
    from attn_study.memory.safety.backup import make_folder
    from attn_study.memory.safety.copies import copy

    home, done, backup = world.home, [], None
    if "catalogue" in wanted:
        for path in home.root.glob("cache.db*"):
            with suppress(OSError):
                path.unlink()
        done.append("the catalogue was thrown away; it is made anew from the decks")
    in_study = wanted - {"catalogue"}
    if in_study:
        make_folder(home.backups)
        backup = free(home.backups / f"study-before-fix-{world.clock().date()}.db")
        with speaking_of(home.study), closing(_writer(home.study)) as conn:
            copy(conn, backup)
            done += mend(conn, home.study, in_study)
    return done, backup


def _writer(study: Path) -> sqlite3.Connection:
    """Open the study for mending alone: no catalogue beside it, nothing upgraded."""
    uri = f"{study.absolute().as_uri()}?mode=rw"
    conn = sqlite3.connect(uri, uri=True, isolation_level=None)
    conn.execute("PRAGMA recursive_triggers = ON")
    conn.execute("PRAGMA synchronous = FULL")
    return conn
