"""`attn-study review`: one sitting."""

from __future__ import annotations

import math
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from attn_study.cli.names import decks as deck_names

if TYPE_CHECKING:
    from rich.text import Text

    from attn_study.cli.study import Study
    from attn_study.memory.scope import Scope
    from attn_study.sitting import Desk, Summary


def review(
    ctx: typer.Context,
    decks: Annotated[
        list[str] | None,
        typer.Argument(metavar="[DECK]...", help="All by default.", autocompletion=deck_names),
    ] = None,
    section: Annotated[str, typer.Option(help="Only this section.", metavar="NAME")] = "",
    tag: Annotated[str, typer.Option(help="Only cards with this tag.", metavar="NAME")] = "",
    new: Annotated[
        int | None,
        typer.Option(
            help="New cards today, in place of the setting.", min=0, max=9999, metavar="N"
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(help="Stop after the card at hand.", min=0.1, max=1440, metavar="N"),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Line by line: for pipes and screen readers.")
    ] = False,
) -> None:
    """Study what is due, what is new, and what was missed.

    \b
    attn-study review
    attn-study review attention --tag formulas
    attn-study review --minutes 10 --new 5

    In the terminal ? shows the keys. With --plain, and whenever there is no terminal: an empty
    line shows the answer, the next line is the grade 1 to 4; :help lists the commands.
    """
    if minutes is not None and math.isnan(minutes):
        raise typer.BadParameter("nan is no number of minutes", param_hint="--minutes")
    from attn_study.cli.acting import offer_histories

    world = ctx.obj
    with world.open(write=True) as study:
        offer_histories(study)
        desk = _desk(study, study.scope(decks or [], section, tag), new, minutes)
        summary = None
        if desk.plan(desk.moment()).next():
            summary = _hold(study, desk, plain=plain)
        world.show(_closing(study, desk, summary))


def _desk(study: Study, scope: Scope, new: int | None, minutes: float | None) -> Desk:
    from attn_study.cli.decks.editing import edit_card, question_before_editing
    from attn_study.sitting import Desk

    return Desk(
        log=study.log,
        catalogue=study.catalogue,
        clock=study.world.clock,
        stopwatch=time.monotonic,
        rollover=study.world.settings.rollover,
        scope=scope,
        limits=study.limits(new),
        edit=lambda card: edit_card(study, card.id),
        may_edit=lambda card: question_before_editing(study, card.id),
        ascii=study.world.ascii,
        seconds=None if minutes is None else minutes * 60,
    )


def _hold(study: Study, desk: Desk, *, plain: bool) -> Summary:
    """Hold the sitting on the terminal, or line by line where that cannot be."""
    world = study.world
    from attn_study.review import Review
    from attn_study.screen.terminal import Terminal, can_draw

    if plain or not can_draw(world.console, world.environ):
        from attn_study.screen.plain import PlainScreen

        return Review(desk, PlainScreen(world.stdin, world.show)).run()
    from attn_study.screen.keyboard import Keyboard
    from attn_study.screen.reviewing import ReviewScreen

    with Terminal(world.console, Keyboard()) as terminal:
        screen = ReviewScreen(
            terminal,
            world.console.encoding,
            ascii=world.ascii,
            closing=lambda done: _closing(study, desk, done),
        )
        return Review(desk, screen).run()


def _closing(study: Study, desk: Desk, summary: Summary | None) -> list[Text]:
    """Return what stays on the screen: what was done, and when the next card comes."""
    from attn_study.memory.overview import overview
    from attn_study.render.summary import closing

    day = desk.moment().day
    now, _ = overview(study.log, day, desk.limits, (), desk.scope)
    tomorrow = now
    if not now.waiting:
        tomorrow, _ = overview(study.log, day + timedelta(days=1), desk.limits, (), desk.scope)
    return closing(summary, day, now, tomorrow)
