"""Opening a card in the learner's editor, at its line."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.cli.acting import offer_histories
from attn_study.cli.decks.mending import edit_file
from attn_study.errors import UserError
from attn_study.files import load_bytes, write_bytes
from attn_study.refresh import BUILT_IN

if TYPE_CHECKING:
    from attn_study.cli.study import Study
    from attn_study.memory.catalogue import Source


def question_before_editing(study: Study, card: str) -> str:
    """Return what to ask before the card can be edited: built-in decks are copied first."""
    source = _source(study, card)
    return _offer_of_copy(study, source) if source.origin == BUILT_IN else ""


def _offer_of_copy(study: Study, source: Source) -> str:
    return (
        f"The deck {source.deck} came with the program. Make a copy of your own to edit? "
        f"Progress stays. It will be {study.world.home.decks / Path(source.path).name}"
    )


def edit_card(study: Study, card: str) -> str:
    """Let the learner edit the card and bring the catalogue up to date; return words to say.

    A card of a built-in deck is edited in a copy of that deck. A report on the card is cleared
    when its text changed.
    """
    source = _source(study, card)
    if source.origin == BUILT_IN:
        copy_of_built_in(study, source)
    before = study.card(card)
    path = Path(before.path)
    remarks = _edited(study, source, path, study.text(before).line)
    remarks += study.faults(path)[:1]
    after = study.catalogue.entry(study.log.canonical(card))
    if after is None:
        return "\n".join([f"{card} is no longer in its deck; its history stays", *remarks])
    if replace(study.text(after), line=0) == replace(study.text(before), line=0):
        return "\n".join(["nothing changed", *remarks])
    return "\n".join(["changed", *study.clear_report(after.card), *remarks])


def edit_deck(study: Study, source: Source) -> str:
    """Let the learner edit a deck file; return what it holds then, or its mistakes."""
    from attn_study.cli.decks.checking import check_decks

    path = Path(source.path)
    if source.origin == BUILT_IN:
        if not study.world.agrees(_offer_of_copy(study, source)):
            return "nothing changed"
        path = copy_of_built_in(study, source)
    remarks = _edited(study, source, path, None)
    if source.origin == BUILT_IN and not path.exists():
        return "\n".join(["nothing changed", *remarks])
    lines, faults = check_decks(study.world, [path], study)
    kept = [f"{path}: kept as you left it"] if faults else []
    return "\n".join([*lines, *kept, *remarks])


def _edited(study: Study, source: Source, path: Path, line: int | None) -> list[str]:
    """Let the learner edit a deck file, take in what they left, and ask which card is which.

    Without a `line` the whole deck is meant. Returns what they must know of cards that were put
    into the file meanwhile.
    """
    before = study.catalogue.texts(source.deck)
    edit_file(study.world, path, line or 1, whole=line is None)
    meanwhile = study.catalogue.texts(source.deck)  # as another command left it
    _drop_same(source, path)
    study.refresh()
    offer_histories(study)
    there = before.keys() | study.catalogue.texts(source.deck).keys()
    lost = [meanwhile[name] for name in sorted(meanwhile.keys() - there)]
    return [line for text in lost for line in _overwritten(path, text)]


def _overwritten(path: Path, text: str) -> list[str]:
    """Say how to add a card again that the editor, which did not know of it, has overwritten."""
    from attn_study.deck.card import Card
    from attn_study.deck.quoting import scalar

    card = Card.from_json(text)
    left = load_bytes(path).decode("utf-8", "replace") if path.exists() else ""
    if f"id: {scalar(card.name, 0)}" in (line.strip(" -") for line in left.splitlines()):
        return []  # it is there, with a mistake
    words = shlex.join(["attn-study", "card", "add", card.deck, card.front, card.back])
    what = f"{card.id} was added while the editor was open, and what it wrote is without it"
    return [f"{what}; to have it again:", f"  {words}"]


def _drop_same(source: Source, path: Path) -> None:
    """Take a copy of a built-in deck away that says the same: it would only stand in the way."""
    is_copy = source.origin == BUILT_IN and path.exists()
    if is_copy and load_bytes(path) == load_bytes(Path(source.path)):
        path.unlink()


def copy_of_built_in(study: Study, source: Source) -> Path:
    """Put a copy of a built-in deck among the learner's own, which then stands in its place."""
    target = study.world.home.decks / Path(source.path).name
    if target.exists():
        raise UserError("this file is in the way of the copy", where=str(target))
    write_bytes(target, load_bytes(Path(source.path)))
    for notice in study.refresh():
        study.world.say(notice)
    return target


def _source(study: Study, card: str) -> Source:
    return study.deck(study.card(card).deck)
