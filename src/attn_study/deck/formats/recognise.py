"""Which format a file is in, seen from how it begins.

What a file holds counts more than its suffix. The suffix decides between tables and texts of which
content alone cannot tell what their author meant.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attn_study.deck.formats import FORMATS
from attn_study.deck.formats.decoding import MARKS
from attn_study.deck.formats.table.separator import guess
from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.deck.formats.exchange import File

YAML = "yaml"  # our own deck files, which are read without being converted
HEAD = 65_536  # bytes that are looked at
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
PAGE = re.compile(r"<(?:!doctype\s+html|html|head|body|\?xml)\b", re.IGNORECASE)
OBJECT = re.compile(r'\{\s*(?:"|\}|$)|\[\s*(?:[\[{"]|\]\s*$)')
SCHEMA = re.compile(r'"schema"\s*:\s*"attn-study/deck/')
KEYS = re.compile(
    r"""^(?:\{ *)?(?P<quote>["']?)(?:deck|cards|sections)(?P=quote)[ \t]*:""", re.MULTILINE
)
DIRECTIVE = re.compile(
    r"#(?:separator|html|tags|columns|notetype|deck|guid|if matches)(?: column)?[ \t]*:",
    re.IGNORECASE,
)
CARD = re.compile(r"^C:[^\[\n]*\[|[^\s:][ \t]+:::?[ \t]+[^\s:]", re.MULTILINE)
QUESTION, ANSWER = re.compile("^Q:", re.MULTILINE), re.compile("^A:", re.MULTILINE)
RULES = re.compile(r"---[ \t]*\n(?:.*\n)*?---[ \t]*\n")
EXCEL = re.compile(r'"?sep=', re.IGNORECASE)
OURS = (".yaml", ".yml")
BY_SUFFIX = ("csv", "tsv", "markdown")


def recognise(file: File, encoding: str = "") -> str:
    """Return the name of the format, one of `FORMATS`, or `yaml` for a deck file of ours.

    Raises UserError for what is in none of them, and for what may be in several.
    """
    if file.data.startswith(ZIP):
        return "apkg"
    text = _head(file, encoding)
    suffix = file.path.suffix.lower()
    if PAGE.match(text):
        hint = "a download may give a page about the file instead of the file; open it to see"
        raise _refusal(file, "this is an HTML page, not a deck", hint)
    if suffix in (".apkg", ".colpkg"):
        raise _refusal(file, "this is not an Anki package", "export the deck from Anki again")
    if suffix not in OURS and (OBJECT.match(text) or suffix == ".json"):
        return _json(file, text)
    if suffix in OURS or KEYS.search(_behind_front_matter(text)):
        return YAML
    return _text(file, text, suffix)


def _behind_front_matter(text: str) -> str:
    """The text without what stands between two rules above Markdown cards."""
    match = RULES.match(text)
    rest = text[match.end() :] if match else ""
    return rest if _has_cards(rest) else text


def _has_cards(text: str) -> bool:
    """Whether a line is a card of Markdown: a cloze, a pair, or a question with an answer."""
    asked = QUESTION.search(text)
    return CARD.search(text) is not None or bool(asked and ANSWER.search(text, asked.end()))


def _head(file: File, encoding: str) -> str:
    """How the text begins; wrong bytes are for the reader to complain about."""
    if not file.data.strip():
        raise _refusal(file, "the file is empty", "nothing is there to import")
    head = file.data[:HEAD]
    name = encoding or next((name for mark, name in MARKS if head.startswith(mark)), "utf-8")
    try:
        text = head.decode(name, errors="replace")
    except (LookupError, ValueError):
        raise _refusal(file, f"there is no text encoding called {name!r}", "") from None
    text = text.removeprefix("\ufeff").lstrip()
    if "\0" in text:
        what = "this is not a text file, nor an Anki package"
        raise _refusal(file, what, "if it is UTF-16 without a mark, say --encoding utf-16-le")
    if not text:
        raise _refusal(file, "the file is empty", "nothing is there to import")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _json(file: File, text: str) -> str:
    if text.startswith("{") and SCHEMA.search(text):
        return "json"
    what = "this is JSON, but no deck of attn-study" if OBJECT.match(text) else "this is not JSON"
    hint = "what is read is `deck export NAME -o FILE.json`: an object that begins with its schema"
    raise _refusal(file, what, hint)


def _text(file: File, text: str, suffix: str) -> str:
    """Tell tables and texts apart."""
    if DIRECTIVE.match(text):
        return "anki-text"
    for name in BY_SUFFIX:
        if suffix in FORMATS[name].suffixes:
            return name
    if EXCEL.match(text):
        return "csv"
    if _has_cards(text):
        return "markdown"
    if found := _table(file, text):
        return "anki-text" if found == "tsv" and suffix in FORMATS["anki-text"].suffixes else found
    what = "it is not clear which format this is"
    raise _refusal(file, what, f"say --format: one of {', '.join(FORMATS)}")


def _table(file: File, text: str) -> str:
    """Which table this is, if its rows are even.

    One row alone is a table only with a tab: there are commas and semicolons in any sentence.
    """
    whole = text if len(file.data) <= HEAD else text[: text.rfind("\n")]
    try:
        found = guess(whole, where=str(file.path), line=1, comments=True)
    except UserError:
        return ""
    if found.separator == "\t":
        return "tsv"
    return "csv" if sum(bool(row.cells) for row in found.rows) > 1 else ""


def _refusal(file: File, what: str, hint: str) -> UserError:
    return UserError(what, where=str(file.path), hint=hint)
