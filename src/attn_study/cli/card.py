"""`attn-study card`: find, show, write, grade and put away single cards."""

from __future__ import annotations

from typing import Annotated

import typer

from attn_study.cli.names import cards as card_names
from attn_study.cli.names import decks as deck_names
from attn_study.errors import UserError

app = typer.Typer(
    add_completion=False,
    help="Find, show, add, edit, grade and put away cards.",
    rich_markup_mode=None,
    no_args_is_help=True,
)

Card = Annotated[str, typer.Argument(metavar="CARD", autocompletion=card_names)]
Cards = Annotated[list[str], typer.Argument(metavar="CARD...", autocompletion=card_names)]
Json = Annotated[bool, typer.Option("--json", help="One JSON object.")]


@app.command("list")
def list_cards(
    ctx: typer.Context,
    query: Annotated[list[str] | None, typer.Argument(metavar="[QUERY]...")] = None,
    json: Json = False,
) -> None:
    """Find cards; all parts of the query must fit.

    \b
    attn-study card list softmax mask
    attn-study card list deck:attention tag:heads
    attn-study card list is:due
    is: takes new, due, waiting, suspended, buried, flagged, leech
    """
    from attn_study.cli.reports import card_fields
    from attn_study.memory.search import parse, search
    from attn_study.render.cards import card_rows

    world = ctx.obj
    with world.open() as study:
        day = study.moment().day
        asked = parse(query or [])
        for deck in asked.decks:
            study.deck(deck)
        found = [(study.text(entry), state) for entry, state in search(study.log.conn, asked, day)]
        if json:
            world.json("card-list", cards=[card_fields(*pair, day) for pair in found])
        else:
            world.page(card_rows(found, day, world.columns))


@app.command()
def show(ctx: typer.Context, card: Card, json: Json = False) -> None:
    """Show a card: both sides, its standing, its history.

    \b
    attn-study card show attention/scaling
    """
    from attn_study.cli.reports import full_fields
    from attn_study.render.cards import card_page

    world = ctx.obj
    with world.open() as study:
        entry = study.card(card)
        if json:
            world.json("card", **full_fields(study, entry))
        else:
            columns = world.columns or 80
            past = study.history(entry, columns)
            text = study.text(entry)
            world.page(card_page(text, study.where(entry), past, columns, ascii=world.ascii))


@app.command()
def add(
    ctx: typer.Context,
    deck: Annotated[str, typer.Argument(autocompletion=deck_names)],
    front: str,
    back: str,
    tag: Annotated[list[str] | None, typer.Option(help="A tag; may be given again.")] = None,
) -> None:
    """Add a card to a deck of your own, made if need be.

    \b
    attn-study card add mine "Shape of the scores for n tokens?" "[n × n]"
    """
    from attn_study.cli.adding import add_card

    world = ctx.obj
    with world.open(write=True) as study:
        world.show(add_card(study, deck, front, back, tag or []))


@app.command()
def edit(ctx: typer.Context, card: Card) -> None:
    """Open a card in $EDITOR; progress stays.

    \b
    attn-study card edit attention/scaling
    """
    from attn_study.cli.decks.editing import edit_card, question_before_editing

    world = ctx.obj
    with world.open(write=True) as study:
        name = study.card(card).card
        question = question_before_editing(study, name)
        if not question or world.agrees(question):
            world.print(edit_card(study, name))


@app.command()
def grade(ctx: typer.Context, card: Card, grade: str) -> None:
    """Grade a card without a sitting.

    The grade is again, hard, good or easy, or q0 to q5 as SM-2 counts. A card that is not due
    is scheduled anew all the same.

    \b
    attn-study card grade attention/scaling good
    """
    from attn_study.cli.acting import grade_card
    from attn_study.cli.grades import parse_grade

    world = ctx.obj
    chosen = parse_grade(grade)
    with world.open(write=True) as study:
        world.print(grade_card(study, study.card(card), chosen))


@app.command()
def suspend(ctx: typer.Context, cards: Cards) -> None:
    """Put cards away until `card resume`."""
    _act(ctx, cards, "suspend")


@app.command()
def resume(ctx: typer.Context, cards: Cards) -> None:
    """Bring suspended cards back, with the due day they had."""
    _act(ctx, cards, "resume")


@app.command()
def bury(ctx: typer.Context, cards: Cards) -> None:
    """Let cards rest for today."""
    _act(ctx, cards, "bury")


@app.command()
def reset(ctx: typer.Context, cards: Cards) -> None:
    """Make cards new again; `undo` takes it back."""
    _act(ctx, cards, "reset")


def _act(ctx: typer.Context, cards: list[str], kind: str) -> None:
    from attn_study.cli.acting import act

    world = ctx.obj
    with world.open(write=True) as study:
        world.print(act(study, [study.card(card).card for card in cards], kind))


@app.command()
def adopt(ctx: typer.Context, old: str, new: Card) -> None:
    """Give a card the history of one that is gone.

    \b
    attn-study card adopt mine/~1a2b3c4d5e mine/scaling
    """
    from attn_study.cli.acting import adopt_card

    world = ctx.obj
    with world.open(write=True) as study:
        if study.catalogue.entry(old):
            raise UserError(f"{old} is still in its deck", hint="adopt takes a card that is gone")
        world.print(adopt_card(study, old, study.card(new).card))
