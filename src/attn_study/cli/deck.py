"""`attn-study deck`: list, add, new, edit, check, remove and export decks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from attn_study.cli.names import decks as deck_names
from attn_study.collector import resting

app = typer.Typer(
    add_completion=False,
    help="List, add, make, edit, check, remove and export decks.",
    rich_markup_mode=None,
    no_args_is_help=True,
)

Json = Annotated[bool, typer.Option("--json", help="One JSON object.")]
Deck = Annotated[str, typer.Argument(metavar="DECK", autocompletion=deck_names)]


@app.command("list")
def list_decks(ctx: typer.Context, json: Json = False) -> None:
    """Show every deck, what is due, and its file."""
    from attn_study.cli.decks.shelving import deck_fields
    from attn_study.render.decks import deck_rows

    world = ctx.obj
    with world.open() as study:
        found = deck_fields(study)
        if json:
            world.json("deck-list", decks=found)
        else:
            world.show(deck_rows(found))


@app.command()
def add(
    ctx: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FILE|FOLDER")],
    link: Annotated[bool, typer.Option("--link", help="Leave the file where it is.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would come.")] = False,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Add the sound cards.")] = False,
    name: Annotated[str, typer.Option(help="What the deck is to be called.")] = "",
    format: Annotated[
        str, typer.Option(help="csv, tsv, anki-text, quizlet, markdown, apkg or json.")
    ] = "",
    encoding: Annotated[str, typer.Option(help="Of a text file, such as cp1252.")] = "",
    field_sep: Annotated[
        str, typer.Option(help="Between question and answer, such as ';' or '\\t'.")
    ] = "",
    row_sep: Annotated[str, typer.Option(help="Between cards, such as '\\n\\n'.")] = "",
    schedule: Annotated[
        bool, typer.Option("--schedule", help="From Anki, with what you learned there.")
    ] = False,
) -> None:
    """Bring decks in, in any format: YAML, CSV, Anki, Quizlet, Markdown, JSON.

    Adding a file again updates the texts, makes no card twice and leaves progress
    alone. A built-in deck that was put away comes back by its name.

    \b
    attn-study deck add week3.csv --dry-run
    attn-study deck add Biology.apkg --schedule
    """
    from attn_study.cli.decks.adding import add_decks
    from attn_study.cli.decks.planning import Wishes

    world = ctx.obj
    if source in world.settings.hidden and not Path(source).is_file():
        from attn_study.cli.decks.shelving import bring_back

        world.print(bring_back(world, source, dry_run=dry_run))
        return
    wishes = Wishes(
        link=link,
        dry_run=dry_run,
        skip_bad=skip_bad,
        name=name,
        format=format,
        encoding=encoding,
        field_separator=field_sep,
        row_separator=row_sep,
        schedule=schedule,
    )
    with resting(), world.open(write=not dry_run) as study:
        world.print(add_decks(study, source, wishes))


@app.command()
def export(
    ctx: typer.Context,
    deck: Deck,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file; its suffix says the format.")
    ] = None,
    to: Annotated[
        str, typer.Option(help="json, csv, tsv, anki-text, markdown, apkg or yaml.")
    ] = "",
) -> None:
    """Write a deck in another format; without -o, as JSON or --to onto standard output.

    JSON is complete: texts, schedule and log. Of what another format cannot carry, it is said.

    \b
    attn-study deck export mine -o mine.apkg
    """
    from attn_study.cli.decks.exporting import export_deck

    world = ctx.obj
    with world.open() as study:
        is_behind = bool(study.behind())
        if not is_behind:
            export_deck(study, study.deck(deck), output, to)
    if is_behind:  # a deck that was renamed takes its log along first
        with world.open(write=True) as study:
            export_deck(study, study.deck(deck), output, to)


@app.command()
def new(ctx: typer.Context, name: str) -> None:
    """Make a deck of your own, with an example of each kind of card to write over.

    \b
    attn-study deck new mine
    """
    from attn_study.cli.decks.making import new_deck

    world = ctx.obj
    with world.open(write=True) as study:
        world.print(new_deck(study, name))


@app.command()
def edit(ctx: typer.Context, deck: Deck) -> None:
    """Open a deck in $EDITOR and check it afterwards.

    While it has mistakes it is opened again, with a comment above each of them. To stop, leave
    the text unchanged: it stays as you left it.
    """
    from attn_study.cli.decks.editing import edit_deck

    world = ctx.obj
    with world.open(write=True) as study:
        world.print(edit_deck(study, study.deck(deck)))


@app.command()
def check(
    ctx: typer.Context,
    decks: Annotated[list[str] | None, typer.Argument(metavar="[FILE|DECK]...")] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Write the ids that are missing, and nothing else.")
    ] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of deck files instead.")
    ] = False,
) -> None:
    """Say what is wrong in deck files, and where.

    Every deck there is by default. Said as well: cards that are gone and have a history, and
    built-in decks that differ from your copy. The exit code is 1 if there is a mistake.
    """
    from attn_study.cli.decks.checking import check_decks, files_of

    world = ctx.obj
    if schema:
        from attn_study.deck.shape import schema_text

        world.print(schema_text().rstrip())
        return
    files = files_of(world, decks or [])
    if fix:
        from attn_study.cli.decks.fixing import fix_decks

        with world.open(write=True) as study:
            for line in fix_decks(study, files):
                world.print(line)
    lines, faults = check_decks(world, files)
    world.print("\n".join(lines))
    raise typer.Exit(1 if faults else 0)


@app.command()
def remove(ctx: typer.Context, deck: Deck) -> None:
    """Take a deck away; what you learned of it stays."""
    from attn_study.cli.decks.shelving import remove_deck

    world = ctx.obj
    with world.open(write=True) as study:
        world.print(remove_deck(study, study.deck(deck)))
