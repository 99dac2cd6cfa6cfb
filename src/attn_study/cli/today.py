"""`attn-study today`: the day at a glance, and what to type next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from attn_study.memory.overview import Counts


def today(
    ctx: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    count: Annotated[
        bool, typer.Option("--count", help="Only how many cards can be asked now.")
    ] = False,
) -> None:
    """Show what is due today and what to type next.

    \b
    attn-study today
    attn-study today --count     a number, for your shell prompt
    attn-study today --json
    """
    from attn_study.memory.overview import overview

    world = ctx.obj
    with world.open() as study:
        day = study.moment().day
        sources = study.catalogue.decks()
        total, decks = overview(study.log, day, study.limits(), [deck.deck for deck in sources])
        if count:
            world.print(str(total.waiting))
        elif json:
            listed = [{"deck": name, **_fields(counts)} for name, counts in decks.items()]
            world.json("today", study_day=day, **_fields(total), decks=listed)
        else:
            from attn_study.render.today import today_lines

            world.show(today_lines(study.glance(day, total, decks)))


def _fields(counts: Counts) -> dict[str, object]:
    """Return what JSON says of a deck, and of all of them."""
    return {
        "due": counts.due,
        "new": counts.new,
        "drill": counts.drill,
        "done_today": counts.done_today,
        "next_due": counts.next_due,
    }
