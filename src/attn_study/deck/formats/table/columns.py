"""What the columns of a table are called, and what they hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.deck.formats.table.rows import Row

# What stands above a column, in small letters, and the key that it holds
NAMES = {
    "id": "id",
    "kind": "kind",
    "front": "front",
    "question": "front",
    "term": "front",
    "prompt": "front",
    "back": "back",
    "definition": "back",
    "answer": "answer",
    "cloze": "cloze",
    "accept": "accept",
    "tolerance": "tolerance",
    "choices": "choices",
    "note": "note",
    "notes": "note",
    "tags": "tags",
    "section": "section",
    "deck": "deck",
    "guid": "guid",
    "notetype": "notetype",
    "note type": "notetype",
    # as spreadsheets in other languages have them
    "frage": "front",
    "vorderseite": "front",
    "begriff": "front",
    "antwort": "back",
    "rückseite": "back",
    "schlagwörter": "tags",
    "recto": "front",
    "verso": "back",
    "réponse": "back",
    "étiquettes": "tags",
    "pregunta": "front",
    "anverso": "front",
    "respuesta": "back",
    "reverso": "back",
    "etiquetas": "tags",
    "vraag": "front",
    "voorkant": "front",
    "antwoord": "back",
    "achterkant": "back",
    "domanda": "front",
    "risposta": "back",
}
UNREAD = ""  # a column that is left out
EXTRA = "extra"  # a field of an Anki note type beyond the second
BETWEEN = re.compile(r"[\s_]+")


def known(name: str) -> str:
    """Return the key that a column of this name holds, or `UNREAD`."""
    return NAMES.get(BETWEEN.sub(" ", name.strip()).casefold(), UNREAD)


def keys(names: Sequence[str]) -> tuple[str, ...]:
    """Return what each column holds: `answer` is the back of a table that has no other."""
    found = [known(name) for name in names]
    if "back" not in found:
        found = ["back" if key == "answer" else key for key in found]
    return tuple(found)


def header(row: Row | None) -> tuple[str, ...]:
    """Return what the columns hold if a row names a question and its answer, else nothing."""
    found = keys(row.cells) if row and not row.fault else ()
    # A cell that says Cloze may also be Anki's name of a note type
    is_cloze = "cloze" in found and UNREAD not in found
    return found if is_cloze or {"front", "back"} <= {*found} else ()


def check_once(found: Sequence[str], where: str) -> None:
    """Refuse two columns that would hold the same."""
    for key in found:
        if key not in (UNREAD, EXTRA) and list(found).count(key) > 1:
            what = f"two columns hold the {key}"
            raise UserError(what, where=where, hint="rename one, and it is left out")
