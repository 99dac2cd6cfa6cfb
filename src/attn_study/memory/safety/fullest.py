"""Which of several copies holds most, by what is in them: a file that was copied has a new date."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.memory.safety.backup import NAME
from attn_study.memory.safety.copies import Facts, facts, reading

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Held:
    """A copy, and what is in it."""

    path: Path
    facts: Facts

    @property
    def says(self) -> str:
        """How much it holds, in words."""
        rows = f"{self.facts.rows:,} row{'' if self.facts.rows == 1 else 's'}"
        return f"{rows} to {self.facts.newest_day}" if self.facts.newest_day else rows

    @property
    def _order(self) -> tuple[str, int, bool, str]:
        is_daily = NAME.fullmatch(self.path.name) is not None
        return self.facts.newest_day, self.facts.rows, is_daily, self.path.name


def by_content(paths: Iterable[Path]) -> list[Held]:
    """Return the copies that can be read: that with the newest study day first, then most rows.

    Of copies that hold the same, one made by itself comes before one from before a repair, whose
    states were wrong.
    """
    found = []
    for path in paths:
        try:
            with reading(path, "") as conn:
                found.append(Held(path, facts(conn)))
        except UserError:
            continue
    return sorted(found, key=lambda held: held._order, reverse=True)


def fullest(folder: Path) -> Held | None:
    """Return the sound copy in a folder that holds most; None where there is none."""
    held = (one for one in by_content(folder.glob("*.db")) if one.facts.rows)
    return next((one for one in held if is_sound(one.path)), None)


def is_sound(path: Path) -> bool:
    """Whether SQLite finds nothing wrong with a copy. Impossible values are `doctor`'s matter."""
    try:
        with reading(path, "") as conn:
            conn.execute("PRAGMA ignore_check_constraints = ON")
            return bool(conn.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except (UserError, sqlite3.Error):
        return False
