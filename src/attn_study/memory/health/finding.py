"""One thing that was found, how bad it is, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Mend = Literal["", "objects", "indexes", "states", "catalogue"]

NAMED = 8  # cards or rows, in one line


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, or worth knowing where `is_fault` is no.

    `name` is for programs and stays the same; `where` are names of what is concerned; `mend` is
    what of `mending.mend` puts it right, empty where only a person can.
    """

    name: str
    what: str
    where: str = ""
    remedy: str = ""
    is_fault: bool = True
    mend: Mend = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at, as a sentence that is true when nothing is found."""

    sound: str
    findings: tuple[Finding, ...] = ()


def listed(names: Iterable[object], count: int) -> str:
    """Return the first names, and how many more there are."""
    first = [str(name) for _, name in zip(range(NAMED), names, strict=False)]
    more = count - len(first)
    return ", ".join(first) + (f" and {more:,} more" if more > 0 else "")
