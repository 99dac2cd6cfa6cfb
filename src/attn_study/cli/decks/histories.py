"""Cards that are gone and have a history, and what a learner can write to keep it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.deck.standing import alike
from attn_study.heirs import heirs, offer
from attn_study.memory.logged import decks_of, known
from attn_study.wording import cards, counted

if TYPE_CHECKING:
    from collections.abc import Collection

    from attn_study.cli.study import Study
    from attn_study.deck.card import Deck

MOST_NAMED = 8  # cards without a successor, in one line
EITHER_WAY = "the same id brings it back, `attn-study card adopt OLD NEW` gives it to another card"


def history_notes(study: Study, deck: Deck, others: Collection[Deck]) -> list[str]:
    """Return lines on what is in the log and would count for no card, once `deck` stands.

    `others` are all decks there are; what one of them has, or says it had formerly, is not lost.
    """
    here = {card.id for card in deck.cards}
    lost = known(study.log.conn, deck.name) - here
    followed = heirs(study.catalogue, deck)
    lines = [offer(old, new) for old, new in sorted(followed.items())]
    rest = sorted(lost - followed.keys())
    if rest:
        lines += [_told(rest)]
    return [*lines, *_renamed(study, deck, others)]


def ways_on(study: Study, deck: Deck, others: Collection[Deck]) -> list[str]:
    """Return those of the lines that name what to write, for the cards where that is known."""
    followed = heirs(study.catalogue, deck)
    offers = [offer(old, new) for old, new in sorted(followed.items())]
    return [*offers, *_renamed(study, deck, others)]


def _told(lost: list[str]) -> str:
    named = ", ".join(lost[:MOST_NAMED])
    more = len(lost) - MOST_NAMED
    left_out = f" and {more} more" if more > 0 else ""
    what = counted(len(lost), "card(|s) with a history (is|are) in no deck now")
    return f"{what}: {named}{left_out}; {EITHER_WAY}"


def _renamed(study: Study, deck: Deck, others: Collection[Deck]) -> list[str]:
    """The line that lets the deck keep the progress of one that is gone and had the same cards."""
    from attn_study.deck.quoting import listed

    conn = study.log.conn
    spoken_for = {alike(name) for one in (deck, *others) for name in (one.name, *one.formerly)}
    spoken_for |= {alike(name) for name in study.world.settings.hidden}
    fresh = {card.id for card in deck.cards} - known(conn, deck.name)
    names = {card.partition("/")[2] for card in fresh}
    best: tuple[int, str, int] = (0, "", 0)
    for former in decks_of(conn):
        if alike(former) in spoken_for:
            continue
        theirs = {card.partition("/")[2] for card in known(conn, former)}
        shared = len(theirs & names)
        if 2 * shared >= len(theirs) and shared > best[0]:
            best = shared, former, len(theirs)
    shared, former, all_of_them = best
    if not shared:
        return []
    line = f"formerly: {listed([*deck.formerly, former])}"
    what = f"the deck {former!r} is gone, and the ids of {shared} of its "
    what += f"{cards(all_of_them)} with a history are here; "
    where = "in the place of its `formerly`" if deck.formerly else f"under `deck: {deck.name}`"
    return [f"{what}if it was renamed, write {where}:\n    {line}"]
