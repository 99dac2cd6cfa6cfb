"""The learner's study, open: the log, the catalogue, and what the day allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.errors import UserError, near
from attn_study.memory.event import Draft
from attn_study.memory.limits import Limit, Limits
from attn_study.memory.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date
    from pathlib import Path

    from rich.text import Text

    from attn_study.cli.world import World
    from attn_study.deck.card import Card, Deck
    from attn_study.memory.catalogue import Catalogue, Entry, Source
    from attn_study.memory.day import Moment
    from attn_study.memory.log import Log
    from attn_study.memory.overview import Counts
    from attn_study.render.today import Glance


@dataclass(frozen=True, slots=True)
class Study:
    """What a command needs of the learner's data."""

    world: World
    log: Log
    catalogue: Catalogue

    def moment(self) -> Moment:
        """Return now, with its study day."""
        return self.log.moment(self.world.clock(), self.world.settings.rollover)

    def limits(self, new: int | None = None) -> Limits:
        """Return the limits of a study day; `new` replaces those on new cards."""
        settings = self.world.settings
        total = Limit(settings.new if new is None else new, settings.reviews)
        decks = {
            deck: Limit(
                limits.get("new", total.new) if new is None else new,
                limits.get("reviews", total.reviews),
            )
            for deck, limits in settings.deck.items()
        }
        return Limits(total, decks)

    def scope(self, decks: list[str], section: str = "", tag: str = "") -> Scope:
        """Return the scope that names mean; raises UserError with near names for unknown ones."""
        for deck in decks:
            self.deck(deck)
        return Scope(
            tuple(dict.fromkeys(decks)),
            self._one_of("section", section, "SELECT DISTINCT section FROM cache.card"),
            self._one_of(
                "tag", tag, "SELECT DISTINCT value FROM cache.card, json_each(cache.card.tags)"
            ),
        )

    def _one_of(self, sort: str, name: str, query: str) -> str:
        if not name:
            return ""
        known = [row[0] for row in self.log.conn.execute(query) if row[0]]
        alike = [item for item in known if name.casefold() in item.casefold()]
        for matching in ([name] if name in known else [], alike):
            if len(matching) == 1:
                return str(matching[0])
        hint = near(name, known) or f"one of: {', '.join(known)}"
        raise UserError(f"no {sort} is called {name!r}", hint=hint)

    def deck(self, name: str) -> Source:
        """Return the deck called `name`; raises UserError with near names when there is none."""
        decks = {source.deck: source for source in self.catalogue.decks()}
        if name not in decks:
            raise UserError(f"no deck is called {name!r}", hint=near(name, decks))
        return decks[name]

    def card(self, name: str) -> Entry:
        """Return the card called `name`: `deck/card`, or `card` alone where one deck has it.

        Raises UserError with near names when there is none, or several.
        """
        entry = self.catalogue.entry(name)
        if entry is not None:
            return entry
        ids = self.catalogue.names()
        same = [card for card in ids if card.partition("/")[2] == name]
        if len(same) == 1:
            found = self.catalogue.entry(same[0])
            if found is not None:
                return found
        if same:
            raise UserError(f"several cards are called {name!r}", hint=", ".join(same))
        hint = near(name, ids) or near(name, [card.partition("/")[2] for card in ids])
        raise UserError(f"no card is called {name!r}", hint=hint)

    def text(self, entry: Entry) -> Card:
        """Return what a card says."""
        from attn_study.deck.card import Card

        return Card.from_json(entry.text)

    def where(self, entry: Entry) -> str:
        """Return the place of a card in its file."""
        return f"{entry.path}:{self.text(entry).line}"

    def history(self, entry: Entry, columns: int) -> list[Text]:
        """Return what the log knows of a card, as lines."""
        from attn_study.render.history import history

        card = entry.card
        return history(card, self.log.state(card), self.log.past(card), columns)

    def faults(self, path: Path) -> tuple[str, ...]:
        """Return the mistakes in a deck file, as they were found when it was last read."""
        found = (source for source in self.catalogue.sources() if source.path == str(path))
        return next((source.complaints for source in found), ())

    def refresh(self, ready: Mapping[str, Deck] | None = None) -> list[str]:
        """Take in what changed in the deck files; return notices for the learner.

        `ready` holds decks that were read already, as for `refresh.refresh`.
        """
        from attn_study.refresh import refresh

        settings = self.world.settings
        own = self.world.home.decks
        return refresh(self.log.conn, own, settings.linked, settings.hidden, ready or {})

    def keep_renamed(self) -> list[str]:
        """Let every deck that was renamed have its progress; return notices for the learner."""
        if not self._names_former_decks:
            return []
        from attn_study.renamed import keep_renamed

        return keep_renamed(self.log, self.catalogue, self.moment())

    def behind(self) -> list[str]:
        """Return notices on decks that were renamed and have yet to be given their progress."""
        if not self._names_former_decks:
            return []
        from attn_study.renamed import waiting

        return waiting(self.log, self.catalogue)

    @property
    def _names_former_decks(self) -> bool:
        return any(source.formerly for source in self.catalogue.decks())

    def clear_report(self, card: str) -> list[str]:
        """Clear the learner's report on a card, if there is one; return words to say."""
        if not self.log.state(card).flag:
            return []
        self.log.write([Draft(card, "unflag")], self.moment())
        return ["its report is cleared"]

    def glance(self, day: date, total: Counts, decks: Mapping[str, Counts]) -> Glance:
        """Return what `attn-study today` shows."""
        from attn_study.render.today import Glance

        settings = self.world.settings
        studied_before = self.log.has_begun()
        return Glance(
            day=day,
            total=total,
            decks=decks,
            sections=() if studied_before else self.catalogue.sections(),
            new_a_day=settings.new,
            reviews_a_day=settings.reviews,
            studied_before=studied_before,
            kept_in=str(self.world.home.study),
        )
