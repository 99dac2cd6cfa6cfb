"""The real Anki, without windows: run as a script of its own, one task a run, JSON in and out.

Anki is under another licence than this program, so no test imports it: they run this file.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

from anki.collection import (
    Collection,
    ExportAnkiPackageOptions,
    ImportAnkiPackageOptions,
    ImportAnkiPackageRequest,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def bring(col: Collection, task: dict[str, Any]) -> dict[str, Any]:
    """Import a package with the settings that Anki's own window begins with."""
    request = ImportAnkiPackageRequest(
        package_path=task["package"], options=ImportAnkiPackageOptions(merge_notetypes=False)
    )
    log = col.import_anki_package(request).log
    return {
        "new": len(log.new),
        "updated": len(log.updated),
        "duplicate": len(log.duplicate),
        "conflicting": len(log.conflicting),
    }


def notes(col: Collection, task: dict[str, Any]) -> dict[str, Any]:
    """Every note as Anki holds it, and what it shows of its cards."""
    found = [col.get_note(number) for number in col.find_notes("")]
    return {
        "notes": [
            {
                "guid": note.guid,
                "type": (note.note_type() or {})["name"],
                "fields": note.fields,
                "tags": note.tags,
                "cards": [card.ord for card in note.cards()],
                "decks": sorted({col.decks.name(card.did) for card in note.cards()}),
                "questions": [card.question() for card in note.cards()],
                "answers": [card.answer() for card in note.cards()],
            }
            for note in found
        ],
        "empty": len(col.get_empty_cards().notes),
        "media": [*col.media.check().unused, col.media.dir()],
    }


def make(col: Collection, task: dict[str, Any]) -> dict[str, Any]:
    """Fill a collection, study in it, and export it in both generations."""
    for row in task["notes"]:
        note = col.new_note(col.models.by_name(row["type"]))  # type: ignore[arg-type]
        note.fields[: len(row["fields"])] = row["fields"]
        note.tags = row.get("tags", [])
        col.add_note(note, col.decks.id(row["deck"]) or 1)  # type: ignore[arg-type]
    col.decks.select(col.decks.id(task["deck"]) or 1)  # type: ignore[arg-type]
    for _ in range(task["answers"]):
        card = col.sched.getCard()
        if card is not None:
            col.sched.answerCard(card, 4 if card.id % 2 else 3)
    ids = list(col.find_cards(""))
    col.sched.set_due_date([ids[0]], "5!")
    col.sched.suspend_cards([ids[1]])
    for legacy, path in ((True, task["legacy"]), (False, task["latest"])):
        options = ExportAnkiPackageOptions(
            with_scheduling=True, with_deck_configs=True, with_media=True, legacy=legacy
        )
        col.export_anki_package(out_path=path, options=options, limit=None)
    return {"cards": [_card(col, number) for number in ids], "reviews": _reviews(col)}


def _card(col: Collection, number: Any) -> dict[str, Any]:
    card = col.get_card(number)
    names = ("nid", "ord", "type", "queue", "due", "ivl", "factor", "reps", "lapses")
    return {name: getattr(card, name) for name in names} | {"today": col.sched.today}


def _reviews(col: Collection) -> list[list[int]]:
    assert col.db is not None
    return [list(row) for row in col.db.execute("SELECT id, ease, type FROM revlog ORDER BY id")]


TASKS: dict[str, Callable[[Collection, dict[str, Any]], dict[str, Any]]] = {
    "bring": bring,
    "notes": notes,
    "make": make,
}

if __name__ == "__main__":
    asked = json.load(sys.stdin)
    collection = Collection(asked["collection"])
    with closing(collection):
        print(json.dumps(TASKS[asked["task"]](collection, asked)))
