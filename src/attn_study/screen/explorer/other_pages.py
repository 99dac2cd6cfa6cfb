"""The pages of the explorer on which things are set, asked and taken along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.demos.picking import names
from attn_study.demos.stepping import heading
from attn_study.render.asked import question_lines
from attn_study.render.explorer.editor import editor
from attn_study.render.explorer.targets import target
from attn_study.render.lesson import named_lines
from attn_study.render.text import pad, safe, shortened, wrap
from attn_study.screen.asking import outcome
from attn_study.screen.explorer.copying import card, command_line, left_out_of_command, no_card
from attn_study.screen.explorer.editing import cells_of, knobs_of
from attn_study.screen.explorer.first_page import first_page
from attn_study.screen.explorer.standing import explained, in_force

if TYPE_CHECKING:
    from attn_study.screen.explorer.state import State

VALUE = 14  # cells of a value in the list of knobs
PROMPT = " > "


def knob_list(state: State, columns: int) -> list[Text]:
    """Return every knob with where it stands; the one chosen may be typed into."""
    lines: list[Text] = []
    for at, knob in enumerate(knobs_of(state)):
        is_chosen = at == state.chosen
        mark = "▸" if is_chosen else " "
        says = explained(knob)
        if is_chosen and state.page == "knob":
            lines += [Text(f" {mark} {knob.name}", "bold"), _typed(state, columns)]
            lines += [Text(f"   {part}", "dim") for part in wrap(says, columns - 4)]
            continue
        is_set = knob.name in state.scene.given
        value = safe(in_force(state.scene.lesson, knob)) or "–"
        shown = value if is_set else shortened(value, VALUE)
        found = named_lines([(f"{mark} {knob.name:<12}{pad(shown, VALUE)}", says)], columns)
        if not is_set:
            begin = found[0].plain.find(shown, len(f" {mark} {knob.name}"))
            found[0].stylize("not bold dim", begin, begin + len(shown))
        for line in found:
            line.stylize(target(f"line {at}"))
        lines += found
    return lines


def input_page(state: State, columns: int, rows: int) -> list[Text]:
    """Return an input with the cursor in it, and under it what comes of it."""
    trace = state.scene.lesson.working.trace
    step = trace[state.matrix]
    head = f", head {state.focus.head + 1}" if step.sizes.get("heads", 1) > 1 else ""
    axis = next(axis for axis in step.axes if axis != "heads")
    values = cells_of(state).tolist()
    typed = None if state.page != "number" else state.line.text
    below = first_page(state, columns, max(10, rows - len(values) - 6))
    sheet = editor(names(trace, axis), values, state.cell, columns, max(4, rows // 2), typed)
    says = Text.assemble((f" {heading(step)}{head}", "bold"), (f"   {step.says}", "dim"))
    if says.cell_len > columns:
        says = Text(f" {heading(step)}{head}", "bold")
    return [says, *sheet, Text(), *below]


def copied(state: State, columns: int) -> list[Text]:
    """Return the command line and the card of this state; the one copied is marked."""
    scene, focus, room = state.scene, state.focus, max(1, columns - 4)
    line, text = command_line(scene, focus), card(scene, focus, state.layer)
    is_line = state.copied == line
    unsaid = left_out_of_command(scene, focus, state.step, state.layer)
    note = f"A command line cannot say {unsaid}." if unsaid else ""
    refused = no_card(scene, focus, state.layer)
    return [
        _named(is_line, "as a command line"),
        *(Text(f"   {part}") for part in wrap(safe(line), room)),
        *(Text(f"   {part}", "yellow") for part in wrap(note, room) if note),
        Text(),
        _named(not is_line, "as a card for a deck file"),
        *(Text(f"   {part}") for line in text.split("\n") for part in _broken(line, room) if text),
        *(Text(f"   {part}", "yellow") for part in wrap(safe(refused), room) if refused),
        Text(),
        *(Text(f" {part}", "dim") for part in wrap(COPIED, columns - 2)),
    ]


def _broken(line: str, room: int) -> list[str]:
    """Return a line as it is; one that is too long in pieces, its indent kept."""
    indent = " " * (len(line) - len(line.lstrip()))
    first, *rest = wrap(safe(line.strip()), max(1, room - len(indent) - 2))
    return [indent + first, *(f"{indent}  {part}" for part in rest)]


COPIED = (
    "Given to the clipboard of the terminal, where it takes that; written once more on leaving. "
    "`attn-study deck edit NAME` opens a deck of your own."
)


def question(state: State, columns: int) -> list[Text]:
    """Return a question with the line that is typed, or with what came of it."""
    found = state.question
    if found is None:
        return []
    lines = question_lines(found.asked, columns)
    if found.graded is None:
        return [*lines, Text(), _typed(state, columns)]
    return [
        *lines,
        Text(),
        *outcome(state.scene.demo, found.asked, (found.graded, found.typed), columns),
    ]


def _named(is_copied: bool, what: str) -> Text:
    line = Text().append(f" {what}", "bold")
    return line.append("   ✓ copied", "bold cyan") if is_copied else line


def _typed(state: State, columns: int) -> Text:
    """Return the line being typed, with its cursor."""
    visible, column = state.line.view(max(1, columns - len(PROMPT) - 1))
    line = Text.assemble((PROMPT, "bold cyan"), f"{visible} ")
    at = len(PROMPT) + len(visible[:column])
    line.stylize("reverse", at, at + 1)
    return line
