"""The present state as text to take along: a command line, and a card for a deck."""

from __future__ import annotations

import hashlib
import re
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.demos.picking import asks_axis, names
from attn_study.screen.explorer.row import first_step, key_in, n_layers, row_of, weights_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attn_study.demos.working import Focus
    from attn_study.screen.explorer.scene import Scene

PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
QUOTABLE = re.compile(r"[^\"$`\\!\x00-\x1f]+")
SAID = {"text", "layer"}  # knobs that the question of a card names anyway
FILE = "matrix"  # a knob that names a file: no card can carry it


def command_line(scene: Scene, focus: Focus) -> str:
    """Return the command that opens the explorer at this state.

    With `--json` in the place of `--explore` it writes the very numbers on screen.
    """
    words = ["attn-study", "demo", scene.demo.name]
    for name, value in scene.given.items():
        words += [f"--{name.replace('_', '-')}", _valued(scene, name, value)]
    words += _focus(scene, focus)
    if scene.mistake:
        words += ["--mistake", scene.mistake]
    return " ".join(map(_quoted, [*words, "--explore"]))


def card(scene: Scene, focus: Focus, layer: int = 0) -> str:
    """Return a card, to be put at the end of a deck file, whose demo opens at these knobs.

    It asks about the cell in focus, as it is the right way, where something is weighed.
    """
    knobs = {
        name: _valued(scene, name, value) for name, value in scene.given.items() if name != FILE
    }
    front, back = _asked(scene, focus, layer, knobs)
    asked = hashlib.sha256(f"{front} {knobs}".encode()).hexdigest()[:6]
    lines = [
        f"  - id: {scene.demo.name}-{asked}",
        f"    front: {_yaml(front)}",
        f"    back: {_yaml(back)}",
        f"    demo: {scene.demo.name}",
    ]
    if knobs:
        lines += ["    with:", *(f"      {name}: {_yaml(value)}" for name, value in knobs.items())]
    return "\n".join(lines)


def left_out(scene: Scene, focus: Focus) -> str:
    """Return what a card cannot say of this state; empty where it says all."""
    first = scene.lesson.look
    parts = []
    if focus.query != first.query:
        parts.append("the query")
    if focus.head != first.head:
        parts.append("the head")
    if scene.mistake:
        parts.append(f"the mistake {scene.mistake}")
    if FILE in scene.given:
        parts.append("the matrices of a file")
    return _and(parts)


def left_out_of_command(scene: Scene, focus: Focus, step: str, layer: int) -> str:
    """Return what a command line cannot say of this state; empty where it says all."""
    trace = scene.working.trace
    parts = []
    seen_first = {"", first_step(trace, scene.lesson.stages)}
    if layer:  # its weights are in view with it
        seen_first.add(weights_of(trace, layer))
    if step not in seen_first:
        parts.append("the stage")
    if layer:
        parts.append("the layer")
    if focus.key not in (None, key_in(trace, replace(focus, key=None), layer)):
        parts.append("the key")
    return _and(parts)


def _and(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)


def _asked(scene: Scene, focus: Focus, layer: int, knobs: Mapping[str, str]) -> tuple[str, str]:
    """Return the front and the back of a card."""
    working = scene.lesson.working
    trace = working.trace
    at = ", ".join(f"{name} {value}" for name, value in knobs.items() if name not in SAID)
    where = f" at {at}" if at else ""
    row = row_of(trace, focus, layer)
    weight = row.weights[row.focus] if row else None
    if row is None or weight is None:
        every = ", ".join(f"{name} {value}" for name, value in knobs.items())
        where = f" at {every}" if every else ""
        return f"What is there to see in demo {scene.demo.name}{where}?", working.notice
    which = _which(scene, focus, layer)
    read = " ".join(row.keys)
    key = _told(row.keys, row.focus)
    query = _told(names(trace, asks_axis(trace)), focus.query)
    front = (
        f"Demo {scene.demo.name}{where}{f', {which},' if which else ''} reads “{read}”: "
        f"what weight does {query} give to {key}?"
    )
    return front, f"{weight:.4f}; {working.notice}" if working.notice else f"{weight:.4f}"


def _which(scene: Scene, focus: Focus, layer: int) -> str:
    """Return a head as the lesson counts it; empty where there is one."""
    working = scene.lesson.working
    at = working.knobs.get("layer") or (layer + 1 if n_layers(working.trace) > 1 else "")
    if scene.lesson.n_heads > 1:
        return f"head {f'{at}.' if at else ''}{focus.head + 1}"
    return f"layer {at}" if at else ""


def _told(labels: Sequence[str], at: int) -> str:
    """Return a token in quotes, with its place where it stands there more than once."""
    place = f" (word {at + 1})" if labels.count(labels[at]) > 1 else ""
    return f"“{labels[at]}”{place}"


def _focus(scene: Scene, focus: Focus) -> list[str]:
    """Return the options of the focus, as far as it is not where the lesson looks first."""
    first = scene.lesson.look
    words = []
    # A mistake looks for a row that shows it, and a head for one of its own.
    if (focus.query, focus.head) != (first.query, first.head) or scene.mistake:
        words += ["--query", _token(scene, focus.query)] if scene.lesson.n_queries else []
    if focus.head != first.head or (scene.mistake and scene.lesson.n_heads > 1):
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
