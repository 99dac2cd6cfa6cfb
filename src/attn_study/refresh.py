"""Keeping the catalogue in step with the deck files: only what changed is read."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from attn_study.deck.library import DeckFile, digest, files
from attn_study.deck.standing import alike, standing
from attn_study.errors import UserError
from attn_study.memory.attached import in_memory, writing
from attn_study.memory.catalogue import Catalogue, Entry, Source
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from attn_study.deck.card import Deck


BUILT_IN, OWN = "built-in", "own"
ONE_OF_TWO = "delete one of the two, or give it another name under `deck:`"
NOTHING_READY: Mapping[str, Deck] = {}


class _Found(NamedTuple):
    """A deck file as it is now; `deck` is filled when the file was read for this."""

    source: Source
    deck: Deck | None = None


def refresh(
    conn: sqlite3.Connection,
    own: Path,
    linked: Sequence[str],
    hidden: Sequence[str],
    ready: Mapping[str, Deck] = NOTHING_READY,
) -> list[str]:
    """Bring the catalogue attached to `conn` up to date; return notices for the learner.

    `own` is the learner's decks folder, `linked` files and folders elsewhere, `hidden` the names
    of decks put away. When another process holds the catalogue, one in memory is
    filled instead, so that reading never waits. `ready` holds decks without a mistake that were
    read already, by the digests of their files: those are not read again.
    """
    catalogue = Catalogue(conn)
    present = [file for file in files(own, [Path(path) for path in linked]) if _is_text(file.path)]
    try:
        if not catalogue.mend_hints():
            in_memory(conn)
        moved = _update(catalogue, present, frozenset(hidden), ready)
    except sqlite3.DatabaseError:  # held by another process, damaged, or files moved meanwhile
        in_memory(conn)
        moved = _update(catalogue, present, frozenset(hidden), ready)
    return [*_notices(catalogue.sources()), *moved]


def _is_text(path: Path) -> bool:
    """Return whether a path can be written down: a name in an unknown encoding cannot."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _update(
    catalogue: Catalogue,
    present: list[DeckFile],
    hidden: frozenset[str],
    ready: Mapping[str, Deck],
) -> list[str]:
    """Write what changed; return an offer for each card that has become another, and a notice
    for each deck whose former name another still bears.
    """
    known = {source.path: source for source in catalogue.sources()}
    found = [
        _look(file, place, known.get(str(file.path)), ready) for place, file in enumerate(present)
    ]
    settled = _settle(found, hidden)
    gone = known.keys() - {item.source.path for item in settled}
    changed = [item for item in settled if known.get(item.source.path) != item.source]
    if not gone and not changed:
        return []
    from attn_study.heirs import offer
    from attn_study.memory.vanished import keep, settle, waiting

    offered = set(waiting(catalogue.conn))
    followers = _followers(catalogue, changed)
    with writing(catalogue.conn):
        keep(catalogue.conn, [*gone, *(item.source.path for item in changed)])
        for path in gone:
            catalogue.forget(path)
        for item in changed:  # all of them first: a card may have moved from file to file
            if item.deck or not item.source.active:
                catalogue.drop_cards(item.source.path)
        for item in changed:
            _store(catalogue, item, known.get(item.source.path))
        settle(catalogue.conn, followers)
        _break_circles(catalogue)
    offers = [offer(*pair) for pair in followers.items() if pair not in offered]
    return [*offers, *_kept_apart(catalogue, [item.source for item in changed if item.deck])]


def _followers(catalogue: Catalogue, changed: Sequence[_Found]) -> dict[str, str]:
    """Pair the cards that go with those that follow them, in decks that were read and count."""
    from attn_study.heirs import heirs

    found: dict[str, str] = {}
    for item in changed:
        if item.deck and item.source.active:
            found |= heirs(catalogue, item.deck)
    return found


def _kept_apart(catalogue: Catalogue, read: Sequence[Source]) -> list[str]:
    """Say of decks just read which of their cards stand under a former name as well."""
    names = {alike(source.deck): source.deck for source in catalogue.decks()}
    pairs = dict.fromkeys(
        (source.deck, names[alike(former)])
        for source in read
        if source.active
        for former in source.formerly
        if names.get(alike(former), source.deck) != source.deck
    )
    return [
        f"{deck} says it was {former} formerly, but {former} is still there: the cards that both "
        "have keep their progress there"
        for deck, former in pairs
        if _card_names(catalogue, deck) & _card_names(catalogue, former)
    ]


def _card_names(catalogue: Catalogue, deck: str) -> set[str]:
    return {card.partition("/")[2] for card in catalogue.texts(deck)}


def _look(file: DeckFile, place: int, before: Source | None, ready: Mapping[str, Deck]) -> _Found:
    """Return the file as it is; it is read only if its size or time and its content changed."""
    if before and (before.size, before.mtime) == (file.size, file.mtime_ns):
        return _Found(before._replace(place=place, origin=file.origin))
    now = _content(file)
    if before and before.digest == now:
        return _Found(
            before._replace(place=place, origin=file.origin, size=file.size, mtime=file.mtime_ns)
        )
    return _read(file, place, now, ready.get(now))


def _content(file: DeckFile) -> str:
    try:
        return digest(file.path)
    except UserError:
        return ""  # reading it will say why


def _read(file: DeckFile, place: int, content: str, ready: Deck | None) -> _Found:
    from attn_study.deck.reader import Reading, read

    reading = Reading(ready, ()) if ready else read(file.path)
    deck = reading.deck
    return _Found(
        Source(
            path=str(file.path),
            place=place,
            origin=file.origin,
            size=file.size,
            mtime=file.mtime_ns,
            digest=content,
            deck=deck.name if deck else "",
            title=deck.title if deck else "",
            cards=len(deck.cards) if deck else 0,
            complaints=tuple(str(one) for one in reading.complaints if not one.warning),
            formerly=deck.formerly if deck else (),
        ),
        deck,
    )


def _settle(found: list[_Found], hidden: frozenset[str]) -> list[_Found]:
    """Mark the files that stand for their deck's name; a deck put away stands nowhere.

    A learner's copy of a built-in deck is studied where that one was.
    """
    claims = [
        source
        for source in (item.source for item in found)
        if source.deck and (source.origin == OWN or source.deck not in hidden)
    ]
    holders = standing((source.origin, source.deck) for source in claims).values()
    paths = {claims[at].path for at in holders}
    copied = {one.deck: one for one in claims if one.origin == BUILT_IN and one.path not in paths}
    copies = {one.deck: one for one in claims if one.path in paths and one.deck in copied}
    places = {copied[deck].path: copy.place for deck, copy in copies.items()}
    places |= {copy.path: copied[deck].place for deck, copy in copies.items()}
    return [item._replace(source=_placed(item.source, paths, places)) for item in found]


def _placed(source: Source, active: Collection[str], places: Mapping[str, int]) -> Source:
    place = places.get(source.path, source.place)
    return source._replace(active=source.path in active, place=place)


def _store(catalogue: Catalogue, item: _Found, before: Source | None) -> None:
    """Write what is known of a file; its cards only when the file or its standing changed."""
    source = item.source
    catalogue.put(source)
    if not source.active:
        return
    if item.deck:
        catalogue.fill(source.path, entries(item.deck))
    elif before and not before.active:
        from attn_study.deck.reader import read

        deck = read(Path(source.path)).deck
        catalogue.fill(source.path, entries(deck) if deck else ())


def entries(deck: Deck) -> list[Entry]:
    """Return the cards of a deck as the catalogue keeps them."""
    return [
        Entry(
            card=card.id,
            note=card.stem,
            deck=deck.name,
            section=card.section,
            position=position,
            kind=card.kind,
            tags=card.tags,
            after=card.after,
            text=card.to_json(),
        )
        for position, card in enumerate(deck.cards)
    ]


def _break_circles(catalogue: Catalogue) -> None:
    """Let no card wait for itself by way of other decks; `deck check` reports such circles."""
    from attn_study.deck.order import cycles

    closing: dict[str, list[str]] = {}
    for names in cycles(catalogue.waiting()):
        closing.setdefault(names[-1], []).append(names[0])
    for card, others in closing.items():
        catalogue.let_go(card, *others)


def _notices(sources: list[Source]) -> list[str]:
    """Return one line for each file that wants the learner's attention."""
    active = {alike(source.deck): source for source in sources if source.active}
    notices = []
    for source in sources:
        if source.complaints:
            faults = counted(len(source.complaints), "mistake(|s)")
            notices.append(f"{source.path}: {faults}; `attn-study deck check` shows them")
        if source.deck and not source.active and source.origin != BUILT_IN:
            other = active.get(alike(source.deck))
            if other:
                what = f"not used, {other.path} holds {source.deck!r} too"
                notices.append(f"{source.path}: {what}; {ONE_OF_TWO}")
    return notices
