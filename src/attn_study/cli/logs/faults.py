"""Rows that cannot be taken in: each named by its line, and all of them refused together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from attn_study.errors import UserError
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SHOWN = 20  # faults that are named one by one


class Fault(NamedTuple):
    """What is wrong with a row; `line` from 1, 0 where lines mean nothing."""

    line: int
    what: str


def named(faults: Sequence[Fault], path: Path) -> list[str]:
    """Return a line for each fault, as far as they can be read at once."""
    where = (f"{path}:{one.line}" if one.line else str(path) for one in faults[:SHOWN])
    lines = [f"{place}: {one.what}" for place, one in zip(where, faults, strict=False)]
    more = len(faults) - SHOWN
    return [*lines, f"… and {more:,} more"] if more > 0 else lines


def refuse(faults: Sequence[Fault], path: Path, sound: int) -> None:
    """Raise UserError that names the faults, and how the sound rows come in all the same."""
    are = "is" if len(faults) == 1 else "are"
    fine = f"{counted(sound, 'row(|s) (is|are)')} fine, {len(faults):,} {are} not"
    skip = f" (--skip-bad brings in {sound:,})" if sound else ""
    raise UserError("\n".join([*named(faults, path), f"{path}: {fine}; nothing came in{skip}"]))
