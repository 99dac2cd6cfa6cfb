"""One note of Anki in the keys of a deck file; the templates of its type say what it asks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from attn_study.deck.formats.anki.guid import PREFIX, name_of
from attn_study.deck.formats.html import to_text
from attn_study.deck.holes import fault

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from attn_study.deck.formats.anki.collection import NoteRow, NoteType
    from attn_study.deck.spelling import Value

NOTE, PICTURE = "Note", "Picture"  # fields of the note types that we write
# A field in a template: `{{Front}}`, `{{type:Back}}`, `{{#Only if filled}}`
USE = re.compile(
    r"\{\{(?P<mark>[#^/!]?)(?P<filters>(?:[^{}:]{0,40}:){0,6})(?P<name>[^{}:]{1,200})\}\}"
)
HOLE = re.compile(r"\{\{c([\d,]{1,20})::")
NUMBER = re.compile(r"[1-9]\d{0,2}")
OCCLUSION = "image-occlusion:"
SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True)
class Read:
    """A note in our keys, or why it has none. `deck` is its deck where it was ours before."""

    fields: dict[str, Value] = field(default_factory=dict)
    why: str = ""
    deck: str = ""
    media: tuple[str, ...] = ()

    def part(self, number: int) -> str:
        """Return what follows the note's id in that of its card of this number, from 0."""
        if "cloze" in self.fields:
            return f":c{number + 1}"
        return ":reverse" if number else ""


def read_note(row: NoteRow, kind: NoteType, asked: Collection[int]) -> Read:
    """Read a note; `asked` are the numbers, from 0, of the cards it has."""
    deck, name = _identity(row.guid)
    html = dict.fromkeys(kind.fields, "") | dict(
        zip(kind.fields, row.fields.split(SEPARATOR), strict=False)
    )
    if deck:
        html.pop(PICTURE, None)
    plain = {key: to_text(text) for key, text in html.items()}
    texts = {key: one.text if deck else one.text.strip("\n") for key, one in plain.items()}
    note = texts.pop(NOTE, "") if deck else ""
    found = _keys(kind, texts, html, asked)
    if isinstance(found, str):
        return Read(why=found)
    keys: dict[str, Value] = {"id": name, **found}
    keys["note"] = "\n".join(filter(str.strip, (note, str(found.get("note", "")))))
    keys["tags"] = tuple(dict.fromkeys(row.tags.split()))
    media = tuple(name for one in plain.values() for name in one.media)
    return Read({key: value for key, value in keys.items() if value}, deck=deck, media=media)


def _identity(guid: str) -> tuple[str, str]:
    """The deck and the id of a note that we wrote; of others an id that stays."""
    if guid.startswith(PREFIX):
        deck = guid.removeprefix(PREFIX).partition("/")[0]
        return deck, name_of(guid)
    return "", name_of(guid)


def _keys(
    kind: NoteType, texts: dict[str, str], html: dict[str, str], asked: Collection[int]
) -> dict[str, str] | str:
    """What the note says in the keys of its kind; or why it cannot be said."""
    if not texts or not kind.templates:
        return f"its note type `{kind.name}` has no fields or no cards"
    uses = [list(USE.finditer(one.question)) for one in kind.templates]
    if kind.is_cloze:
        named = [use["name"].strip() for use in uses[0] if "cloze:" in use["filters"]]
        return _cloze(texts, html, [name for name in named if name in texts] or [*texts][:1])
    fronts = [_shown(found, texts) for found in uses]
    typed = next((use["name"].strip() for use in uses[0] if "type:" in use["filters"]), "")
    if len(uses) == 1 and typed in texts:
        return _sides(texts, fronts[0], answer=typed)
    if len(uses) == 1:
        return _sides(texts, fronts[0])
    if len(uses) == 2 and all(fronts) and not set(fronts[0]) & set(fronts[1]):
        switches = {use["name"].strip() for found in uses for use in found if use["mark"]}
        rest = [name for name in texts if name not in (*fronts[0], *fronts[1], *switches)]
        keys = {"front": fronts[0], "back": fronts[1], "note": rest}
        sides = {key: _joined(texts, names) for key, names in keys.items()}
        return _blank(sides, "front", "back") or (
            {"kind": "reversed", **sides} if 1 in asked else sides
        )
    return f"its note type `{kind.name}` makes {len(uses)} cards, and not of two sides alone"


def _shown(found: Sequence[re.Match[str]], texts: dict[str, str]) -> list[str]:
    """The fields that a template shows, without what has to be typed, asked for or filled."""
    names = [
        use["name"].strip()
        for use in found
        if not use["mark"] and not {"type", "hint"} & set(use["filters"].split(":"))
    ]
    return [name for name in dict.fromkeys(names) if name in texts]


def _sides(texts: dict[str, str], front: Sequence[str], answer: str = "") -> dict[str, str] | str:
    """A question, and an answer that is recalled or, if one is named, typed."""
    if not front:
        front = [name for name in texts if name != answer][:1]
    behind = [name for name in texts if name not in front and name != answer]
    keys = {"front": _joined(texts, front), "back": _joined(texts, behind)}
    if answer:
        keys["answer"] = texts[answer]
    return _blank(keys, "front", "answer" if answer else "back") or keys


def _cloze(texts: dict[str, str], html: dict[str, str], asked: list[str]) -> dict[str, str] | str:
    """A text with holes; the other fields are shown with its answers."""
    name, *more = asked
    if OCCLUSION in texts[name]:
        return "it asks for places in a picture"
    if any(HOLE.search(html[other]) for other in more if other != name):
        return "it has holes in more than one field"
    # A hole that was split from its mark on the way out is text
    if any(not NUMBER.fullmatch(match[1]) for match in HOLE.finditer(html[name])):
        return "a hole has a number that a deck cannot have"
    if what := fault(texts[name]):
        return what
    return {"cloze": texts[name], "back": _joined(texts, [one for one in texts if one != name])}


def _joined(texts: dict[str, str], names: Sequence[str]) -> str:
    return "\n".join(texts[name] for name in names if texts[name].strip())


def _blank(keys: dict[str, str], *needed: str) -> str:
    """Say which side there is nothing on."""
    missing = next((key for key in needed if not keys[key].strip()), "")
    return f"there is nothing on its {missing}" if missing else ""
