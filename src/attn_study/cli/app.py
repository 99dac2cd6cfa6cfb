"""The program's commands, and the help that shows the few to learn first."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from attn_study import __version__
from attn_study.cli.world import World

# A command is loaded and built when it is named: all of them would cost each start 7 ms.
COMMANDS = {
    "today": "today:today",
    "review": "review:review",
    "card": "card:app",
    "deck": "deck:app",
    "demo": "demo:app",
    "stats": "insight.stats:app",
    "quiz": "quiz:quiz",
    "undo": "keep:undo",
    "log": "log:app",
    "backup": "safety.backup:backup",
    "doctor": "safety.doctor:doctor",
    "sync": "sync:sync",
    "config": "keep:config",
}

EXAMPLES = """\
Spaced repetition in the terminal. `attn-study COMMAND --help` says more.
Every day
  attn-study                         today at a glance, and what to type next
  attn-study review                  study what is due, then what is new
  attn-study demo head               attention, computed before your eyes
  attn-study stats                   how it goes, what is hard, what comes
  attn-study quiz                    a test, counted; nothing is scheduled
Decks
  attn-study card add mine "Q?" "A"  also: list, show, edit, grade, suspend ...
  attn-study deck list               also: add, new, edit, check, export
Keep safe
  attn-study undo                    take the last step back
  attn-study log                     the last twenty steps; also: export, import
  attn-study backup                  the copies there are; another; one put back
  attn-study doctor                  whether all is sound; mend it; salvage it
  attn-study sync FOLDER             the same progress on every machine
  attn-study config                  settings, and where everything is kept
"""
LONG = ", to copy it or customize the installation"  # of typer's own; one line is enough


class Examples(TyperGroup):
    """Shows examples in the place of a list of names, and loads a command when it is named."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command; none for an unknown name, with all loaded for a suggestion."""
        for name in (cmd_name,) if cmd_name in COMMANDS else COMMANDS:
            if name not in self.commands:
                self.commands[name] = _loaded(name)
        return self.commands.get(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, then the options."""
        formatter.write(EXAMPLES)
        records = [parameter.get_help_record(ctx) for parameter in self.get_params(ctx)]
        with formatter.section("Options"):
            formatter.write_dl(
                [(name, says.replace(LONG, "")) for name, says in filter(None, records)]
            )


def _loaded(name: str) -> Any:
    """Build the command from its function, or from its own group of commands."""
    place, _, attribute = COMMANDS[name].partition(":")
    found = getattr(import_module(f"attn_study.cli.{place}"), attribute)
    group = found
    if not isinstance(found, typer.Typer):
        group = typer.Typer(add_completion=False, rich_markup_mode=None)
        group.command(name)(found)
    command = get_command(group)
    command.name = name
    return command


app = typer.Typer(
    cls=Examples,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"attn-study {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    ctx: typer.Context,
    color: Annotated[str, typer.Option(help="auto, always or never.", metavar="WHEN")] = "auto",
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Learn the attention chapter for good."""
    if color not in ("auto", "always", "never"):
        raise typer.BadParameter("one of auto, always, never", param_hint="--color")
    ctx.obj = World(color=color)
    if ctx.invoked_subcommand is None:
        from attn_study.cli.today import today

        today(ctx)
