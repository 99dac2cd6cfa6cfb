"""`attn-study log`: the newest steps, and the whole log out of a file or into one."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads it
from typing import Annotated

import typer

SHOWN = 20  # rows

app = typer.Typer(add_completion=False, rich_markup_mode=None, invoke_without_command=True)


@app.callback()
def log(
    ctx: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Show the last twenty steps, the newest first; take the whole log out, bring others in.

    \b
    attn-study log
    attn-study log export -o log.jsonl
    attn-study log import log.jsonl
    """
    if ctx.invoked_subcommand is not None:
        return
    from attn_study.render.events import log_lines

    world = ctx.obj
    with world.open() as study:
        if json:
            world.json("log", entries=study.log.columns(limit=SHOWN))
            return
        events = study.log.recent(SHOWN)
        world.show(log_lines(events, study.log.undone_of(events)))


@app.command()
def export(
    ctx: typer.Context,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file; its suffix says the format.")
    ] = None,
    to: Annotated[str, typer.Option(help="jsonl, csv or parquet.")] = "",
    anonymous: Annotated[
        bool, typer.Option("--anonymous", help="Random names, study days only, no words.")
    ] = False,
) -> None:
    """Write every row of the log into a file.

    Without -o it goes onto standard output, as JSON Lines or --to csv. Both come back with
    `log import`. An anonymous log does not: it is for counting.

    \b
    attn-study log export -o log.jsonl
    attn-study log export -o mine.parquet --anonymous
    """
    from attn_study.cli.logs.exporting import export_log

    world = ctx.obj
    with world.open() as study:
        export_log(study, output, to, anonymous=anonymous)


@app.command("import")
def import_(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    deck: Annotated[str, typer.Option(help="Under which deck's name the cards are filed.")] = "",
    zone: Annotated[str, typer.Option(help="Where it was: Asia/Shanghai, +08:00.")] = "",
    format: Annotated[str, typer.Option(help="jsonl, csv, reviews or anki.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would come.")] = False,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Bring in the sound rows.")] = False,
) -> None:
    """Bring in a log: our own, Anki's, or a table of reviews.

    Of Anki: .apkg, .colpkg or the collection. A table has the columns card_id, review_rating
    (1 to 4), review_time and review_duration (ms). What is here already is not added again.

    \b
    attn-study log import log.jsonl
    attn-study log import reviews.csv --deck biology --zone Asia/Shanghai
    """
    from rich.text import Text

    from attn_study.cli.logs.importing import Wishes, import_log
    from attn_study.collector import resting
    from attn_study.render.safe import safe

    world = ctx.obj
    wishes = Wishes(deck, zone, format, dry_run=dry_run, skip_bad=skip_bad)
    with resting(), world.open(write=not dry_run) as study:
        world.show(Text(safe(line)) for line in import_log(study, file, wishes))
