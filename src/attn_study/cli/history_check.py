"""Cards that are gone and have a history, and what a learner can write to keep it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.deck.standing import alike
from attn_study.memory.renaming import decks_of
from attn_study.memory.vanished import known, vanished
from attn_study.refresh import offer
from attn_study.wording import cards

if TYPE_CHECKING:
    from collections.abc import Collection

    from attn_study.cli.study import Study
    from attn_study.deck.card import Card, Deck

MOST_NAMED = 8  # cards without a successor, in one line


def history_notes(study: Study, deck: Deck, others: Collection[Deck]) -> list[str]:
    """Return lines on what is in the log and would count for no card, once `deck` stands.

    `others` are all decks there are; what one of them has, or says it had formerly, is not lost.
    """
    here = {card.id for card in deck.cards}
    lost = known(study.log.conn, deck.name) - here
    heirs = _heirs(study, deck, lost)
    lines = [offer(old, new) for old, new in sorted(heirs.items())]
    rest = sorted(lost - heirs.keys())
    if rest:
        lines += [_told(rest)]
    return [*lines, *_renamed(study, deck, others)]


def _told(lost: list[str]) -> str:
    named = ", ".join(lost[:MOST_NAMED])
    more = len(lost) - MOST_NAMED
    left_out = f" and {more} more" if more > 0 else ""
    are = "is" if len(lost) == 1 else "are"
    return (
        f"{cards(len(lost))} with a history {are} in no deck now: {named}{left_out}; "
        "the same id brings it back, `attn-study card adopt OLD NEW` gives it to another card"
    )


def _heirs(study: Study, deck: Deck, lost: set[str]) -> dict[str, str]:
    """The likely successor of each lost card that has one."""
    from attn_study.deck.card import Card
    from attn_study.deck.successor import successors

    gone = vanished(study.log.conn, deck.name)
    learned = known(study.log.conn, deck.name)
    there = {card.id: card for card in deck.cards}
    unseen = [card for name, card in there.items() if name not in learned]
    found = {
        **{name: gone[name].heir for name in lost if name in gone and gone[name].heir in there},
        **_same_notes(lost, unseen),
        **_same_fronts(deck, lost, {card.id for card in unseen}),
    }
    texts = study.catalogue.texts(deck.name) | {name: one.text for name, one in gone.items()}
    former = [Card.from_json(texts[name]) for name in lost - found.keys() if name in texts]
    taken = {*learned, *found.values()}
    fresh = [card for name, card in there.items() if name not in taken]
    return found | dict(successors(former, fresh))


def _same_notes(lost: set[str], fresh: list[Card]) -> dict[str, str]:
    """Cards whose note is there, but makes one other card now: its kind was changed."""
    made: dict[str, list[str]] = {}
    for card in fresh:
        made.setdefault(card.stem, []).append(card.id)
    gone: dict[str, list[str]] = {}
    for name in lost:
        gone.setdefault(name.partition(":")[0], []).append(name)
    return {
        old[0]: made[stem][0]
        for stem, old in gone.items()
        if len(old) == 1 == len(made.get(stem, ()))
    }


def _same_fronts(deck: Deck, lost: set[str], unseen: set[str]) -> dict[str, str]:
    """Cards that were given an id since: the old one is told by the front, which is the same."""
    from attn_study.deck.note import automatic_id

    given = {f"{deck.name}/{automatic_id(note.asked)}": note.id for note in deck.notes}
    pairs = ((name, *name.partition(":")) for name in lost)
    heirs = {name: given[stem] + colon + part for name, stem, colon, part in pairs if stem in given}
    return {old: new for old, new in heirs.items() if new in unseen}


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
