"""A new deck among the learner's own, and the JSON Schema that editors check it by."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from attn_study.deck.standing import alike
from attn_study.errors import UserError
from attn_study.files import alone, load_bytes, write, write_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.cli.study import Study
    from attn_study.places import Home


def new_deck(study: Study, wanted: str) -> str:
    """Write a deck to start from; return where it is and what to type next.

    Raises UserError, with nothing written, for a name that no deck can have or one that is taken.
    """
    from attn_study.deck.shape import FILE
    from attn_study.deck.template import checked_name, template

    name = checked_name(wanted)
    home = study.world.home
    path = home.decks / f"{name}.yaml"
    with alone(home.decks):  # two new decks of one name must not overwrite one another
        _refuse_taken(study, name, path)
        keep_schema(home)
        write(path, template(name, f"../{FILE}"))
    study.refresh()
    return f"made {path}\n  attn-study deck edit {name}"


def _refuse_taken(study: Study, name: str, path: Path) -> None:
    sources = study.catalogue.sources()
    for source in sources:
        if alike(source.deck) == alike(name):
            raise UserError(
                f"there is a deck {source.deck!r} already",
                where=source.path,
                hint="choose another name; two names must differ in more than case",
            )
    # A name too long for the disk is refused by writing, not by looking
    if os.path.lexists(path):
        raise UserError(
            "this file is in the way of the new deck", where=str(path), hint="choose another name"
        )


def keep_schema(home: Home) -> None:
    """Put the JSON Schema beside the decks folder, unless it is there as it should be."""
    from attn_study.deck.shape import FILE, schema_text

    path, data = home.root / FILE, schema_text().encode()
    if not path.exists() or load_bytes(path) != data:
        write_bytes(path, data)
