"""Where a lesson goes: onto the terminal, down a pipe, or into a file."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.cli.streams import writing
from attn_study.demos.compare import brief, telling
from attn_study.demos.knobs import settle
from attn_study.demos.picking import find_head, find_query
from attn_study.demos.trained_or_toy import CASE
from attn_study.demos.weighing import about, of_case, refuse_case, refuse_other, with_weights
from attn_study.render.lesson import lesson_lines, named_lines
from attn_study.render.output import fitted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from attn_study.cli.demo_options import Options
    from attn_study.cli.world import World
    from attn_study.demos.demo import Demo
    from attn_study.demos.lesson import Lesson
    from attn_study.demos.working import Focus, Working
    from attn_study.screen.demoing import DemoScreen

COLUMNS = 80  # of a pipe and of a file, where COLUMNS does not say another width
WIDEST = 1_000  # cells


def show(world: World, lesson: Lesson, options: Options) -> None:
    """Show a lesson where it is wanted: as JSON, in a file, on the terminal, or as lines."""
    focus = _focus(lesson, options)
    if options.explore:
        from attn_study.cli.exploring import explore

        explore(world, lesson, options, focus)
        return
    wrong = lesson.wrong(options.mistake) if options.mistake else None
    if wrong and options.query is None:
        focus = telling(lesson.working, wrong, focus)
    if options.output is not None:
        _write(world, lesson, options, focus, wrong)
    elif options.json:
        with writing():
            text = _json(lesson, options, wrong, ascii=not _is_utf8(world))
            print(text, file=world.stdout, flush=True)
    elif options.plain or not can_draw(world):
        world.show(_lines(lesson, options, focus, wrong, _columns(world)))
    else:
        _interact(world, lesson, options, focus)


def predict(world: World, demo: Demo, options: Options) -> None:
    """Ask a question of the demo, about its weights: on the terminal, or line by line."""
    knobs = with_weights(demo, options.knobs, options.question)
    settled = settle(demo, knobs)
    refuse_other(demo, knobs, options.question)
    refuse_case(knobs, settled)
    demo = of_case(demo, knobs.get(CASE))
    if not options.question:
        demo = about(demo, settled)
    seed = world.fresh_seed() if options.seed is None else options.seed
    if options.plain or not can_draw(world):
        from attn_study.screen.asking import Prediction

        asked = Prediction(demo, seed, options.question)
        asked.line_by_line(world.stdin, world.show, _columns(world))
        return
    with on_screen(world, seed) as screen:
        lines = screen.show(demo, knobs, predict=True, question=options.question)
    world.show(lines)


def list_mistakes(world: World, demo: Demo) -> None:
    """List the mistakes a demo can make, with what each means."""
    rows = [(name, brief(name)) for name in demo.mistakes]
    world.show(named_lines(rows, _columns(world)))


def _interact(world: World, lesson: Lesson, options: Options, focus: Focus) -> None:
    from attn_study.screen.viewing import View

    view = View.of(lesson, focus)
    if options.mistake:
        view = replace(view, page="compare", mistake=options.mistake)
    elif options.step:
        view = replace(view, page="step")
    with on_screen(world, world.fresh_seed()) as screen:
        lines = screen.show_from(lesson, view)
    world.show(lines)


@contextmanager
def on_screen(world: World, seed: int) -> Iterator[DemoScreen]:
    """Open the terminal for lessons; `seed` is that of the first question."""
    from attn_study.screen.demoing import DemoScreen
    from attn_study.screen.keyboard import Keyboard
    from attn_study.screen.terminal import Terminal

    with Terminal(world.console, Keyboard()) as terminal:
        yield DemoScreen(terminal, world.console.encoding, ascii=world.ascii, seed=seed)


def _focus(lesson: Lesson, options: Options) -> Focus:
    """Return what to look at: as asked, else where the demo looks first."""
    trace = lesson.working.trace
    focus = replace(lesson.look, columns=options.columns)
    if options.query is not None:
        focus = replace(focus, query=find_query(trace, options.query))
    if options.head is not None:
        focus = replace(focus, head=find_head(trace, options.head))
    return focus


def _lines(
    lesson: Lesson, options: Options, focus: Focus, wrong: Working | None, columns: int
) -> list[Text]:
    if wrong and options.mistake:
        panels = lesson.compared(options.mistake, wrong, focus)
    else:
        panels = lesson.every_stage(focus) if options.step else lesson.panels(focus)
    weights, notice = lesson.working.weights, lesson.notice(focus)
    return lesson_lines(lesson.demo.name, lesson.title, weights, notice, panels, columns)


def _write(
    world: World, lesson: Lesson, options: Options, focus: Focus, wrong: Working | None
) -> None:
    """Write a lesson into the file whose suffix says how."""
    from attn_study.files import write

    path = options.output
    if path is None:
        return
    columns = _wished(world) or COLUMNS
    kind = path.suffix.lower()
    if kind == ".json":
        text = _json(lesson, options, wrong)
    else:
        lines = _lines(lesson, options, focus, wrong, columns)
        lines = [fitted(line, "utf-8", ascii=world.ascii) for line in lines]
        text = _picture(lesson, lines, columns) if kind == ".svg" else _plain(lines)
    write(path, text if text.endswith("\n") else f"{text}\n")
    world.say(f"wrote {path}")


def _json(lesson: Lesson, options: Options, wrong: Working | None, *, ascii: bool = False) -> str:
    from attn_study.attention.trace import to_json
    from attn_study.render.data import document, text

    shown = wrong or lesson.working
    steps = to_json(shown.trace)
    return text(document(lesson.demo.name, shown, steps, options.mistake or ""), ascii=ascii)


def _picture(lesson: Lesson, lines: list[Text], columns: int) -> str:
    from attn_study.render.svg import svg

    return svg(lines, columns, f"attn-study demo {lesson.demo.name}")


def _plain(lines: list[Text]) -> str:
    return "\n".join(line.plain.rstrip() for line in lines)


def _columns(world: World) -> int:
    """Return the width of the terminal, or of a pipe."""
    return world.columns or _wished(world) or COLUMNS


def _wished(world: World) -> int:
    """Return the width that COLUMNS names, 0 where it names none."""
    text = world.environ.get("COLUMNS", "")
    return min(int(text), WIDEST) if text.isascii() and text.isdecimal() and len(text) < 9 else 0


def can_draw(world: World) -> bool:
    """Return whether frames can be drawn on the terminal and keys be read from it."""
    from attn_study.screen import terminal

    return terminal.can_draw(world.console, world.environ)


def _is_utf8(world: World) -> bool:
    encoding = getattr(world.stdout, "encoding", None) or ""
    return encoding.casefold().replace("-", "") == "utf8"
