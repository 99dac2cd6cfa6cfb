"""A foreign deck beside the learner's own of that name: what is new, what changed, what stays."""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from attn_study.deck.composing import Heading, compose, listing, spaced
from attn_study.deck.formats import Skipped
from attn_study.deck.note import ID, automatic_id, plain_front
from attn_study.deck.quoting import STEP
from attn_study.deck.reader import parse
from attn_study.deck.slug import Names
from attn_study.deck.spelling import in_order, spelled
from attn_study.deck.writer import amend
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from attn_study.deck.card import Card, Deck
    from attn_study.deck.formats import Imported, Note
    from attn_study.deck.spelling import Value

# What a note asks and answers; all of it belongs to the kind that the note is of
CONTENT = frozenset(
    {"kind", "front", "back", "cloze", "question", "answer", "choices", "accept", "tolerance"}
)
HEAD = 4  # the line of the first card under a name and a title


@dataclass(frozen=True, slots=True)
class Merged:
    """What a deck file will hold. `deck` is that file read; `ids` names notes by their `source`.

    `added`, `changed` and `same` count notes; `others` are those of the deck that the foreign file
    does not know, `unsectioned` those added that found no section of theirs.
    """

    text: str
    deck: Deck
    ids: Mapping[str, str]
    added: tuple[Card, ...]
    changed: int
    same: int
    others: int
    unsectioned: int
    skipped: tuple[Skipped, ...]

    @property
    def changes(self) -> bool:
        """Whether the file will say anything that it does not say now."""
        return bool(self.added or self.changed)


def merge(imported: Imported, heading: Heading, own: tuple[str, Deck] | None, path: Path) -> Merged:
    """Return the deck with the notes of `imported` taken in.

    `own` is the text and the deck of the learner's file of that name, `path` what errors name. A
    note that is there already is found by its id, or without one by what it asks, and keeps its
    id and every key that the foreign file does not have. Nothing that is there goes. Raises
    UserError when the learner's file cannot be changed without touching other cards.
    """
    plan = _Plan(own[1] if own else None)
    for note in imported.notes:
        plan.take(note)
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
        changed=len(plan.changed),
        same=plan.same,
        others=len(deck.notes) - len(plan.added) - len(plan.changed) - plan.same,
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
    added: dict[str, Taken] = field(default_factory=dict)
    changed: dict[str, Taken] = field(default_factory=dict)
    same: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    _by_name: dict[str, Card] = field(default_factory=dict)
    _by_front: dict[str, str] = field(default_factory=dict)
    _free: Names = field(default_factory=lambda: Names(()))
    _first: dict[str, Note] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for note in self.own.notes if self.own else ():
            self._by_name[note.name] = note
            self._by_front.setdefault(plain_front(note.asked), note.name)
        self._free = Names(self._by_name)

    def take(self, note: Note) -> None:
        """Find out whether a note is new, changed, the same as before, or twice in the file."""
        front = plain_front(_asked(note))
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
        if _alike(keys, spelled(before)) or not before.written_id:
            self.same += 1
        else:
            self.changed[name] = note, keys

    def _name(self, note: Note, front: str) -> str:
        written = note.fields.get("id")
        if isinstance(written, str) and ID.fullmatch(written):
            return written
        if written == "":
            return automatic_id(_asked(note))
        known = self._by_front.get(front)
        return known if known is not None else self._free.make(_asked(note))

    def check(self, name: str, path: Path) -> None:
        """Leave out every note that would not be a sound card, with the reason."""
        for kept in (self.added, self.changed):
            for bad, what in _faults(kept, name, path).items():
                note, _ = kept.pop(bad)
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


def _asked(note: Note) -> str:
    asked = (note.fields.get(key) for key in ("front", "cloze", "question"))
    return next((text for text in asked if isinstance(text, str) and text), "")


def _without(fields: Mapping[str, Value], keys: frozenset[str] | set[str]) -> dict[str, Value]:
    return {key: value for key, value in fields.items() if key not in keys}


def _updated(before: dict[str, Value], given: Mapping[str, Value]) -> dict[str, Value]:
    """The keys of a note with those that the foreign file has in their place; empty ones go."""
    if given.get("kind") == "basic" and "front" in before:
        given = _without(given, {"kind"})  # what has two sides may have become more than that here
    is_other_kind = bool({"cloze", "front", "question"} & (before.keys() - given.keys()))
    kept = _without(before, CONTENT) if is_other_kind else before
    return in_order(kept | _without(given, {"id"}))


def _faults(notes: Mapping[str, Taken], deck: str, path: Path) -> dict[str, str]:
    """Why notes cannot be cards, by their names: each is read as it would stand in the file.

    What they come after is read with the whole deck.
    """
    bad: dict[str, str] = {}
    sound: dict[str, Mapping[str, Value]] = {}
    starts, at = [], HEAD
    for name, (_, given) in notes.items():
        keys = _without(given, {"after"})
        try:
            lines = spaced(listing([keys], STEP)).count("\n")
        except UserError as error:
            bad[name] = error.what
            continue
        sound[name] = keys
        starts.append(at)
        at += lines
    text = compose(Heading(deck, deck), [("", keys) for keys in sound.values()])
    for one in parse(text, path).complaints:
        if not one.warning and one.line >= HEAD:
            bad.setdefault(list(sound)[bisect_right(starts, one.line) - 1], one.what)
    return bad
