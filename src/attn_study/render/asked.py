"""A question with its numbers, and what came of the answer, as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.numbers import digits_for, number
from attn_study.render.panels import draw
from attn_study.render.text import safe, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.demos.panels import Panel
    from attn_study.demos.question import Asked, Graded


def question_lines(asked: Asked, columns: int) -> list[Text]:
    """Return what is given, and what is asked for, with how exact it must be."""
    given = draw(asked.given, columns)
    return [*given, *([Text()] if given else []), *_said(_prompt(asked), columns, "bold")]


def verdict_lines(
    asked: Asked, graded: Graded, typed: str, mistake: str, columns: int
) -> list[Text]:
    """Return whether the answer was right, the mistake it shows, and the right answer.

    `mistake` says what the number typed is, such as `what comes out without the mask`.
    """
    right = f"right: {_answer(asked)}"
    if graded.right:
        head = [Text.assemble((" ✓ ", "bold cyan"), ("right", "bold"))]
    else:
        head = [Text.assemble((" ✗ ", "bold yellow"), ("not quite", "bold"))]
        head += _said(_named(graded, typed, mistake), columns)
    return [*head, *_said(right, columns, "bold"), *_said(asked.because, columns)]


def part_lines(words: str, panels: Sequence[Panel], columns: int) -> list[Text]:
    """Return panels under words that say what they are; nothing for no panels."""
    return [Text(), *_said(words, columns, "bold"), *draw(panels, columns)] if panels else []


def _named(graded: Graded, typed: str, mistake: str) -> str:
    shown = safe(typed).strip() or "nothing"
    if not graded.readable:
        return f"{shown} is no answer that can be read"
    return f"{shown} is {mistake}" if mistake else f"you said {shown}"


def _prompt(asked: Asked) -> str:
    if isinstance(asked.answer, str):
        return asked.prompt
    if not asked.tolerance:
        return f"{asked.prompt}   (exact)"
    whole = digits_for([asked.answer], asked.digits) is None and asked.tolerance >= 0.5
    decimals = "" if whole else f"{asked.digits} decimals, "
    return f"{asked.prompt}   ({decimals}±{asked.tolerance:g})"


def _answer(asked: Asked) -> str:
    if isinstance(asked.answer, str):
        return asked.answer
    return number(asked.answer, digits_for([asked.answer], asked.digits))


def _said(words: str, columns: int, style: str = "") -> list[Text]:
    return [Text(f" {line}", style) for line in wrap(safe(words), max(1, columns - 2)) if words]
