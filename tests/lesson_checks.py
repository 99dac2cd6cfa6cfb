"""What every lesson must pass: questions that are fair, and screens that fit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.demos import load
from attn_study.demos.picking import within
from attn_study.demos.question import Asked, grade
from attn_study.render.asked import question_lines
from attn_study.render.lesson import lesson_lines
from attn_study.render.text import cells
from lessons import kept

if TYPE_CHECKING:
    from attn_study.demos.working import Focus

COLUMNS = (40, 80, 120)
WORDS = {
    "one": "Hi",
    "repeated": "a a a a",
    "special": "[CLS] the [MASK] <s> </s>",
    "wide": "注意 é 👩‍💻 猫は",
    "many": " ".join(f"word{n}" for n in range(40)),
}


def typed(value: float | str) -> str:
    """A value as a learner types it: a count in full, other numbers with four decimals."""
    if isinstance(value, str):
        return value
    return str(int(value)) if float(value).is_integer() else f"{value:.4f}"


def assert_fair(asked: Asked) -> None:
    """The right answer is right, every mistake is told by its own name, and both fit a screen."""
    assert grade(asked, typed(asked.answer)).right
    assert asked.wrong
    for mistake, value in asked.wrong.items():
        graded = grade(asked, typed(value))
        assert (graded.right, graded.mistake) == (False, mistake), (asked.prompt, mistake)
    assert not grade(asked, "no idea").right
    for columns in COLUMNS:
        assert all(cells(line.plain) <= columns for line in question_lines(asked, columns))


def assert_explained(name: str, asked: Asked) -> None:
    """The lesson can show the working of the question, and the step that the answer is in."""
    trace = asked.working.trace
    assert not asked.step or asked.step in trace
    assert load(name).panels(asked.working, within(trace, asked.focus))


def asked(name: str, question: str, seed: int) -> Asked:
    """A question of a lesson with the numbers of a seed."""
    return load(name).questions[question](seed)


def shown(asked: Asked) -> str:
    """All that a learner sees of a question, and its answer."""
    lines = [line.plain for line in question_lines(asked, 80)]
    return "\n".join((*lines, typed(asked.answer)))


def screen(name: str, columns: int = 80, focus: Focus | None = None, **knobs: object) -> list[str]:
    """A lesson as it stands on a screen: its header, an empty line and its panels."""
    here = kept(name, **knobs)
    at = here.focus(focus) if focus else here.look
    drawn = lesson_lines(
        name, here.title, here.working.weights, here.working.notice, here.panels(at), columns
    )
    return [line.plain.rstrip() for line in drawn]


def assert_fits(name: str, columns: int, **knobs: object) -> None:
    """No line is wider than the screen, whichever token asks."""
    here = kept(name, **knobs)
    for query in {0, max(0, here.n_queries - 1)}:
        focus = replace(here.demo.focus, query=query)
        widest = max(cells(line) for line in screen(name, columns, focus, **knobs))
        assert widest <= columns
