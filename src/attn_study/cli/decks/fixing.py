"""Writing missing ids into the learner's deck files, and letting progress go along."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.memory.event import Draft
from attn_study.memory.logged import known, used
from attn_study.refresh import BUILT_IN
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attn_study.cli.study import Study
    from attn_study.deck.card import Deck
    from attn_study.deck.fixing import Fixed


def fix_decks(study: Study, paths: list[Path]) -> Iterator[str]:
    """Write the missing ids of these files, or of every deck of the learner's own.

    Yields a line for each file and each card that was left alone. Raises UserError for a deck that
    came with the program, before any file is changed.
    """
    shipped = _shipped()
    for path in paths:
        if path.resolve().is_relative_to(shipped):
            what = "this deck came with the program and is not written to"
            raise UserError(what, where=str(path))
    sources = study.catalogue.sources()
    own = [Path(source.path) for source in sources if source.origin != BUILT_IN]
    for path in paths or own:
        yield from _fix(study, path)
    study.refresh()


def _shipped() -> Path:
    from attn_study.deck.library import decks_dir

    return decks_dir().resolve()


def _fix(study: Study, path: Path) -> list[str]:
    """Change one file and the log; return what is to be said of it."""
    from attn_study.deck.fixing import read_text, with_ids
    from attn_study.files import load

    try:
        text = load(path)
    except UserError as error:
        return [_left(path, 0, error.what)]
    before = read_text(text, path)
    if before is None:
        return []
    deck = before.deck
    taken = {_name(card) for card in used(study.log.conn, deck.name)}
    fixed = with_ids(before, taken, _named(study, deck))
    lines = [_left(path, line, why) for line, why in fixed.left]
    if fixed.ids:
        moved = _write(study, deck, text, fixed)
        lines.append(f"{path}: {counted(len(fixed.ids), 'id(|s)')} written{_said(moved)}")
    return lines


def _write(study: Study, deck: Deck, text: str, fixed: Fixed) -> list[tuple[str, str]]:
    """Change file and log together; return the cards that took their history along.

    A crash between the two leaves an offer to adopt. Raises UserError when the file does not hold
    `text` any more.
    """
    from attn_study.files import alone, load, write

    now, path = study.moment(), deck.path
    # Nobody else may write to the file meanwhile
    with alone(study.world.home.decks), study.log.writing():
        if load(path) != text:
            raise UserError("changed at this very moment", where=str(path), hint="try again")
        moved = _moved(study, deck, fixed)
        study.log.add([(Draft(new, "adopt", data={"former": old}), now) for old, new in moved])
        write(path, fixed.text)  # last: when it fails, no row lasts
    return moved


def _left(path: Path, line: int, why: str) -> str:
    where = f"{path}:{line}" if line else str(path)
    return f"{where}: no id written, {why}"


def _said(moved: list[tuple[str, str]]) -> str:
    if not moved:
        return ""
    return "; " + counted(len(moved), "card(|s) with a history keep(s|) (its|their) progress")


def _name(card: str) -> str:
    return card.partition("/")[2].partition(":")[0]


def _named(study: Study, deck: Deck) -> set[str]:
    """The names of cards of this deck that any card waits for."""
    waiting = study.catalogue.waiting().values()
    return {_name(full) for after in waiting for full in after if full.startswith(f"{deck.name}/")}


def _moved(study: Study, deck: Deck, fixed: Fixed) -> list[tuple[str, str]]:
    """Cards with a history, as they were and as they will be called.

    Only the file that stands for the deck has that history.
    """
    stands = next((one for one in study.catalogue.decks() if one.deck == deck.name), None)
    if stands is None or Path(stands.path).resolve() != deck.path.resolve():
        return []
    new_names: dict[str, str] = {}
    for old, new in fixed.ids:
        new_names.setdefault(old, new)
    return [
        (card, f"{deck.name}/{new_names[name]}{card[len(deck.name) + 1 + len(name) :]}")
        for card in sorted(known(study.log.conn, deck.name))
        if (name := _name(card)) in new_names
    ]
