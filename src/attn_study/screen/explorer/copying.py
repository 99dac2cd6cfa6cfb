"""The present state as text to take along: a command line, and a card for a deck."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from attn_study.demos.picking import asks_axis, names

if TYPE_CHECKING:
    from attn_study.demos.working import Focus
    from attn_study.screen.explorer.scene import Scene

PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
QUOTABLE = re.compile(r"[^\"$`\\!\x00-\x1f]+")
FILE = "matrix"  # a knob that names a file: no card can carry it


def command_line(scene: Scene, focus: Focus) -> str:
    """Return the command that opens the demo at this state.

    With `--json` it writes the very numbers on screen.
    """
    words = ["attn-study", "demo", scene.demo.name]
    for name, value in scene.given.items():
        words += [f"--{name.replace('_', '-')}", _valued(scene, name, value)]
    words += _focus(scene, focus)
    if scene.mistake:
        words += ["--mistake", scene.mistake]
    return " ".join(map(_quoted, words))


def card(scene: Scene) -> str:
    """Return a card, for a deck file, whose demo opens at these knobs."""
    knobs = {
        name: _valued(scene, name, value) for name, value in scene.given.items() if name != FILE
    }
    at = ", ".join(f"{name} {value}" for name, value in knobs.items())
    where = f" at {at}" if at else ""
    lines = [
        f"- front: {_yaml(f'What is there to see in demo {scene.demo.name}{where}?')}",
        f"  back: {_yaml(scene.lesson.working.notice)}",
        f"  demo: {scene.demo.name}",
    ]
    if knobs:
        lines += ["  with:", *(f"    {name}: {_yaml(value)}" for name, value in knobs.items())]
    return "\n".join(lines)


def left_out(scene: Scene) -> str:
    """Return what a card cannot say of this state; empty where it says all."""
    parts = []
    if scene.mistake:
        parts.append(f"the mistake {scene.mistake}")
    if FILE in scene.given:
        parts.append("the matrices of a file")
    return " and ".join(parts)


def _focus(scene: Scene, focus: Focus) -> list[str]:
    """Return the options of the focus, as far as it is not where the lesson looks first."""
    first = scene.lesson.look
    words = []
    if focus.query != first.query or scene.mistake:  # a mistake looks for a row that shows it
        words += ["--query", _token(scene, focus.query)] if scene.lesson.n_queries else []
    if focus.head != first.head:
        words += ["--head", str(focus.head + 1)]
    return words + (["--queries", "columns"] if focus.columns else [])


def _token(scene: Scene, query: int) -> str:
    """Return a token by its text where that alone means it, else by its number."""
    trace = scene.lesson.working.trace
    labels = names(trace, asks_axis(trace))
    label = labels[query]
    told = labels.count(label) == 1 and not label[:1].isdecimal()
    return label if told else str(query + 1)


def _valued(scene: Scene, name: str, value: object) -> str:
    return scene.named.get(name) or str(value)


def _quoted(word: str) -> str:
    """Return a word as any shell reads it, where one way is right for all."""
    if PLAIN.fullmatch(word):
        return word
    return f'"{word}"' if QUOTABLE.fullmatch(word) else shlex.quote(word)


def _yaml(text: str) -> str:
    """Return a text as one line of YAML."""
    return "'" + text.replace("'", "''") + "'"
