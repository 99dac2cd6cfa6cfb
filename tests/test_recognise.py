"""Which format a file is in: by what it holds, and by its suffix only where that is not enough."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from attn_study.deck.formats import FORMATS, File, WriteOptions, writer
from attn_study.deck.formats.recognise import recognise
from attn_study.errors import UserError
from cli_helpers import SOURCES
from generated_decks import decks
from memory_helpers import LAW

if TYPE_CHECKING:
    from attn_study.deck.card import Deck

BUILT_IN = SOURCES.parent / "decks"
YAML = "deck: mine\ncards:\n  - front: Q\n    back: A\n"
PAGE = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>\n"
ROWS = "query,what asks\nkey,what answers\n"


def known(name: str, data: str | bytes, encoding: str = "") -> str:
    return recognise(File(Path(name), data if isinstance(data, bytes) else data.encode()), encoding)


def refused(name: str, data: str | bytes) -> UserError:
    with pytest.raises(UserError) as caught:
        known(name, data)
    assert caught.value.where == name
    return caught.value


PLAIN = [
    ("deck.yaml", YAML, "yaml"),
    ("deck", YAML, "yaml"),
    ("deck.txt", "# mine\n\ntitle: T\nsections:\n- title: S\n", "yaml"),
    ("deck.csv", "---\ndeck: mine\ncards: []\n", "yaml"),
    ("deck.txt", "---\ndeck: mine\n---\ndeck: twice\n", "yaml"),
    ("deck.txt", "{deck: mine, cards: []}", "yaml"),
    ("deck.txt", "deck: mine\ncards:\n  - front: |\n      Q: x\n      A: y :: z\n", "yaml"),
    ("deck.yaml", '{"deck": "mine", "cards": []}', "yaml"),
    ("deck.yml", "- front: Q\n", "yaml"),
    ("deck.json", '{"schema": "attn-study/deck/1", "deck": "mine"}', "json"),
    ("deck.txt", ' {\n  "deck": "x",\n "schema" : "attn-study/deck/9"}', "json"),
    ("deck.bin", b"PK\x03\x04" + b"\0" * 40, "apkg"),
    ("deck.md", b"PK\x05\x06" + b"\0" * 18, "apkg"),
    ("deck.csv", "#separator:Semicolon\na;b\n", "anki-text"),
    ("deck.txt", "#html:true\na\tb\n", "anki-text"),
    ("deck.txt", "#tags column:3\na\tb\tc\n", "anki-text"),
    ("deck.txt", "Q: a\nA: b\n", "markdown"),
    ("deck", "text\n\nC: a [hole]\n", "markdown"),
    ("deck.txt", "query :: what asks\n", "markdown"),
    ("deck.txt", "query ::: what asks\n", "markdown"),
    ("deck.txt", '---\nname = "x"\n---\nQ: a\nA: b\n', "markdown"),
    ("deck.txt", "---\ndeck: x\n---\nQ: a\nA: b\n", "markdown"),
    ("deck", "a\tb\nc\td\n", "tsv"),
    ("deck", "a\tb\n", "tsv"),
    ("deck.txt", "a\tb\nc\td\n", "anki-text"),
    ("deck.txt", ROWS, "csv"),
    ("deck", "a;b\nc;d\n", "csv"),
    ("deck", 'a,"b, c\nd"\ne,f\n', "csv"),
    ("deck.txt", "sep=;\na;b\n", "csv"),
    # what only a suffix can tell
    ("deck.csv", "Q: a,A: b\nQ: c,d\n", "csv"),
    ("deck.csv", "a\tb\n", "csv"),
    ("deck.tsv", ROWS, "tsv"),
    ("deck.md", ROWS, "markdown"),
    ("DECK.MARKDOWN", "a\tb\n", "markdown"),
]


@pytest.mark.parametrize(("name", "text", "format"), PLAIN)
def test_a_file_is_known_by_what_it_holds(name: str, text: str | bytes, format: str) -> None:
    assert known(name, text) == format


@pytest.mark.parametrize("name", [name for name, form in FORMATS.items() if form.writes])
@given(deck=decks(extras=True))
@settings(LAW, max_examples=20)
def test_whatever_is_exported_is_known_again(name: str, deck: Deck) -> None:
    data = writer(name).write(deck, WriteOptions(name)).data
    assert known(f"mine{FORMATS[name].suffixes[0]}", data) == name


@pytest.mark.parametrize("path", sorted(BUILT_IN.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_built_in_decks_are_known_under_any_name(path: Path) -> None:
    assert known("somewhere", path.read_bytes()) == "yaml"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_s25_marks_and_line_ends_of_other_systems_do_not_matter(encoding: str, end: str) -> None:
    for text, format in ((YAML, "yaml"), ("Q: a\nA: b\n", "markdown"), ("a\tb\nc\td\n", "tsv")):
        assert known("deck", text.replace("\n", end).encode(encoding)) == format


def test_s25_an_encoding_that_was_named_is_used() -> None:
    assert known("deck", "Q: a\nA: b\n".encode("utf-16-le"), "utf-16-le") == "markdown"
    assert known("deck", "é\tb\n".encode("cp1252")) == "tsv"


@pytest.mark.parametrize("name", ["deck.apkg", "deck.yaml", "deck.csv", "deck"])
@pytest.mark.parametrize("page", [PAGE, "\n<html>", "<?xml version='1.0'?><a/>", "\ufeff" + PAGE])
def test_s47_an_html_page_is_refused_whatever_it_is_called(name: str, page: str) -> None:
    assert refused(name, page).what == "this is an HTML page, not a deck"


@pytest.mark.parametrize("data", [b"SQLite format 3", b"PK", b"text", b"\x50\x4b\x07\x08"])
def test_s47_what_is_no_archive_is_refused_as_a_package(data: bytes) -> None:
    assert refused("deck.apkg", data).what == "this is not an Anki package"


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", b"\xef\xbb\xbf", b"\xff\xfe"])
@pytest.mark.parametrize("name", ["deck.yaml", "deck.apkg", "deck.json", "deck"])
def test_s46_an_empty_file_is_refused_as_empty(name: str, data: bytes) -> None:
    assert refused(name, data).what == "the file is empty"


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"a\0b", b"\x1f\x8b\x08\0\0"])
def test_s46_a_binary_file_is_refused(data: bytes) -> None:
    assert refused("deck", data).what == "this is not a text file, nor an Anki package"


JSON = ["{}", '{"cards": []}', '{"schema": "other/1"}', "[]", '[{"front": "Q"}]', '["a", "b"]']


@pytest.mark.parametrize("text", JSON)
def test_s46_json_that_is_not_ours_is_refused_and_says_what_is(text: str) -> None:
    error = refused("deck.json", text)
    assert error.what == "this is JSON, but no deck of attn-study"
    assert "deck export NAME -o FILE.json" in error.hint


def test_s46_what_is_called_json_and_is_none_is_refused() -> None:
    assert refused("deck.json", "a,b\nc,d\n").what == "this is not JSON"


UNCLEAR = [
    "one word",
    "Hello, world",
    "a sentence; and one more",
    "a\nb\nc\n",
    "a,b\nc;d\ne\n",
    "[a]",
]


@pytest.mark.parametrize("text", UNCLEAR)
def test_s46_what_may_be_anything_is_refused_and_the_formats_are_named(text: str) -> None:
    error = refused("deck", text)
    assert error.what == "it is not clear which format this is"
    assert error.hint == f"say --format: one of {', '.join(FORMATS)}"


HOSTILE = [
    "Q:\n",
    "Q: a :",
    "{",
    "[",
    '"',
    "deck ",
    "---\n",
    "a\t",
    "C:",
    "\n",
    " ",
    ": ",
    "#",
    "a,",
]


@pytest.mark.parametrize("token", HOSTILE)
def test_s45_a_file_of_one_piece_over_and_over_is_known_or_refused(token: str) -> None:
    """Time that grew with the square of the length would take minutes here."""
    data = (token * (5_000_000 // len(token))).encode()
    try:
        found = known("deck", data)
    except UserError:
        found = "refused"
    assert found in ("csv", "tsv", "markdown", "refused")


def test_nothing_heavy_is_loaded_to_know_a_format() -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from attn_study.deck.formats import File\n"
        "from attn_study.deck.formats.recognise import recognise\n"
        f"for text in ({YAML!r}, {ROWS!r}, 'Q: a\\nA: b'):\n"
        "    recognise(File(Path('x'), text.encode()))\n"
        "print(sorted({'yaml', 'numpy', 'zstandard', 'genanki', 'sqlite3'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(SOURCES)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
