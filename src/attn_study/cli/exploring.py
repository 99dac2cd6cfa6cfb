"""`attn-study demo NAME --explore`: whether it can be shown, where it begins, what it leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.cli.demo_options import Options
    from attn_study.cli.world import World
    from attn_study.demos.lesson import Lesson
    from attn_study.demos.working import Focus

NO_TERMINAL = "the explorer needs a terminal: for keys, output and errors alike"
INSTEAD = "without --explore the lesson is shown as lines"


def check_terminal(world: World) -> None:
    """Raise UserError where the explorer cannot be shown: no terminal, or one too small."""
    from attn_study.screen.explorer.sight import too_small
    from attn_study.screen.terminal import can_draw

    small = too_small(*world.console.size) if world.stdout.isatty() else ""
    if small:
        raise UserError(small, hint=INSTEAD)
    if not (can_draw(world.console, world.environ) and world.stderr.isatty()):
        raise UserError(NO_TERMINAL, hint=INSTEAD)


def explore(world: World, lesson: Lesson, options: Options, focus: Focus) -> None:
    """Explore a lesson on the terminal; what was copied last is printed on leaving."""
    from attn_study.screen.explorer.app import explore as run
    from attn_study.screen.explorer.copying import FILE
    from attn_study.screen.explorer.scene import Scene
    from attn_study.screen.explorer.state import State

    named = {name: value for name, value in options.knobs.items() if name == FILE}
    given = {name: lesson.knobs[name] for name in options.knobs}
    state = State.of(Scene(lesson, given, named=named), focus, seed=world.fresh_seed())
    if options.mistake:
        state = state.shown_by(options.mistake)
    left, _ = run(state, world.console, ascii=world.ascii)
    if left.copied:
        world.print(left.copied)
