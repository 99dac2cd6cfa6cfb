"""A lesson that takes time, watched as it goes on: on the terminal, or a line now and then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.demos import LESSONS
from attn_study.demos.knobs import settle
from attn_study.demos.lesson import Lesson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.cli.demo_options import Options
    from attn_study.cli.world import World
    from attn_study.demos.demo import Demo, Play


def is_watched(options: Options) -> bool:
    """Return whether a lesson is to be watched, and not only what comes of it to be shown."""
    ends = (options.output, options.query, options.mistake)
    return not any((options.fast, options.json, options.step, options.explore, *ends))


def watch(
    world: World, demo: Demo, part: Play, knobs: Mapping[str, object], options: Options
) -> None:
    """Play the demo; where nothing can be drawn, tell a moment now and then, and the lesson."""
    from attn_study.cli import demo_output

    if options.plain or not demo_output.can_draw(world):
        demo_output.show(world, _told(world, demo, part, knobs), options)
        return
    with demo_output.on_screen(world, world.fresh_seed()) as screen:
        lines = screen.watch(demo, part, knobs, options.fps)
    world.show(lines)


def _told(world: World, demo: Demo, part: Play, knobs: Mapping[str, object]) -> Lesson:
    """Print a line of every few moments as soon as it is known; return the lesson at its end."""
    settled = settle(demo, knobs)
    world.print(f" {demo.name}  {LESSONS[demo.name]}")
    for number, working in enumerate(part.frames(**settled)):
        if number % part.often == 0:
            world.print(f" {part.line(working)}")
    world.print("")
    return Lesson(demo, settled, working)
