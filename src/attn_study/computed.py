"""Computed cards: the lesson's question with numbers of the day, and what an answer is worth."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from attn_study.deck.kinds import Verdict
from attn_study.errors import UserError, near

if TYPE_CHECKING:
    from datetime import date

    from attn_study.demos.question import Asked

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
    text = f"{card}|{day.isoformat()}|{answers}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) >> 1


def work_out(question: str, number: int) -> Worked:
    """Return the question called `demo.question` with the numbers of the seed `number`.

    Raises UserError with near names when there is no such question.
    """
    from attn_study.demos import load

    name, _, wanted = question.partition(".")
    questions = load(name).questions
    if wanted not in questions:
        raise UserError(
            f"the demo {name} asks no question {wanted!r}", hint=near(wanted, questions)
        )
    return Worked(questions[wanted](number))


def judge(worked: Worked, given: str) -> tuple[Worked, Verdict]:
    """Return what was typed as a verdict, with the mistake named that it shows."""
    from attn_study.attention.mistakes import MISTAKES
    from attn_study.demos.question import grade

    asked = worked.asked
    found = grade(asked, given)
    right = str(asked.answer)
    if isinstance(asked.answer, float):
        right = f"{asked.answer:.{asked.digits}f}"
    known = MISTAKES.get(found.mistake)
    words = (known.says if known else found.mistake) if found.mistake else ""
    said = f"{given.strip()} is {words}" if words else ""
    verdict = Verdict(found.right, RIGHT if found.right else WRONG, (("=", given),), right)
    return Worked(asked, said), verdict
