"""Computed cards: the lesson's question with numbers of the day, and what an answer is worth."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from attn_study.deck.kinds import Verdict
from attn_study.errors import UserError, near

if TYPE_CHECKING:
    from datetime import date

    from attn_study.demos.question import Asked, Graded, Question

RIGHT, WRONG = 4, 1  # grades suggested


@dataclass(frozen=True, slots=True)
class Worked:
    """One question as it is asked now; `mistake` says in words what a wrong answer shows."""

    asked: Asked
    mistake: str = ""


def seed(card: str, day: date, answers: int) -> int:
    """Return the seed for a card: fresh each day and after each answer, the same on a redraw.

    `answers` counts the live answers of the card on that study day.
    """
    return drawn(f"{card}|{day.isoformat()}|{answers}")


def drawn(text: str) -> int:
    """Return a whole number from 0 that hangs on the text alone, the same on every machine."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) >> 1


def find(question: str) -> Question:
    """Return the question called `demo.question`; raises UserError with near names if none is."""
    from attn_study.demos import load

    name, _, wanted = question.partition(".")
    questions = load(name).questions
    if wanted not in questions:
        hint = near(wanted, questions) or "one of: " + ", ".join(questions)
        raise UserError(f"the demo {name} asks no question {wanted!r}", hint=hint)
    return questions[wanted]


def work_out(question: str, number: int) -> Worked:
    """Return the question called `demo.question` with the numbers of the seed `number`.

    Raises UserError with near names when there is no such question.
    """
    return Worked(find(question)(number))


def judge(worked: Worked, given: str) -> tuple[Worked, Verdict]:
    """Return what was typed as a verdict, with the mistake named that it shows."""
    from attn_study.demos.question import grade

    asked = worked.asked
    found = grade(asked, given)
    said = "" if found.right or not given.strip() else _said(found, given.strip())
    right = asked.answer if isinstance(asked.answer, str) else _number(asked.answer, asked.digits)
    verdict = Verdict(found.right, RIGHT if found.right else WRONG, (("=", given),), right)
    return Worked(asked, said), verdict


def _said(found: Graded, given: str) -> str:
    """Return in words what a wrong answer is."""
    from attn_study.demos.compare import meaning

    if not found.readable:
        return f"{given} cannot be read as a number"
    if not found.mistake:
        return f"you said {given}"
    words = meaning(found.mistake)
    outcome = words.removeprefix("what comes out ")
    return f"{given} is {words}" if words == outcome else f"{given} comes out {outcome}"


def _number(value: float, digits: int) -> str:
    """Return a number as it is asked for: a count whole, all else with its decimals."""
    return f"{round(value):,}" if float(value).is_integer() else f"{value:.{digits}f}"
