"""`attn-study doctor`: whether everything is sound, and what to do where it is not."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads it
from typing import Annotated

import typer

from attn_study.errors import UserError


def doctor(
    ctx: typer.Context,
    file: Annotated[
        Path | None, typer.Argument(help="With --salvage: the damaged file, if not study.db.")
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Mend what can be worked out from the log.")
    ] = False,
    salvage: Annotated[
        bool, typer.Option("--salvage", help="Put what can be read into a new file.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="With --salvage: the new file.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Look over the log, the states, the decks, the backups and the settings.

    \b
    attn-study doctor
    attn-study doctor --fix          after a backup; no row of the log is changed
    attn-study doctor --salvage      from a damaged study and a backup, which stay

    Exit code 0: sound, perhaps with notes. 1: something is wrong.
    """
    world = ctx.obj
    if not salvage and (file or output):
        raise UserError("a file goes with --salvage", hint="`attn-study doctor` looks at the study")
    if salvage and fix:
        raise UserError("either --fix or --salvage", hint="--salvage is for what --fix cannot mend")
    if salvage:
        from attn_study.cli.safety.rescuing import show_rescue

        return show_rescue(world, file, output, json=json)
    from attn_study.cli.safety.caring import show_care

    raise typer.Exit(show_care(world, fix=fix, json=json))
