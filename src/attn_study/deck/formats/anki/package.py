"""Anki packages, `.apkg`, of both generations."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from attn_study.deck.formats.anki.archive import collection as unpacked
from attn_study.deck.formats.anki.collection import read_collection
from attn_study.deck.formats.anki.history import answered, is_known, state
from attn_study.deck.formats.anki.levels import apart
from attn_study.deck.formats.anki.notes import Read, read_note
from attn_study.deck.formats.anki.writing import write
from attn_study.deck.formats.exchange import History, Imported, Note, Skipped
from attn_study.deck.formats.html import to_text
from attn_study.errors import UserError
from attn_study.wording import counted

if TYPE_CHECKING:
    from attn_study.deck.formats.anki.collection import CardRow, Collection, NoteRow
    from attn_study.deck.formats.exchange import Answered, File, ReadOptions, State

__all__ = ["read", "write"]

SHOWN = 40  # characters of a note that was left out


def read(file: File, options: ReadOptions) -> tuple[Imported, ...]:
    """Return the decks of a package, one for each of Anki's outermost decks."""
    found = read_collection(file, unpacked(file), reviews=options.schedule)
    cards: dict[int, list[CardRow]] = {}
    for card in found.cards:
        cards.setdefault(card.note, []).append(card)
    decks: dict[str, _Deck] = {}
    read_notes: dict[int, tuple[_Deck, Read]] = {}
    for row in sorted(found.notes, key=lambda row: _place(row, cards.get(row.id, []))):
        own = sorted(cards.get(row.id, []), key=lambda card: card.ord)
        one = _read(found, row, own)
        root, section = apart(_deck_name(found, own))
        deck = decks.setdefault(one.deck or root, _Deck(root))
        deck.add(row, one, section)
        read_notes[row.id] = deck, one
        if not one.why:
            deck.remember(found, own, one)
    if options.schedule:
        _add_answers(found, read_notes)
    if not decks:
        raise UserError("this Anki package holds no notes", where=str(file.path))
    next(iter(decks.values())).unread = len(found.unread)
    return tuple(deck.imported(name, schedule=options.schedule) for name, deck in decks.items())


def _place(row: NoteRow, cards: list[CardRow]) -> tuple[int, int]:
    """Where a note stands: those that were seen first, then the new ones as Anki would ask them."""
    place = min((card.due for card in cards if not is_known(card)), default=-1)
    return (-1 if any(map(is_known, cards)) else place), row.id


def _read(found: Collection, row: NoteRow, cards: list[CardRow]) -> Read:
    kind = found.types.get(row.type)
    if kind is None:
        return Read(why="its note type is not in the package")
    if not cards:
        return Read(why="it has no cards")
    return read_note(row, kind, {card.ord for card in cards})


def _deck_name(found: Collection, cards: list[CardRow]) -> str:
    """The deck of the first card, or the one it came from into a filtered deck."""
    first = next(iter(cards), None)
    return found.decks.get(first.home or first.deck, "Default") if first else "Default"


def _add_answers(found: Collection, notes: dict[int, tuple[_Deck, Read]]) -> None:
    """Put each answer into the deck of its card."""
    cards = {card.id: card for card in found.cards}
    for review in found.reviews:
        card = cards.get(review.card)
        deck, one = notes.get(card.note, (None, None)) if card else (None, None)
        if card is None or deck is None or one is None or one.why:
            continue
        if answer := answered(review, card.note, one.part(card.ord)):
            deck.answers.append(answer)


@dataclass(slots=True)
class _Deck:
    """One deck while it is read. `known` counts cards with a schedule, `odd` unsound ones.

    `unread` counts answers that cannot be one, of whatever card.
    """

    title: str
    notes: list[Note] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    answers: list[Answered] = field(default_factory=list)
    media: Counter[str] = field(default_factory=Counter)
    known: int = 0
    odd: int = 0
    unread: int = 0

    def add(self, row: NoteRow, one: Read, section: str) -> None:
        """Keep a note, or why it is left out."""
        if one.why:
            shown = " ".join(to_text(row.fields[:1000].partition("\x1f")[0]).text.split())
            name = shown if len(shown) <= SHOWN else f"{shown[: SHOWN - 1]}…"
            self.skipped.append(Skipped(f"the note `{name}`: {one.why}"))
        else:
            self.notes.append(Note(one.fields, section=section, source=str(row.id)))
            self.media.update(name.partition(" ")[0] for name in one.media)

    def remember(self, found: Collection, cards: list[CardRow], one: Read) -> None:
        """Keep what Anki knows of the cards of a note."""
        for card in filter(is_known, cards):
            known = state(found, card, one.part(card.ord))
            self.known += 1
            self.odd += known is None
            if known is not None:
                self.states.append(known)

    def imported(self, name: str, *, schedule: bool) -> Imported:
        """Return the whole."""
        remarks = ["Anki package"]
        if self.media:
            many = [counted(n, f"{kind}(|s)") for kind, n in sorted(self.media.items())]
            remarks.append(f"{' and '.join(many)} left out, each with its name in brackets")
        if self.known and not schedule:
            words = "card(|s) (has|have) a schedule, left out: `--schedule` brings it"
            remarks.append(counted(self.known, words))
        if self.odd and schedule:
            words = "card(|s) (has|have) a schedule that makes no sense, which was left out"
            remarks.append(counted(self.odd, words))
        if self.unread:
            words = "answer(|s) that make(s|) no sense (was|were) left out"
            remarks.append(counted(self.unread, words))
        return Imported(
            name=name,
            title=self.title,
            notes=tuple(self.notes),
            skipped=tuple(self.skipped),
            remarks=tuple(remarks),
            history=History(tuple(self.states), tuple(self.answers)) if schedule else None,
        )
