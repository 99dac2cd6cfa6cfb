"""The program's commands, and the help that shows the few to learn first."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from attn_study import __version__
from attn_study.cli import card, deck, demo, keep
from attn_study.cli.review import review
from attn_study.cli.today import today
from attn_study.cli.world import World

EXAMPLES = """\
Spaced repetition for the attention chapter, in the terminal.

Every day
  attn-study                         today at a glance, and what to type next
  attn-study review                  study what is due, then what is new
  attn-study review mine --new 5     one deck, at most five new cards
  attn-study demo head               attention, computed before your eyes
Decks
  attn-study card add mine "Q?" "A"  also: list, show, edit, grade, suspend ...
  attn-study deck list               also: add, edit, check, remove
Keep safe
  attn-study undo                    take the last step back
  attn-study log                     the last twenty steps
  attn-study config                  settings, and where everything is kept

`attn-study COMMAND --help` says more of each.
"""


class Examples(TyperGroup):
    """Shows examples in the place of a list of names."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, then the options."""
        formatter.write(EXAMPLES)
        records = [parameter.get_help_record(ctx) for parameter in self.get_params(ctx)]
        with formatter.section("Options"):
            formatter.write_dl([record for record in records if record])


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
        today(ctx)


app.command()(today)
app.command()(review)
app.add_typer(card.app, name="card")
app.add_typer(deck.app, name="deck")
app.add_typer(demo.app, name="demo")
app.command()(keep.undo)
app.command("log")(keep.log)
app.command()(keep.config)
