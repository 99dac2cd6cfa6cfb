"""Rows that cannot be taken in: each named by its line, and all of them refused together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from attn_study.errors import UserError
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SHOWN = 20  # faults that are named one by one
LONGEST = 200  # characters of what is wrong with one
LONGEST_CELL = 40  # characters of a cell that is shown in it
FOUL = re.compile("[\udc80-\udcff]")  # what `surrogateescape` makes of bytes that are no UTF-8


class Fault(NamedTuple):
    """What is wrong with a row; `line` from 1, 0 where lines mean nothing."""

    line: int
    what: str


def named(faults: Sequence[Fault], path: Path) -> list[str]:
    """Return a line for each fault, as far as they can be read at once."""
    where = (f"{path}:{one.line}" if one.line else str(path) for one in faults[:SHOWN])
    lines = [f"{place}: {_cut(one.what)}" for place, one in zip(where, faults, strict=False)]
    more = len(faults) - SHOWN
    return [*lines, f"… and {more:,} more"] if more > 0 else lines


def quoted(cell: str) -> str:
    """Return the cell of a table in quotes, no more of it than can be read at once."""
    return repr(cell if len(cell) <= LONGEST_CELL else f"{cell[: LONGEST_CELL - 1]}…")


def foul(text: str) -> str:
    """Return what is wrong with a text in which bytes were no UTF-8; nothing where none were."""
    found = None if text.isascii() else FOUL.search(text)
    return f"the byte 0x{ord(found[0]) - 0xDC00:02X} is not UTF-8" if found else ""


def _cut(what: str) -> str:
    return what if len(what) <= LONGEST else f"{what[: LONGEST - 1]}…"


def refuse(faults: Sequence[Fault], path: Path, sound: int) -> None:
    """Raise UserError that names the faults, and how the sound rows come in all the same."""
    are = "is" if len(faults) == 1 else "are"
    fine = f"{counted(sound, 'row(|s) (is|are)')} fine, {len(faults):,} {are} not"
    skip = f" (--skip-bad brings in {sound:,})" if sound else ""
    raise UserError("\n".join([*named(faults, path), f"{path}: {fine}; nothing came in{skip}"]))
