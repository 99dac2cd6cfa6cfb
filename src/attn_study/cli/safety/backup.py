"""`attn-study backup`: the copies there are, another one, and one put back."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads it
from typing import Annotated

import typer

from attn_study.errors import UserError


def backup(
    ctx: typer.Context,
    file: Annotated[
        Path | None, typer.Argument(help="Where the copy goes; alone: list what there is.")
    ] = None,
    restore: Annotated[
        Path | None,
        typer.Option(
            help="Put this copy in the study's place.", metavar="FILE", show_default=False
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """List the copies of your study, make one, or put one back.

    \b
    attn-study backup                        what there is
    attn-study backup ~/usb/study.db         a copy that is never thinned out
    attn-study backup --restore FILE         the present study is kept beside it

    One is made by itself on each study day with something new, anew when it falls behind,
    and before each upgrade. Seven days, eight weeks and twelve months stay. Every copy is verified.
    """
    from attn_study.cli.safety.saving import put_back, save, show_copies

    world = ctx.obj
    if restore is not None and (file is not None or json):
        raise UserError("--restore takes one file and nothing else")
    if file is not None and json:
        raise UserError("--json lists the copies; it takes no file")
    if restore is not None:
        world.print(put_back(world, restore))
    elif file is not None:
        world.print(save(world, file))
    else:
        show_copies(world, json=json)
