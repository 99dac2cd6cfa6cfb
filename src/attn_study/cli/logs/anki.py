"""The answers that Anki keeps, from a package or from the collection itself."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from attn_study.cli.logs.answers import NAMED, Answer, Answers, seconds
from attn_study.cli.logs.faults import Fault
from attn_study.cli.logs.instants import NEVER, instant
from attn_study.deck.binder import as_name
from attn_study.deck.formats import File
from attn_study.deck.formats.anki.archive import collection as unpacked
from attn_study.deck.formats.anki.collection import read_collection
from attn_study.deck.formats.anki.guid import PREFIX, name_of
from attn_study.deck.formats.anki.history import CRAMMED, GRADES
from attn_study.deck.formats.anki.levels import apart
from attn_study.deck.formats.anki.notes import read_note
from attn_study.memory.exchange.foreign import CARD
from attn_study.memory.sm2 import Grade
from attn_study.wording import all_counted

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.deck.formats.anki.collection import CardRow, Collection, NoteRow

SET = "row(|s) that Anki wrote without an answer"
LOST = "answer(|s) of cards that are no longer in Anki, filed under the number(|s) Anki gave them"


def read_anki(path: Path, deck: str, otherwise: str) -> Answers:
    """Read the answers to Anki's cards, under the ids that `deck add` gives those cards.

    Cards are filed under `deck`, or where that is empty under the deck they are in, else under
    `otherwise`; those that were written by us keep the ids they had. Learning, reviews and
    relearning count as reviews; what was answered in a filtered deck that does not schedule is
    drill. Raises UserError for what is no collection.
    """
    from attn_study.cli.decks.foreign import loaded

    file = File(path, loaded(path))
    packed = file.data.startswith(b"PK")
    data = unpacked(file) if packed else bytearray(file.data)
    found = read_collection(file, data, reviews=True)
    ids = _ids(found, deck, otherwise)
    lost = f"{deck or otherwise}/anki-card-"
    answers: list[Answer] = []
    faults = [Fault(0, f"{NAMED} {number}: {why}") for number, why in found.unread]
    odd: Counter[str] = Counter()
    for row in found.reviews:
        if row.ease not in GRADES or not 0 <= row.type <= CRAMMED:
            odd[SET] += 1
            continue
        at = instant(row.id)
        if at is None:
            faults.append(Fault(0, f"{NAMED} {row.id}: {NEVER}"))
            continue
        odd[LOST] += row.card not in ids
        answers.append(
            Answer(
                card=ids.get(row.card) or f"{lost}{row.card}",
                at=at,
                grade=Grade(GRADES[row.ease]),
                seconds=seconds(max(row.milliseconds, 0)),
                kind="drill" if row.type == CRAMMED else "review",
                anki=row.id,
            )
        )
    said = {f"{SET} (was|were) left out": odd[SET], LOST: odd[LOST]}
    return Answers(answers, faults, all_counted(said))


def _ids(found: Collection, deck: str, otherwise: str) -> dict[int, str]:
    """Return our id of each card by Anki's number of it."""
    cards: dict[int, list[CardRow]] = {}
    for card in sorted(found.cards, key=lambda card: card.ord):
        cards.setdefault(card.note, []).append(card)
    ids: dict[int, str] = {}
    for note in found.notes:
        own = cards.get(note.id, [])
        if own:
            stem = _stem(note, deck or _deck(found, own) or otherwise)
            ids |= {card.id: stem + part for card, part in _parts(found, note, own)}
    return ids


def _stem(note: NoteRow, deck: str) -> str:
    """Return the id of a note: the one it has here if it came from here."""
    was = note.guid.removeprefix(PREFIX)
    if note.guid.startswith(PREFIX) and CARD.fullmatch(was) and len(was) < 500:
        return was
    return f"{deck}/{name_of(note.guid) or 'anki-note-' + str(note.id)}"


def _deck(found: Collection, own: list[CardRow]) -> str:
    """Return the deck of a note's first card, or the one it came from into a filtered deck."""
    first = own[0]
    return as_name(apart(found.decks.get(first.home or first.deck, ""))[0])


def _parts(found: Collection, note: NoteRow, own: list[CardRow]) -> list[tuple[CardRow, str]]:
    """Return what follows the note's id in that of each of its cards."""
    kind = found.types.get(note.type)
    read = read_note(note, kind, {card.ord for card in own}) if kind else None
    if read is None or read.why:  # no card that `deck add` would make
        return [(card, f":{card.ord + 1}" if card.ord else "") for card in own]
    return [(card, read.part(card.ord)) for card in own]
