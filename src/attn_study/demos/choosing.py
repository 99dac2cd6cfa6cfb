"""Which of a demo's questions is asked: the one named, or one that the seed chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.errors import UserError, near

if TYPE_CHECKING:
    from attn_study.demos.demo import Demo
    from attn_study.demos.question import Asked


def ask(demo: Demo, seed: int, name: str = "") -> Asked:
    """Return a question with the numbers of this seed; seeds in a row ask one after another.

    Raises UserError when the demo has no such question, or none at all, and for a negative seed.
    """
    if seed < 0:
        raise UserError(f"the seed {seed} is out of range", hint="a whole number from 0, such as 0")
    questions = list(demo.questions)
    if not questions:
        raise UserError(f"demo {demo.name} has no questions yet")
    if name and name not in questions:
        hint = near(name, questions) or "one of: " + ", ".join(questions)
        raise UserError(f"demo {demo.name} has no question {name!r}", hint=hint)
    return demo.questions[name or questions[seed % len(questions)]](seed)
