"""Asking for a number first: fresh numbers, one right answer, a name for each wrong one."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attn_study.demos.panels import Panel
    from attn_study.demos.working import Focus, Working

APART = 0.02  # the right answer and every named mistake differ by at least this
MOST_DRAWS = 500  # then the stored example is asked
WEIGHT_TOLERANCE = 0.005
OUTPUT_TOLERANCE = 0.01


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with its numbers.

    `given` shows what the learner may use, `prompt` asks, `answer` is right within `tolerance`
    (a text is compared as words). `wrong` maps the name of a mistake to the value it leads to.
    `working` is shown afterwards under `focus`; `step` is the step that the answer stands in;
    `solution` is the way to the answer in a few lines, and `because` says it in one.
    """

    prompt: str
    given: tuple[Panel, ...]
    answer: float | str
    working: Working
    focus: Focus
    tolerance: float = 0.0
    digits: int = 4
    wrong: Mapping[str, float | str] = field(default_factory=dict)
    because: str = ""
    step: str = ""
    solution: tuple[Panel, ...] = ()


Question = Callable[[int], Asked]  # from a seed, the same on every machine


@dataclass(frozen=True, slots=True)
class Graded:
    """What came of an answer: right or not, and the mistake it shows, if it shows one."""

    right: bool
    mistake: str
    readable: bool = True


def told_apart(right: float, wrong: Mapping[str, float]) -> bool:
    """Return whether the right answer and each mistake can be told from one another."""
    values = [right, *wrong.values()]
    return all(abs(one - other) >= APART for one, other in combinations(values, 2))


def grade(asked: Asked, typed: str) -> Graded:
    """Compare what was typed with the answer and with every mistake that has a name."""
    if isinstance(asked.answer, str):
        said = _words(typed)
        found = [name for name, value in asked.wrong.items() if _words(str(value)) == said]
        return Graded(said == _words(asked.answer), found[0] if found else "", bool(said))
    number = parse_number(typed)
    if number is None:
        return Graded(False, "", readable=False)
    if abs(number - asked.answer) <= asked.tolerance + 1e-9:
        return Graded(True, "")
    near = [
        (abs(number - float(value)), name)
        for name, value in asked.wrong.items()
        if abs(number - float(value)) <= max(asked.tolerance, 1e-9)
    ]
    return Graded(False, min(near)[1] if near else "")


def parse_number(typed: str) -> float | None:
    """Return the number typed: `0.62`, `0,62`, `1,048,576`, `62 %`, `3/4`, `-2`; None if none."""
    text = typed.strip().replace(" ", "").replace("−", "-").replace("_", "")
    percent = text.endswith("%")
    text = text.removesuffix("%")
    if re.fullmatch(r"[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?", text):
        text = text.replace(",", "")
    text = text.replace(",", ".")
    top, slash, bottom = text.partition("/")
    try:
        value = float(top) / float(bottom) if slash else float(text)
    except (ValueError, ZeroDivisionError):
        return None
    if not math.isfinite(value):
        return None
    return value / 100 if percent else value


def _words(text: str) -> list[str]:
    """Return what is compared: `12,288 × 128`, `[12288×128]` and `12288x128` are one word."""
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.casefold().replace("×", "x"))
    plain = re.sub(r"(?<=\d) +to +(?=\d)", " ", plain)  # 9 to 12 is 9–12
    found = re.findall(r"[\w.]+", re.sub(r"(?<=\d)\s*x\s*(?=\d)", "x", plain))
    return [word.rstrip(".") for word in found if word.strip(".")]
