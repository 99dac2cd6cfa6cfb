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
    from attn_study.screen.explorer.row import Row
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

    It asks about the cell in focus where something is weighed. Empty where `no_card` says why.
    """
    if no_card(scene, focus, layer):
        return ""
    knobs = {name: _valued(scene, name, value) for name, value in scene.given.items()}
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


def no_card(scene: Scene, focus: Focus, layer: int = 0) -> str:
    """Return why there is no card of this state, and what to do for one; empty where there is.

    The demo of a card opens where its lesson looks first: no card asks about anything else.
    """
    first = scene.lesson.look
    if FILE in scene.given:
        return "A card cannot hold the matrices of a file."
    lacking = {}
    if scene.mistake:
        lacking[f"the mistake {scene.mistake}"] = "esc for the right way"
    if _weighed(scene, focus, layer):
        if focus.query != first.query:
            lacking["the query"] = f"← → to {_asking(scene, first)}"
        if focus.head != first.head:
            lacking["the head"] = f"h to {_which(scene, first, 0)}"
        if layer:
            lacking["the layer"] = "l to the first layer"
    if not lacking:
        return ""
    return f"A card cannot hold {_and([*lacking])}. For a card: {', '.join(lacking.values())}."


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
    weighed = _weighed(scene, focus, layer)
    name = f"demo {scene.demo.name}"
    if weighed is None:
        return f"What does {name}{_set_to(knobs)} show?", scene.lesson.working.notice
    row, weight = weighed
    where = _set_to({name: value for name, value in knobs.items() if name not in SAID})
    which = _which(scene, focus, layer)
    what = f"In {which}, what" if which else "What"
    key = _told(row.keys, row.focus)
    front = (
        f"{name.capitalize()}{where} reads “{' '.join(row.keys)}”. "
        f"{what} weight does {_asking(scene, focus)} give to {key}?"
    )
    return front, f"{weight:.4f}"


def _weighed(scene: Scene, focus: Focus, layer: int) -> tuple[Row, float] | None:
    """Return the row in focus and the weight of its key, the right way; None without one."""
    row = row_of(scene.lesson.working.trace, focus, layer)
    weight = row.weights[row.focus] if row else None
    return None if row is None or weight is None else (row, weight)


def _set_to(knobs: Mapping[str, str]) -> str:
    """Return what knobs are set to, as it goes on in a sentence; empty where none is."""
    said = [
        f"{value} weights" if name == "weights" else f"{name} {value}"
        for name, value in knobs.items()
    ]
    return f" with {_and(said)}" if said else ""


def _asking(scene: Scene, focus: Focus) -> str:
    trace = scene.lesson.working.trace
    return _told(names(trace, asks_axis(trace)), focus.query)


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
