"""A foreign deck beside the learner's own of that name: what is new, what changed, what stays."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from attn_study.deck.composing import Heading, compose
from attn_study.deck.formats import Skipped
from attn_study.deck.note import ID, asked_by, automatic_id, plain_front
from attn_study.deck.reader import parse
from attn_study.deck.slug import Names
from attn_study.deck.spelling import in_order, spelled
from attn_study.deck.successor import reworded
from attn_study.deck.trial import tried
from attn_study.deck.writer import amend
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from attn_study.deck.card import Card, Deck
    from attn_study.deck.formats import Imported, Note
    from attn_study.deck.spelling import Value

    Fault = Callable[[str, Mapping[str, Value]], str]  # from the id of a note and its keys

LONGEST = 500_000  # characters of a text: no screen shows as much, and a deck holds it many times
# What a note asks and answers; all of it belongs to the kind that the note is of
CONTENT = frozenset(
    {"kind", "front", "back", "cloze", "question", "answer", "choices", "accept", "tolerance"}
)


@dataclass(frozen=True, slots=True)
class Merged:
    """What a deck file will hold. `deck` is that file read; `ids` names notes by their `source`.

    `added` and `changed` are new and changed notes, `same` counts the rest of the file. `others`
    are the ids of notes that the foreign file does not know; `unsectioned` counts those added that
    found no section of theirs.
    """

    text: str
    deck: Deck
    ids: Mapping[str, str]
    added: tuple[Card, ...]
    changed: tuple[str, ...]
    same: int
    others: tuple[str, ...]
    unsectioned: int
    skipped: tuple[Skipped, ...]

    @property
    def changes(self) -> bool:
        """Whether the file will say anything that it does not say now."""
        return bool(self.added or self.changed)


def _sound(_: str, __: Mapping[str, Value]) -> str:
    return ""


def merge(
    imported: Imported,
    heading: Heading,
    own: tuple[str, Deck] | None,
    path: Path,
    fault: Fault = _sound,
) -> Merged:
    """Return the deck with the notes of `imported` taken in.

    `own` is the text and the deck of the learner's file of that name, `path` what errors name;
    `fault` says why a note that reads well is left out all the same, "" for one that is not. A
    note that is there already is found by its id, or without one by what it asks, and keeps its
    id and every key that the foreign file does not have. Nothing that is there goes. Raises
    UserError when the learner's file cannot be changed without touching other cards.
    """
    plan = _Plan(own[1] if own else None, fault)
    for note in imported.notes:
        plan.take(note)
    plan.pair()
    plan.check(heading.deck, path)
    if own is None:
        text = compose(heading, [(note.section, keys) for note, keys in plan.added.values()])
    else:
        text = _amended(own[0], plan)
    found = parse(text, path)
    deck = found.deck
    if deck is None and own is None:
        raise UserError(found.complaints[0].what, where=str(path), hint=found.complaints[0].hint)
    if deck is None or not plan.is_in(deck):
        hint = "give this deck another name, or take cards in brackets and braces out of them"
        raise UserError("this file cannot be changed as it is", where=str(path), hint=hint)
    notes = {note.name: note for note in deck.notes}
    return Merged(
        text=text,
        deck=deck,
        ids={source: f"{deck.name}/{name}" for source, name in plan.sources.items()},
        added=tuple(notes[name] for name in plan.added),
        changed=tuple(plan.changed),
        same=plan.same,
        others=plan.others,
        unsectioned=sum(
            note.section != notes[name].section for name, (note, _) in plan.added.items()
        ),
        skipped=(*imported.skipped, *plan.skipped),
    )


def _amended(text: str, plan: _Plan) -> str:
    if not plan.added and not plan.changed:
        return text
    added = [(note.section, keys) for note, keys in plan.added.values()]
    return amend(text, {name: keys for name, (_, keys) in plan.changed.items()}, added)


Taken = tuple["Note", "dict[str, Value]"]  # a note and its keys as they will stand in the file


@dataclass(slots=True)
class _Plan:
    """Takes notes one after the other and knows what becomes of each."""

    own: Deck | None
    fault: Fault
    added: dict[str, Taken] = field(default_factory=dict)
    changed: dict[str, Taken] = field(default_factory=dict)
    same: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    _by_name: dict[str, Card] = field(default_factory=dict)
    _by_front: dict[str, str] = field(default_factory=dict)
    _free: Names = field(init=False)
    _first: dict[str, Note] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for note in self.own.notes if self.own else ():
            self._by_name[note.name] = note
            self._by_front.setdefault(plain_front(note.asked), note.name)
        self._free = Names(self._by_name)

    def take(self, note: Note) -> None:
        """Find out whether a note is new, changed, the same as before, or twice in the file."""
        if any(isinstance(text, str) and len(text) > LONGEST for text in note.fields.values()):
            self.skipped.append(Skipped(f"a text of more than {LONGEST:,} characters", note.line))
            return
        front = plain_front(asked_by(note.fields))
        name = self._name(note, front)
        first = self._first.setdefault(name, note)
        if first is not note:
            at = f" on line {first.line}" if first.line else ""
            self.skipped.append(Skipped(f"the same card as the one{at}", note.line))
            return
        if note.source:
            self.sources[note.source] = name
        self._by_front.setdefault(front, name)
        before = self._by_name.get(name)
        if before is None:
            self._free.add(name)
            written = {} if name.startswith("~") else {"id": name}
            self.added[name] = note, in_order({**_without(note.fields, {"id"}), **written})
            return
        keys = _updated(spelled(before), note.fields)
        if _alike(keys, spelled(before)):
            self.same += 1
        else:
            self.changed[name] = note, keys

    @property
    def others(self) -> tuple[str, ...]:
        """The ids of notes of the own deck that no note of the file is."""
        return tuple(name for name in self._by_name if name not in self._first)

    def pair(self) -> None:
        """Take a new note for the edited form of one that the file no longer has.

        Only what has no id in the file and reads nearly like a single other note, with the same
        back, is one question reworded; anything less is a new card.
        """
        edited = {name: _sides(spelled(self._by_name[name])) for name in self.others}
        without_ids = (pair for pair in self.added.items() if "id" not in pair[1][0].fields)
        fresh = {name: _sides(keys) for name, (_, keys) in without_ids}
        for name, after in reworded(edited, fresh):
            note, _ = self.added.pop(after)
            self.changed[name] = note, _updated(spelled(self._by_name[name]), note.fields)
            self._first[name] = note
            if note.source:
                self.sources[note.source] = name

    def _name(self, note: Note, front: str) -> str:
        written = note.fields.get("id")
        if isinstance(written, str) and ID.fullmatch(written):
            return written
        if written == "":
            return automatic_id(asked_by(note.fields))
        known = self._by_front.get(front)
        return known if known is not None else self._free.make(asked_by(note.fields))

    def check(self, name: str, path: Path) -> None:
        """Leave out every note that would not be a sound card, with the reason."""
        for kept in (self.added, self.changed):
            bad, read = tried({one: keys for one, (_, keys) in kept.items()}, name, path)
            for one, what in bad.items():
                self._leave(one, what)
            for one, keys in read.items():
                if one in self.changed and _alike(keys, spelled(self._by_name[one])):
                    del self.changed[one]  # spelled in another way, but the same when read
                    self.same += 1
                elif why := self.fault(one, keys):
                    self._leave(one, why)
        self._leave_unmet(name)

    def _leave_unmet(self, deck: str) -> None:
        """Leave out what comes after a card that is nowhere, and what comes after that."""
        waits: dict[str, list[str]] = {}
        for name, (_, keys) in (self.added | self.changed).items():
            for full in keys.get("after", ()):
                stem = str(full).removeprefix(f"{deck}/").partition(":")[0]
                waits.setdefault(stem, []).append(name)
        known = self._by_name.keys() | self.added.keys()
        missing = [stem for stem in waits if "/" not in stem and stem not in known]
        while missing:
            stem = missing.pop()
            for name in waits.get(stem, ()):
                if name in self.added:
                    missing.append(name)
                self._leave(name, f"`after` names {stem!r}, and no card has that id")

    def _leave(self, name: str, what: str) -> None:
        """Leave a note out for a reason, unless it is left out already."""
        taken = self.added.pop(name, None) or self.changed.pop(name, None)
        if taken is not None:
            note = taken[0]
            self.sources.pop(note.source, None)
            self.skipped.append(Skipped(what, note.line))

    def is_in(self, deck: Deck) -> bool:
        """Return whether a deck holds what it held, but for what was added and changed."""
        names = [note.name for note in deck.notes]
        if len(set(names)) != len(names) or set(names) != {*self._by_name, *self.added}:
            return False
        now = {note.name: note for note in deck.notes}
        kept = self._by_name.keys() - self.changed.keys()
        return all(_alike(spelled(now[name]), spelled(self._by_name[name])) for name in kept)


def _alike(keys: Mapping[str, Value], others: Mapping[str, Value]) -> bool:
    """Whether both say the same; a list and a tuple do."""
    return json.dumps(keys) == json.dumps(others)


def _sides(keys: Mapping[str, Value]) -> tuple[str, str]:
    """What a note asks and what it answers, as far as texts say it."""
    return asked_by(keys), str(keys.get("back") or keys.get("answer") or "")


def _without(fields: Mapping[str, Value], keys: frozenset[str] | set[str]) -> dict[str, Value]:
    return {key: value for key, value in fields.items() if key not in keys}


def _updated(before: dict[str, Value], given: Mapping[str, Value]) -> dict[str, Value]:
    """The keys of a note with those that the foreign file has in their place; empty ones go."""
    if given.get("kind") == "basic" and "front" in before:
        given = _without(given, {"kind"})  # what has two sides may have become more than that here
    is_other_kind = bool({"cloze", "front", "question"} & (before.keys() - given.keys()))
    kept = _without(before, CONTENT) if is_other_kind else before
    return in_order(kept | _without(given, {"id"}))
