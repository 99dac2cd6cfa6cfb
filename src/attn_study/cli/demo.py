"""`attn-study demo`: live computations whose every number can be checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from typer.core import TyperGroup

from attn_study.demos import LESSONS, load
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from attn_study.cli.demo_options import Options
    from attn_study.cli.world import World
    from attn_study.demos.demo import Demo

HELP = """\
Live computations, from one dot product to the next word.

attn-study demo head                one lesson; its keys are under it
attn-study demo head --explore      change anything, see all of it follow
attn-study demo head --predict      a number is asked for first
`attn-study demo NAME --help` says what can be set, and written with -o.
"""


class Commands(Mapping[str, Any]):
    """The command of each lesson, made from its knobs when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        if name not in LESSONS:
            raise KeyError(name)
        from attn_study.cli.demo_options import command_for

        return command_for(load(name), run)

    def __iter__(self) -> Iterator[str]:
        return iter(LESSONS)

    def __len__(self) -> int:
        return len(LESSONS)


class Lessons(TyperGroup):
    """The lessons in order; none is loaded before it is asked for."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = cast("MutableMapping[str, Any]", Commands())

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the lessons in order."""
        return list(LESSONS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a lesson; UserError with near names when there is none."""
        if cmd_name in LESSONS or ctx.resilient_parsing or cmd_name.startswith("-"):
            return self.commands.get(cmd_name)
        return load(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command of a lesson; UserError for a mistake of one that makes none."""
        asked = any(word.partition("=")[0] == "--mistake" for word in args[1:])
        if asked and args[0] in LESSONS and not ctx.resilient_parsing:
            refuse_mistake(args[0])
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, the lessons and the options."""
        formatter.write(HELP)
        with formatter.section("Lessons"):
            formatter.write_dl(list(LESSONS.items()))
        records = [parameter.get_help_record(ctx) for parameter in self.get_params(ctx)]
        with formatter.section("Options"):
            formatter.write_dl([record for record in records if record])


def refuse_mistake(name: str) -> None:
    """Raise UserError, which names the lessons that make mistakes, where this one makes none."""
    if not load(name).mistakes:
        making = ", ".join(each for each in LESSONS if load(each).mistakes)
        raise UserError(f"demo {name} makes no mistakes", hint=f"these do: {making}")


app = typer.Typer(
    cls=Lessons,
    help="Live computations, from one dot product to the next word.",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    subcommand_metavar="[NAME] [OPTIONS]...",
)


@app.callback()
def lessons(
    ctx: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """List the lessons."""
    if ctx.invoked_subcommand is not None:
        return
    world = ctx.obj
    if json:
        listed = [{"demo": name, "title": title} for name, title in LESSONS.items()]
        world.json("demo-list", demos=listed)
        return
    from attn_study.render.lesson import named_lines

    world.show(named_lines(list(LESSONS.items()), world.columns or 80))
    world.print("\n attn-study demo NAME shows one; space goes through it step by step")


def run(world: World, demo: Demo, options: Options) -> None:
    """Carry out `demo NAME`: show it, ask, compare, or write it to a file."""
    from attn_study.cli import demo_output, demo_playing
    from attn_study.demos.lesson import Lesson

    if options.lists_mistakes:
        demo_output.list_mistakes(world, demo)
    elif options.predict:
        demo_output.predict(world, demo, options)
    else:
        knobs: dict[str, object] = dict(options.knobs)
        if options.explore:
            from attn_study.cli.exploring import check_terminal

            check_terminal(world)
        if knobs.get("matrix"):
            from attn_study.cli.demo_matrix import read_matrices

            knobs["matrix"] = read_matrices(Path(str(knobs["matrix"])))
        if demo.play and demo_playing.is_watched(options):
            demo_playing.watch(world, demo, demo.play, knobs, options)
            return
        lesson = Lesson.of(demo, knobs)
        demo_output.show(world, lesson, options)
