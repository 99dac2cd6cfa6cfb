"""`attn-study stats`: what the record says, and the workload ahead."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from attn_study.cli.names import decks as deck_names
from attn_study.errors import UserError

YEAR = 365  # days: what a bare `--ahead` looks at
FARTHEST = 3650  # days

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class StatsCommand(TyperCommand):
    """A command whose `--ahead` may stand alone, before a deck too."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give a bare `--ahead` a year."""
        given = [
            f"{word}={YEAR}" if word == "--ahead" and not _is_number(after) else word
            for word, after in pairwise([*args, "-"])
        ]
        return super().parse_args(ctx, given)


def _is_number(word: str) -> bool:
    return word.removeprefix("-").isdecimal()


Decks = Annotated[
    list[str] | None,
    typer.Argument(metavar="[DECK]...", help="All by default.", autocompletion=deck_names),
]
Days = Annotated[
    int | None,
    typer.Option(
        help="Simulate the days ahead; a year without DAYS.",
        min=1,
        max=FARTHEST,
        metavar="[DAYS]",
    ),
]
New = Annotated[
    int | None,
    typer.Option(help="With --ahead: new cards a day.", min=0, max=9999, metavar="N"),
]
Seed = Annotated[int | None, typer.Option(help="With --ahead: the dice.", min=0, metavar="N")]
Compare = Annotated[
    bool, typer.Option("--compare", help="What SM-2 and FSRS would have asked of you.")
]
Plain = Annotated[bool, typer.Option("--plain", help="One fact a line, for pipes and the ear.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object.")]


@app.command("stats", cls=StatsCommand)
def stats(
    ctx: typer.Context,
    decks: Decks = None,
    ahead: Days = None,
    new: New = None,
    seed: Seed = None,
    compare: Compare = False,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Show what the record says: retention, days, what comes, what is hard.

    \b
    attn-study stats
    attn-study stats attention          one deck; several may be named
    attn-study stats --ahead 90         the workload of the coming 90 days
    attn-study stats --ahead --new 20   a year with 20 new cards a day
    attn-study stats --compare          what SM-2 and FSRS would have asked
    """
    if ahead is None and (new is not None or seed is not None):
        option = "--new" if new is not None else "--seed"
        raise UserError(f"{option} goes with --ahead", hint="attn-study stats --ahead --new 20")
    if ahead is not None and compare:
        raise UserError("--ahead and --compare are two pages", hint="ask for one at a time")
    world = ctx.obj
    with world.open() as study:
        if compare:
            from attn_study.cli.insight.comparing import show_comparison

            show_comparison(study, decks or [], json=json)
        elif ahead is not None:
            from attn_study.cli.insight.ahead import ahead_report

            ahead_report(study, decks or [], ahead, new, seed).show(world, plain=plain, json=json)
        else:
            from attn_study.cli.insight.gathering import stats_report

            stats_report(study, decks or []).show(world, plain=plain, json=json)
