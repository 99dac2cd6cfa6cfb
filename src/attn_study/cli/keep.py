"""`attn-study undo` and `config`: the last step taken back, and where everything is kept."""

from __future__ import annotations

from typing import Annotated

import typer

from attn_study.errors import UserError

SHOWN = 20  # rows that are named one by one


def undo(ctx: typer.Context) -> None:
    """Take the last step back: a grade, a card put away, a report, a rule.

    Deck files are not touched.

    \b
    attn-study undo
    """
    from attn_study.memory.words import taken_back

    world = ctx.obj
    with world.open(write=True, adopting=False) as study:  # or that would be the last step
        now = study.moment()
        taken = study.log.undo(now)
        if not taken:
            hint = "it takes back steps of the log made on this device, not changes of deck files"
            raise UserError("nothing to take back", hint=hint)
        study.catalogue.mend_hints()
        lines = [taken_back(event, now) for event in taken[:SHOWN]]
        if taken[SHOWN:]:
            lines.append(f"and {len(taken) - SHOWN:,} more that were done together with these")
        world.print("\n".join(lines))


def config(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(help="A setting, or NAME.DECK for one deck.")] = "",
    value: Annotated[str | None, typer.Argument(help="Its new value.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Show or change settings; show where everything is kept.

    \b
    attn-study config
    attn-study config new 20               new cards a day
    attn-study config new.mine 5           for one deck
    attn-study config rollover 3           the hour at which a study day begins
    attn-study config math ascii           for fonts without subscripts
    attn-study config interval_cap 365     the longest interval, in days
    attn-study config scheduler.mine fsrs  FSRS; also retention.mine, fuzz.mine
    attn-study config sync ""              forget the folder that sync remembers
    """
    from attn_study.cli.configuring import change_setting, facts, one_fact
    from attn_study.render.facts import fact_lines

    world = ctx.obj
    if value is not None:
        world.print(change_setting(world, key, value))
    elif key:
        world.print(one_fact(facts(world), key))
    elif json:
        world.json("config", **facts(world))
    else:
        world.show(fact_lines(facts(world)))
