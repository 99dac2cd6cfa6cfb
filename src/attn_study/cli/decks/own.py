"""Deck files to be brought in: checked as `deck check` does, and planned."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from attn_study.cli.decks.planning import Plan, content, refusal, target_of
from attn_study.errors import UserError
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from attn_study.cli.decks.checking import Found
    from attn_study.cli.decks.planning import Wishes
    from attn_study.cli.study import Study
    from attn_study.deck.card import Deck
    from attn_study.deck.complaint import Complaint
    from attn_study.deck.reader import Reading


@dataclass(frozen=True, slots=True)
class Cleared:
    """Files without the cards that are wrong though they read well.

    `texts` are those of the files that had any, with such cards as comments; `left` says why.
    """

    found: Found
    texts: Mapping[Path, bytes] = field(default_factory=dict)
    left: tuple[Complaint, ...] = ()

    def words(self, path: Path) -> list[str]:
        """Return a line for each mistake of a card left out, and what became of such cards."""
        left = [one for one in self.left if one.path == path]
        lines = [f"  left out: {path}:{one.line}: {one.what}" for one in left]
        if made := len({one.card for one in left if one.card}):
            lines.append(f"  {counted(made, '(is a comment|are comments)')} in the copy")
        return lines


def ours(study: Study, found: Found, wishes: Wishes) -> list[tuple[Plan, str]]:
    """Plan for deck files, with what is to be said of each.

    Raises UserError naming every mistake, unless bad cards may be skipped.
    """
    _refuse_faults(found, wishes)
    cleared = _cleared(found) if wishes.skip_bad else Cleared(found)
    return [
        _planned(study, file.path, reading, cleared, wishes)
        for file, reading in cleared.found.asked
        if reading.deck
    ]


def _refuse_faults(found: Found, wishes: Wishes) -> None:
    """Refuse files with mistakes, as `deck check` names them.

    Where bad cards may be skipped, those are left out that cannot be read or are wrong all the
    same; but nothing is taken out of a file that stays where it is.
    """
    readings = [reading for _, reading in found.asked]
    unread = {one for reading in readings for one in reading.complaints if not one.warning}
    wrong = [one for one in found.errors if one not in unread]
    if not unread and not wrong:
        return
    faulty = {one.card for one in wrong if one.card}
    sound = sum(card.stem not in faulty for deck in _decks(found) for card in deck.cards)
    stays = bool(faulty) and (wishes.link or any(file.origin == "own" for file, _ in found.asked))
    is_whole = any(not one.card for one in wrong)
    if wishes.skip_bad and sound and not stays and not is_whole:
        return
    bad = len({(one.path, one.line) for one in unread}) + len(faulty)
    has_cards = bool(bad) and any(reading.deck for reading in readings)
    said = "nothing was added"
    if has_cards:
        said = refusal(sound, bad, skippable=not stays and not is_whole)
    if wishes.skip_bad and stays:
        said += "; --skip-bad takes no card out of a file that stays where it is"
    where = found.asked[0][0].path if len(readings) == 1 else "together"
    raise UserError("\n".join([*map(str, found.errors), f"{where}: {said}"]))


def _cleared(found: Found) -> Cleared:
    """Return the files without the cards that are wrong; those after them may go as well.

    Raises UserError for a file that cannot be written without such a card and with all others.
    """
    from attn_study.files import load_bytes

    before, known = found, set(found.errors)
    texts: dict[Path, bytes] = {}
    left: list[Complaint] = []
    while faulty := [one for one in found.errors if one.card]:
        for path in {one.path for one in faulty}:
            names = {one.card for one in faulty if one.path == path}
            texts[path] = _without(found, path, texts.get(path) or load_bytes(path), names)
        left += faulty
        found = found.reread(texts)
    left += [one for one in found.errors if one not in known]
    for (file, old), (_, new) in zip(before.asked, found.asked, strict=True):
        if file.path in texts:
            _compare(old, new, file.path)
    if not any(deck.cards for deck in _decks(found)):
        where = str(found.asked[0][0].path) if len(found.asked) == 1 else "together"
        raise UserError("no card would be left", where=where, hint="mend the cards that are wrong")
    return Cleared(found, texts, tuple(left))


def _decks(found: Found) -> list[Deck]:
    """Return the decks of the files asked about."""
    return [reading.deck for _, reading in found.asked if reading.deck]


def _without(found: Found, path: Path, data: bytes, names: set[str]) -> bytes:
    """Return the text of a file with these notes as comments."""
    from attn_study.deck.commented import commented

    decks = [reading.deck for file, reading in found.asked if file.path == path and reading.deck]
    lines = {note.line for deck in decks for note in deck.notes if note.id in names}
    return commented(data, path, lines)


def _compare(old: Reading, new: Reading, path: Path) -> None:
    """Refuse a text in which a card reads otherwise than before."""
    before = {note.id: note for note in (old.deck.notes if old.deck else ())}
    after = {note.id: note for note in (new.deck.notes if new.deck else ())}
    if not after.items() <= before.items():
        hint = "mend the cards that are wrong"
        raise UserError("cards cannot be left out of this file", where=str(path), hint=hint)


def _planned(
    study: Study, path: Path, reading: Reading, cleared: Cleared, wishes: Wishes
) -> tuple[Plan, str]:
    """Compare a deck file with the deck of its name that is there already."""
    from attn_study.files import load_bytes
    from attn_study.wording import cards

    deck = reading.deck
    assert deck is not None
    there = {source.deck: source for source in study.catalogue.decks()}.get(deck.name)
    before = study.catalogue.texts(deck.name)
    after = {card.id: card for card in deck.cards}
    new, gone = len(after.keys() - before.keys()), len(before.keys() - after.keys())
    both = after.keys() & before.keys()
    changed = sum(_differs(before[card], after[card].to_json()) for card in both)
    target = path if wishes.link else target_of(study, deck.name, there)
    sound = all(one.warning for one in reading.complaints)
    text = None if wishes.link else cleared.texts.get(path) or load_bytes(path)
    held = None if wishes.link else content(target)
    plan = Plan(path, deck, target, text, held, sound)
    what = "would add" if wishes.dry_run else "added"
    number = cards(len(deck.cards))
    said = f"{what} {deck.name}: {number} ({new} new, {changed} changed, {gone} gone)"
    return plan, "\n".join([said, *cleared.words(path)])


def _differs(before: str, after: str) -> bool:
    """Return whether a card reads differently; where it stands in the file does not count."""
    from dataclasses import replace

    from attn_study.deck.card import Card

    first, second = (replace(Card.from_json(text), line=0) for text in (before, after))
    return first != second
