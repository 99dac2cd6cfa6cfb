"""Opening a card in the learner's editor, at its line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.cli.mending import edit_file
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
    edit_file(study.world, path, study.text(before).line)
    _drop_same(source, path)
    study.refresh()
    after = study.catalogue.entry(card)
    faults = study.faults(path)[:1]
    if after is None:
        return "\n".join([f"{card} is no longer in its deck; its history stays", *faults])
    if replace(study.text(after), line=0) == replace(study.text(before), line=0):
        return "\n".join(["nothing changed", *faults])
    return "\n".join(["changed", *study.clear_report(card), *faults])


def edit_deck(study: Study, source: Source) -> str:
    """Let the learner edit a deck file; return what it holds then, or its mistakes."""
    from attn_study.cli.checking import check_decks

    path = Path(source.path)
    if source.origin == BUILT_IN:
        if not study.world.agrees(_offer_of_copy(study, source)):
            return "nothing changed"
        path = copy_of_built_in(study, source)
    edit_file(study.world, path, 1)
    if _drop_same(source, path):
        study.refresh()
        return "nothing changed"
    study.refresh()
    lines, faults = check_decks(study.world, [path], study)
    return "\n".join([*lines, *([f"{path}: kept as you left it"] if faults else [])])


def _drop_same(source: Source, path: Path) -> bool:
    """Take a copy of a built-in deck away that says the same: it would only stand in the way."""
    is_copy = source.origin == BUILT_IN and path.exists()
    if not is_copy or load_bytes(path) != load_bytes(Path(source.path)):
        return False
    path.unlink()
    return True


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
