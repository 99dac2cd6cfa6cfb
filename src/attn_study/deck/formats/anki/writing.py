"""A deck as an Anki package that Anki of any age reads; the same options give the same bytes."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import zipfile
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from io import BytesIO
from itertools import count
from typing import TYPE_CHECKING

from attn_study.deck.formats.anki.fields import fields
from attn_study.deck.formats.anki.guid import guid
from attn_study.deck.formats.anki.levels import apart, together
from attn_study.deck.formats.anki.makeshift import label
from attn_study.deck.formats.anki.models import FORMS, model
from attn_study.deck.formats.exchange import Exported
from attn_study.deck.formats.losses import heading_losses
from attn_study.errors import UserError
from attn_study.extras import install
from attn_study.wording import all_counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    import genanki

    from attn_study.deck.card import Card, Deck
    from attn_study.deck.formats.exchange import WriteOptions

KINDS = {"choice": "basic"} | {kind: kind for kind in FORMS}
LOST = {
    "computed": "computed card(|s), whose numbers Anki cannot draw",
    "choice": "choice card(|s) as (a plain question|plain questions)",
    "accept": "list(|s) of other answers that count",
    "tolerance": "tolerance(|s): Anki compares letter by letter",
    "figure": "figure(|s), of which a line of words and numbers is left",
    "demo": "demo(|s), of which a picture is left where it can be drawn",
    "after": "list(|s) of cards that come before",
    "levels": "title(|s) with another mark for the colons that part decks in Anki",
    "tags": "tag(|s) with _ for blanks",
}
BESIDE = "collection.anki2"


def write(deck: Deck, options: WriteOptions) -> Exported:
    """Return the deck as a package, a subdeck for each section."""
    try:
        import genanki  # noqa: F401
    except ImportError as reason:
        what = "writing Anki packages needs `genanki`"
        raise UserError(what, hint=install("anki")) from reason
    package = _Package(deck, options)
    for place, note in enumerate(deck.notes):
        package.add(note, place)
    if not package.decks:
        raise UserError(f"no card of the deck {deck.name} can go into an Anki package")
    return Exported(package.packed(), package.losses())


@dataclass(slots=True)
class _Package:
    """A package while it is filled; `lost` counts notes by what Anki cannot carry of them."""

    deck: Deck
    options: WriteOptions
    decks: dict[str, genanki.Deck] = field(default_factory=dict)
    models: dict[str, genanki.Model] = field(default_factory=dict)
    media: dict[str, bytes] = field(default_factory=dict)
    lost: Counter[str] = field(default_factory=Counter)

    def add(self, note: Card, place: int) -> None:
        """Put a note into the subdeck of its section."""
        import genanki

        self._count(note)
        if note.kind not in KINDS:
            return
        kind = KINDS[note.kind]
        form = self.models.setdefault(kind, model(kind))
        texts = fields(note, self._picture(note))
        self._subdeck(note.section).add_note(
            genanki.Note(
                model=form,
                fields=[texts[name] for name in FORMS[kind].fields],
                guid=guid(note.id),
                tags=[label(tag) for tag in note.tags],
                due=place + 1,
            )
        )

    def packed(self) -> bytes:
        """Return the package; its notes are of the time that the options name."""
        import genanki

        time = self.options.time
        with closing(sqlite3.connect(":memory:")) as conn:
            package = genanki.Package(list(self.decks.values()))
            package.write_to_db(conn.cursor(), time, count(time * 1000))
            conn.commit()
            data = conn.serialize()
        names = {str(number): name for number, name in enumerate(self.media)}
        numbered = dict(zip(names, self.media.values(), strict=True))
        return _zipped({BESIDE: data, "media": json.dumps(names).encode(), **numbered})

    def losses(self) -> tuple[str, ...]:
        """Say in words what Anki cannot carry."""
        counts = {words: self.lost[key] for key, words in LOST.items()}
        heading = heading_losses(self.deck, ("deck", "title"))
        history = {"row(|s) of history: in Anki all cards are new": len(self.options.rows)}
        return (*all_counted(counts), *heading, *all_counted(history))

    def _count(self, note: Card) -> None:
        self.lost[note.kind] += 1
        for key in ("after", "accept", "figure", "demo"):
            self.lost[key] += bool(getattr(note, key))
        self.lost["tolerance"] += note.tolerance is not None
        self.lost["tags"] += sum(tag != label(tag) for tag in note.tags)

    def _picture(self, note: Card) -> str:
        """The picture of the note's demo as HTML, where there is one."""
        svg = self.options.picture(note) if note.demo else None
        if svg is None:
            return ""
        data = svg.encode()
        demo = re.sub(r"[^a-z0-9]+", "-", note.demo.lower()).strip("-")
        name = f"attn-study-{demo}-{hashlib.sha256(data).hexdigest()[:10]}.svg"
        self.media[name] = data
        return f'<img src="{name}">'

    def _subdeck(self, section: str) -> genanki.Deck:
        import genanki

        if section not in self.decks:
            title = self.deck.title or self.deck.name
            name = together(title, section)
            self.lost["levels"] += apart(name) != (title, section)
            digest = hashlib.sha256(f"{self.deck.name}/{section}".encode()).hexdigest()
            self.decks[section] = genanki.Deck((1 << 40) + int(digest[:10], 16), name)
        return self.decks[section]


def _zipped(entries: Mapping[str, bytes]) -> bytes:
    """An archive in which every entry has the same date."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
