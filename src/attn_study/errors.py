"""The one error a person can mend: what is wrong, where, and what to try."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


MANY = 2_000  # names that are compared letter by letter


class UserError(Exception):
    """Something the learner can put right; printed without a traceback, exit code 2.

    `where` is a path, a `file:line:column` or a name; `hint` says what to try.
    """

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}\n  {self.hint}" if self.hint else head


def near(name: str, known: Iterable[str]) -> str:
    """Return a hint that names what the learner may have meant."""
    names = sorted(known)
    if len(names) > MANY:  # comparing all of them would take seconds
        names = [one for one in names if one[:1] == name[:1]][:MANY]
    close = get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(close) + "?"
    if names and len(names) <= 8:
        return "one of: " + ", ".join(names)
    return ""
