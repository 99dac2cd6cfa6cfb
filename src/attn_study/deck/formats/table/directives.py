"""Lines above a table that say how to read it: Anki's `#separator:`, Excel's `sep=`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from attn_study.errors import UserError

SEPARATORS = {
    "tab": "\t", "\\t": "\t", "semicolon": ";", "comma": ",", "pipe": "|", "space": " ",
    "colon": ":",
}  # fmt: skip
COLUMNS = {
    "tags column": "tags",
    "deck column": "deck",
    "notetype column": "notetype",
    "guid column": "guid",
}
# The key of a directive; other lines that begin with # are comments, or cards
DIRECTIVE = re.compile(r"#[ ]?(?P<key>[a-z][a-z ]{0,30}):(?P<value>[^\n]*)", re.IGNORECASE)
PLAIN = {"html", "columns", "deck", "notetype", "tags", "if matches", "separator"}
EXCEL = re.compile(r'"?sep=(?P<separator>[^\n"])"?(?:\n|\Z)', re.IGNORECASE)
LEFT_BY_SPREADSHEETS = ",;\t| "


@dataclass(slots=True)
class Directives:
    """What the lines above a table say; `columns` counts from 0, `lines` is how many there are."""

    separator: str = ""
    html: bool = False
    columns: dict[str, int] = field(default_factory=dict)
    names: str = ""
    deck: str = ""
    notetype: str = ""
    tags: str = ""
    unread: list[str] = field(default_factory=list)
    lines: int = 0
    by_anki: bool = False


def take(text: str, where: str) -> tuple[Directives, str]:
    """Return what the first lines say, and the text without them."""
    found = Directives()
    if match := EXCEL.match(text):
        found.separator, found.lines = match["separator"], 1
        return found, text[match.end() :]
    at = 0
    while (match := DIRECTIVE.match(text, at)) and _is_known(match["key"]):
        found.lines += 1
        found.by_anki = True
        _note(found, match["key"].lower(), match["value"], f"{where}:{found.lines}")
        at = min(match.end() + 1, len(text))
    return found, text[at:]


def _is_known(key: str) -> bool:
    return key.lower() in PLAIN or key.lower() in COLUMNS


def _note(found: Directives, key: str, value: str, where: str) -> None:
    """Keep what one line says."""
    if key == "columns":
        found.names = value
        return
    if key == "separator":
        found.separator = _separator(value, where)
        return
    value = value.strip(LEFT_BY_SPREADSHEETS)
    if key in COLUMNS:
        found.columns[COLUMNS[key]] = _column(value, key, where)
    elif key == "html":
        found.html = _is_true(value, where)
    elif key in ("deck", "notetype", "tags"):
        setattr(found, key, value)
    else:
        found.unread.append(f"#{key}")


def _separator(value: str, where: str) -> str:
    """A name, or the character itself, behind which a spreadsheet may have put its own."""
    typed = value if len(value) == 1 else value.strip(" ")
    name = typed.strip(LEFT_BY_SPREADSHEETS).lower()
    if name in SEPARATORS:
        return SEPARATORS[name]
    if len(typed) == 1 and typed not in '"#':
        return typed
    hint = "one of " + ", ".join(name for name in SEPARATORS if name.isalpha())
    raise UserError(f"{value.strip()[:40]!r} is not a separator", where=where, hint=hint)


def _column(value: str, key: str, where: str) -> int:
    if re.fullmatch(r"[1-9][0-9]{0,3}", value) is None:
        raise UserError(f"`#{key}:` needs the number of a column, from 1", where=where)
    return int(value) - 1


def _is_true(value: str, where: str) -> bool:
    if value.lower() not in ("true", "false"):
        raise UserError("`#html:` is true or false", where=where)
    return value.lower() == "true"
