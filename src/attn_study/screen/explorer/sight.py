"""The explorer on a screen: what stands at the top, in the body and under it, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.demos.compare import brief, meaning
from attn_study.render.explorer.targets import key_lines, target
from attn_study.render.lesson import header, named_lines, sheet
from attn_study.render.panels import draw
from attn_study.render.text import safe, wrap
from attn_study.screen.explorer.first_page import first_page
from attn_study.screen.explorer.helping import helps, keys_of
from attn_study.screen.explorer.other_pages import copied, input_page, knob_list, question
from attn_study.screen.viewing import CHOICES

if TYPE_CHECKING:
    from attn_study.screen.explorer.state import State

LEAST = (40, 12)  # columns and rows: under it nothing can be followed
LOW = 20  # rows: a lower window has no room for the notice


def too_small(columns: int, rows: int) -> str:
    """Return what is said in a window too small for the explorer; empty in one that will do."""
    if columns >= LEAST[0] and rows >= LEAST[1]:
        return ""
    return (
        f"the window is {columns}×{rows}, too small for the explorer: "
        f"{LEAST[0]}×{LEAST[1]} would do"
    )


def sight(state: State, columns: int, rows: int) -> tuple[list[Text], int]:
    """Return at most `rows` lines, and by how many lines the body is moved in them."""
    small = too_small(columns, rows)
    if small:
        return [Text(line) for line in wrap(f"{small}. q leaves.", max(1, columns))][:rows], 0
    top, footer = _top(state, columns, rows), _footer(state, columns)
    body = _body(state, columns, rows - len(top) - len(footer) - 1)
    whole = sheet(top, body, footer, rows)
    offset = max(0, min(state.scroll, whole.last_offset(rows)))
    return whole.fit(columns, rows, offset), offset


def _top(state: State, columns: int, rows: int) -> list[Text]:
    scene = state.scene
    shown = scene.working
    notice = "" if state.page == "predict" else scene.lesson.working.notice
    mistake = ""
    if scene.mistake and state.page in {"look", "matrix", "number"}:
        mistake, notice = f"✗ {scene.mistake}: {meaning(scene.mistake)}", ""
    lines = header(scene.demo.name, scene.lesson.title, shown.weights, notice, columns)
    if rows < LOW:
        lines = [Text.assemble((f" {scene.demo.name}", "bold"), f"   {safe(shown.weights)}")]
        lines[0].truncate(columns)
    return [*lines, *(Text(f" {line}", "yellow") for line in _wrapped(mistake, columns))]


def _footer(state: State, columns: int) -> list[Text]:
    words = [Text(f" {line}", "yellow") for line in _wrapped(state.words, columns)[:2]]
    return [*words, *key_lines(keys_of(state, columns), columns)]


def _body(state: State, columns: int, rows: int) -> list[Text]:
    """Return the body of the page; `rows` are there for it."""
    if state.page == "look":
        return first_page(state, columns, rows)
    if state.page == "lesson":
        return [Text(), *draw(state.scene.lesson.panels(state.focus), columns)]
    if state.page == "matrices":
        panels = draw(state.scene.lesson.matrices(state.focus), columns)
        return [Text(), *panels]
    if state.page == "help":
        return [Text(), *named_lines(helps(state), columns)]
    if state.page == "mistakes":
        return [Text(), *_mistakes(state, columns)]
    if state.page in {"knobs", "knob"}:
        return [Text(), *knob_list(state, columns)]
    if state.page in {"matrix", "number"}:
        return [Text(), *input_page(state, columns, rows - 1)]
    if state.page == "copy":
        return [Text(), *copied(state, columns)]
    return [Text(), *question(state, columns)]


def _mistakes(state: State, columns: int) -> list[Text]:
    """Return the mistakes that can be made, each on a line that can be clicked on."""
    lines = []
    longest = max(map(len, state.scene.demo.mistakes), default=0)
    for at, (key, name) in enumerate(zip(CHOICES, state.scene.demo.mistakes, strict=False)):
        mark = "▸" if at == state.chosen else " "
        made = " (made now; esc takes it back)" if name == state.scene.mistake else ""
        for line in named_lines(
            [(f"{mark} {key} {name:<{longest}}", f"{brief(name)}{made}")], columns
        ):
            line.stylize(target(f"line {at}"))
            lines.append(line)
    return lines


def _wrapped(words: str, columns: int) -> list[str]:
    return wrap(safe(words), max(1, columns - 2)) if words else []
