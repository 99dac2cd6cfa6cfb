"""The names under which a grade may be given."""

from __future__ import annotations

from attn_study.errors import UserError, near
from attn_study.memory.sm2 import Grade
from attn_study.memory.words import GRADE_NAMES, KEYS

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
    readings = _readings(name)
    if len(readings) > 1:
        raise UserError(f"{text} can be read in two ways", hint="write " + " or ".join(readings))
    hint = "write again, hard, good, easy, or q0 to q5" if name.isdigit() else near(name, NAMES)
    raise UserError(f"no grade is called {text!r}", hint=hint)


def _readings(digit: str) -> list[str]:
    """Return what a digit may mean: a key of a review, and a grade of SM-2."""
    keys = {str(key): GRADE_NAMES[grade] for key, grade in KEYS.items()}
    readings = [f"{keys[digit]} (key {digit} of a review)"] if digit in keys else []
    known = digit in {str(int(grade)) for grade in Grade}
    return [*readings, f"q{digit} (SM-2's grade {digit})"] if known else readings
