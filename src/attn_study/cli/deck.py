"""`attn-study deck`: list, add, edit, check and remove decks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from attn_study.cli.names import decks as deck_names

app = typer.Typer(
    add_completion=False,
    help="List, add, edit, check and remove decks.",
    rich_markup_mode=None,
    no_args_is_help=True,
)

Json = Annotated[bool, typer.Option("--json", help="One JSON object.")]
Deck = Annotated[str, typer.Argument(metavar="DECK", autocompletion=deck_names)]


@app.command("list")
def list_decks(ctx: typer.Context, json: Json = False) -> None:
    """Show every deck, what is due, and its file."""
    from attn_study.cli.shelving import deck_fields
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
) -> None:
    """Bring decks in from YAML files or a folder of them.

    A built-in deck that was put away comes back by its name.

    \b
    attn-study deck add week3.yaml --dry-run
    attn-study deck add ~/notes/decks --link
    """
    from attn_study.cli.shelving import add_decks, bring_back

    world = ctx.obj
    if source in world.settings.hidden and not Path(source).is_file():
        world.print(bring_back(world, source))
        return
    with world.open(write=not dry_run) as study:
        added = add_decks(study, Path(source), link=link, dry_run=dry_run, skip_bad=skip_bad)
        world.print(added)


@app.command()
def edit(ctx: typer.Context, deck: Deck) -> None:
    """Open a deck in $EDITOR and check it afterwards."""
    from attn_study.cli.editing import edit_deck

    world = ctx.obj
    with world.open(write=True) as study:
        world.print(edit_deck(study, study.deck(deck)))


@app.command()
def check(
    ctx: typer.Context,
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]...")] = None,
) -> None:
    """Say what is wrong in deck files, and where.

    Every deck there is by default. The exit code is 1 if there is a mistake.
    """
    from attn_study.cli.checking import check_decks

    world = ctx.obj
    lines, faults = check_decks(world, files or [])
    world.print("\n".join(lines))
    raise typer.Exit(1 if faults else 0)


@app.command()
def remove(ctx: typer.Context, deck: Deck) -> None:
    """Take a deck away; what you learned of it stays."""
    from attn_study.cli.shelving import remove_deck

    world = ctx.obj
    with world.open(write=True) as study:
        world.print(remove_deck(study, study.deck(deck)))
