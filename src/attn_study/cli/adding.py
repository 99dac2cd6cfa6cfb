"""Adding one card to a deck file of the learner's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.errors import UserError
from attn_study.memory.database import transaction
from attn_study.refresh import BUILT_IN
from attn_study.render.text import safe

if TYPE_CHECKING:
    from attn_study.cli.study import Study
    from attn_study.deck.reader import Reading


def add_card(study: Study, deck: str, front: str, back: str, tags: list[str]) -> list[Text]:
    """Append the card to the deck's file, made if need be; return the lines to show.

    Raises UserError, with no file changed, when the result would not be a sound deck.
    """
    from attn_study.deck.reader import parse
    from attn_study.deck.slug import make_id
    from attn_study.deck.writer import append, new
    from attn_study.files import load, write

    path = _file_of(study, deck)
    with transaction(study.log.conn):  # two cards added at once must not overwrite one another
        is_made = not path.exists()
        text = new(deck, deck) if is_made else load(path)
        found = parse(text, path)
        taken = [card.id for card in found.deck.cards] if found.deck else []
        name = make_id(front, taken)
        fields: dict[str, str | list[str]] = {"id": name, "front": front, "back": back}
        changed = append(text, fields | ({"tags": tags} if tags else {}))
        known = 0 if is_made else len(found.complaints)
        _refuse_faults(parse(changed, path), known, deck, path)
        write(path, changed)
    study.refresh()
    made = f"   made a deck: {safe(str(path))}" if is_made else ""
    return [Text(f"{safe(deck)}/{name}{made}")]


def _refuse_faults(after: Reading, known: int, deck: str, path: Path) -> None:
    """Refuse a card that adds to the `known` faults, and a file that holds another deck."""
    if len(after.complaints) > known:
        fault = after.complaints[-1]
        raise UserError(fault.what, where=deck, hint=fault.hint)
    if after.deck is None or after.deck.name != deck:
        name = after.deck.name if after.deck else ""
        raise UserError(f"this file holds the deck {name!r}, not {deck!r}", where=str(path))


def _file_of(study: Study, deck: str) -> Path:
    decks = {source.deck: source for source in study.catalogue.decks()}
    alike = [name for name in decks if name.casefold() == deck.casefold()]
    if deck not in decks and alike:
        raise UserError(f"there is a deck {alike[0]!r}", hint="names must differ in more than case")
    if deck not in decks:
        return study.world.home.decks / f"{deck}.yaml"
    source = decks[deck]
    if source.origin == BUILT_IN:
        raise UserError(
            f"the deck {deck!r} came with the program and is not written to",
            hint="give a deck of your own, such as `mine`",
        )
    return Path(source.path)
