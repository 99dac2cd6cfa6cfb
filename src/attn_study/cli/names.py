"""Completion of deck, card and section names in the shell; silent when nothing can be said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.cli.world import World
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable

    from attn_study.cli.study import Study


def decks(incomplete: str) -> list[str]:
    """Return the decks that begin with what was typed."""
    return _matching(incomplete, lambda study: [deck.deck for deck in study.catalogue.decks()])


def cards(incomplete: str) -> list[str]:
    """Return the cards that begin with what was typed."""
    return _matching(incomplete, lambda study: study.catalogue.names())


def _matching(incomplete: str, names: Callable[[Study], list[str]]) -> list[str]:
    try:
        with World(quiet=True).open() as study:
            return [name for name in names(study) if name.startswith(incomplete)]
    except UserError:
        return []
