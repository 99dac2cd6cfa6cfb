"""The names under which a grade may be given."""

from __future__ import annotations

from attn_study.errors import UserError, near
from attn_study.memory.sm2 import Grade
from attn_study.memory.words import GRADE_NAMES

NAMES = {name: grade for grade, name in GRADE_NAMES.items()} | {
    f"q{int(grade)}": grade for grade in Grade
}


def parse_grade(text: str) -> Grade:
    """Return the grade that `text` names.

    Raises UserError for an unknown name, and for a bare digit, which could mean a key of the
    review or a grade of SM-2.
    """
    name = text.strip().casefold()
    if name in NAMES:
        return NAMES[name]
    if name.isascii() and name.isdigit():
        hint = _readings(int(name) if len(name) == 1 else 99)
        raise UserError(f"{text} can be read in two ways", hint=hint)
    raise UserError(f"no grade is called {text!r}", hint=near(name, NAMES))


def _readings(digit: int) -> str:
    keys = dict(enumerate(GRADE_NAMES.values(), start=1))
    readings = [f"{keys[digit]} (key {digit} of a review)"] if digit in keys else []
    readings += [f"q{digit} (SM-2's grade {digit})"] if digit <= max(Grade) else []
    return "write " + " or ".join(readings or ["again, hard, good, easy, or q0 to q5"])
