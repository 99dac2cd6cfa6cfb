"""The decks that a deck which is no file yet will stand beside, and what it does wrong there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attn_study.cli.decks.checking import Read
    from attn_study.cli.world import World
    from attn_study.deck.card import Deck
    from attn_study.deck.complaint import Complaint


@dataclass(slots=True)
class Neighbours:
    """The decks there are, and those that are `coming` with this one: they take their places.

    The files are read when they are wanted first.
    """

    world: World
    coming: list[Deck]
    _there: tuple[Read, ...] | None = None

    def faults(self, deck: Deck) -> list[Complaint]:
        """Return the mistakes of a deck that only show beside the others."""
        home = f"{deck.name}/"
        if all(full.startswith(home) for card in deck.cards for full in card.after):
            return []  # nothing in it waits for another deck, so no circle can go through it
        from attn_study.cli.decks.checking import unnamed
        from attn_study.deck.shelf import complaints

        coming = [_as_file(one) for one in self.coming]
        new = _as_file(deck)
        found = complaints([*unnamed(self._files(), [*coming, new]), *coming, new])
        return [one for one in found if one.card and one.path == deck.path and not one.warning]

    def _files(self) -> tuple[Read, ...]:
        if self._there is None:
            from attn_study.cli.decks.checking import deck_files
            from attn_study.deck.reader import read

            self._there = tuple((file, read(file.path)) for file in deck_files(self.world))
        return self._there


def _as_file(deck: Deck) -> Read:
    from attn_study.deck.library import DeckFile
    from attn_study.deck.reader import Reading

    return DeckFile(deck.path, "own", 0, 0), Reading(deck, ())
