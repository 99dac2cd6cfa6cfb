"""Notes as Anki's plain text: its directives, what its own program makes of ours, and back."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from anki_package import opened, section_in_anki
from attn_study.deck.card import Card, Deck, Option
from attn_study.deck.formats import File, Imported, ReadOptions, WriteOptions
from attn_study.deck.formats.anki.package import write as write_package
from attn_study.deck.formats.anki.text import read, write
from attn_study.deck.holes import Hole, fault, parts
from attn_study.errors import UserError
from generated_decks import ENDS, FRONTS, PIECES, deck, decks
from memory_helpers import LAW

HERE = Path("mine.txt")
OURS = WriteOptions("anki-text")


def imported(data: str | bytes, **options: str) -> tuple[Imported, ...]:
    raw = data.encode() if isinstance(data, str) else data
    said = {"format": "anki-text"} | options
    return read(File(HERE, raw), ReadOptions(**said))  # type: ignore[arg-type]


def one(data: str | bytes, **options: str) -> Imported:
    (found,) = imported(data, **options)
    return found


def fields(data: str | bytes, **options: str) -> list[dict[str, Any]]:
    return [dict(note.fields) for note in one(data, **options).notes]


def refusal(data: str) -> UserError:
    with pytest.raises(UserError) as caught:
        imported(data)
    return caught.value


def told(note: Card) -> dict[str, Any]:
    """What Anki's note types have room for."""
    kept: dict[str, Any] = {
        "id": note.name if note.written_id else "",
        "kind": note.kind,
        "front": note.front,
        "cloze": note.cloze,
        "back": "\n\n".join(filter(None, (note.back, note.note))),
        "tags": list(note.tags),
    }
    if note.kind == "reversed":
        kept["back"] = note.back
    return {key: value for key, value in kept.items() if value}


@LAW
@given(decks(("basic", "reversed", "cloze")))
def test_a_deck_written_for_anki_reads_back_the_same(written: Deck) -> None:
    found = one(write(written, OURS).data)
    assert [dict(note.fields) for note in found.notes] == list(map(told, written.notes))
    assert (found.name, found.skipped) == ("mine", ())
    assert [note.section for note in found.notes] == [
        section_in_anki(" ".join(note.section.split())) for note in written.notes
    ]


def test_each_kind_becomes_a_note_type_that_every_anki_has() -> None:
    options = (Option("yes", "it\nis"), Option("no"))
    written = write(
        deck(
            (
                Card("mine/a", "basic", "#Q <unk>", r"\(a<b\)", note="N", tags=("t::u", "two x")),
                Card("mine/b", "reversed", "F", "B", note="N"),
                Card("mine/c", "cloze", "", "extra", cloze=r"{{c1::\(\frac{a}{b}\)::h}}"),
                Card("mine/d", "typed", "Q", "", answer="A"),
                Card("mine/e", "typed", "Q", "why", answer="A", accept=("B",), tolerance=0.5),
                Card("mine/~f", "choice", "Q", "", answer="no", options=options, written_id=False),
            ),
            "mine",
        ),
        OURS,
    )
    assert written.data.decode() == (
        "#separator:tab\n#html:true\n"
        "#guid column:1\n#notetype column:2\n#deck column:3\n#tags column:6\n"
        'attn-study/mine/a\tBasic\tmine\t"#Q &lt;unk&gt;"\t\\(a&lt;b\\)<br><br>N\tt::u two_x\n'
        "attn-study/mine/b\tBasic (and reversed card)\tmine\tF\tB\t\n"
        "attn-study/mine/c\tCloze\tmine\t{{c1::\\(\\frac{a}{b}\\)::h}}\textra\t\n"
        "attn-study/mine/d\tBasic (type in the answer)\tmine\tQ\tA\t\n"
        "attn-study/mine/e\tBasic\tmine\tQ\tA<br><br>why\t\n"
        "attn-study/mine/~f\tBasic\tmine\t"
        "Q<br><br>A. yes<br>B. no\tB. no<br><br>Not A: it<br>is\t\n"
    )
    assert written.losses == (
        "1 choice card as a plain question",
        "1 typed card as a plain question",
        "1 typed card without other answers",
        "1 typed card without tolerance",
        "1 reversed card without `note`",
        "1 card with `note` at the end of the back",
        "1 tag with _ for blanks",
    )


def test_a_choice_is_asked_alike_in_text_and_in_a_package_in_an_order_that_is_no_hint() -> None:
    options = tuple(Option(word, f"not {word}" if word != "a" else "") for word in "abc")
    notes = [Card(f"mine/{n}", "choice", "Q", "", answer="a", options=options) for n in range(9)]
    asked = deck(tuple(notes))
    (package,) = opened(write_package(asked, WriteOptions("apkg")).data)
    fronts = {note.fields["id"]: note.fields["front"] for note in package.notes}
    backs = {note.fields["id"]: note.fields["back"] for note in package.notes}
    text = one(write(asked, OURS).data)
    assert {note.fields["id"]: note.fields["front"] for note in text.notes} == fronts
    assert {note.fields["id"]: note.fields["back"] for note in text.notes} == backs
    assert {str(back).partition("\n")[0] for back in backs.values()} == {"A. a", "B. a", "C. a"}


def test_an_export_for_anki_comes_back_with_its_ids_and_kinds() -> None:
    notes = (
        Card("mine/a", "basic", "Q", "A"),
        Card("mine/d", "typed", "Q2", "", answer="A"),
        Card("mine/~0123456789", "basic", "Q3", "A", written_id=False),
        Card("mine/h", "basic", "a hole {{c1::x}}", "that is none"),
    )
    found = one(write(deck(notes), OURS).data)
    assert [(note.fields.get("id"), note.fields["kind"], note.source) for note in found.notes] == [
        ("a", "basic", "attn-study/mine/a"),
        ("d", "typed", "attn-study/mine/d"),
        (None, "basic", "attn-study/mine/~0123456789"),
        ("h", "basic", "attn-study/mine/h"),
    ]


# What Anki 26.09 exports of its own note types with all columns
EXPORT = '''\
#separator:tab
#html:true
#guid column:1
#notetype column:2
#deck column:3
#tags column:7
bpod,g6k+%\tCloze\tA::B\t"#c {{c1::x}}"\t\t\t
JFX5>eR]Z`\tBasic (optional reversed card)\tA\t"""q"" x"\tb;<br>c\ty\tz t::u
L(5h\tBasic (optional reversed card)\tA\tq2\tb\t\t
M*\tBasic (and reversed card)\tA\tq3\tb\t\t
N\tOwn type\tA\tq4\tb\tmore\t
'''


def test_an_export_of_anki_is_read_note_type_by_note_type() -> None:
    found = one(EXPORT)
    assert (found.name, [note.section for note in found.notes]) == ("A", ["B", "", "", "", ""])
    # An id that stays the same however the text is edited, as `sha256sum` makes it of the GUID
    names = [str(note.fields["id"]) for note in found.notes]
    assert names[1] == "anki-440bff8b39"
    assert len({*names}) == 5
    assert [
        {key: text for key, text in note.fields.items() if key != "id"} for note in found.notes
    ] == [
        {"kind": "cloze", "cloze": "#c {{c1::x}}"},
        {"kind": "reversed", "front": '"q" x', "back": "b;\nc", "tags": ["z", "t::u"]},
        {"kind": "basic", "front": "q2", "back": "b"},
        {"kind": "reversed", "front": "q3", "back": "b"},
        {"kind": "basic", "front": "q4", "back": "b", "note": "more"},
    ]
    assert (found.notes[1].line, found.notes[1].source) == (8, "JFX5>eR]Z`")
    assert found.remarks == (
        "tab-separated, 7 columns, no header",
        "1 note with more than two fields: the others are in `note`",
    )


def test_columns_may_be_named_and_tags_given_to_all() -> None:
    data = (
        "#separator:Semicolon\n#columns:Back;Front;Source;Labels\n#tags column:4\n"
        "#tags:all of\n#deck:Named\n#notetype:Basic (and reversed card)\n#if matches:keep both\n"
        'A;Q;Book;x\n# a comment; with " a quote\n'
    )
    found = one(data)
    assert (found.name, [dict(note.fields) for note in found.notes]) == (
        "Named",
        [
            {
                "kind": "reversed",
                "front": "Q",
                "back": "A",
                "note": "Book",
                "tags": ["x", "all", "of"],
            }
        ],
    )
    assert found.remarks == (
        "semicolon-separated, 4 columns, no header",
        "1 line that begins with # left out as a comment",
        "not followed: #if matches",
        "1 note with more than two fields: the others are in `note`",
    )


@pytest.mark.parametrize(
    ("said", "sign"),
    [
        ("tab", "\t"), ("Tab", "\t"), ("\t", "\t"), (r"\t", "\t"), ("Comma", ","), (",", ","),
        ("semicolon;;;", ";"), ("Pipe", "|"), ("space", " "), (" ", " "), ("colon", ":"),
        ("^", "^"),
    ],
)  # fmt: skip
def test_s03_a_directive_names_the_separator_in_each_of_its_ways(said: str, sign: str) -> None:
    assert fields(f"#separator:{said}\nQ{sign}A\n")[0]["back"] == "A"


@pytest.mark.parametrize(
    ("head", "what", "line"),
    [
        ("#separator:two", "'two' is not a separator", 1),
        ('#separator:"', "'\"' is not a separator", 1),
        ("#html:true\n#tags column:0", "`#tags column:` needs the number of a column, from 1", 2),
        ("#html:yes", "`#html:` is true or false", 1),
    ],
)
def test_a_directive_that_cannot_be_followed_is_refused(head: str, what: str, line: int) -> None:
    said = refusal(f"{head}\nQ\tA\n")
    assert (said.what, said.where) == (what, f"mine.txt:{line}")


def test_a_column_that_is_not_there_is_refused() -> None:
    assert refusal("#tags column:9\nQ\tA\n").what == "there is no column 9 for the tags"


def test_a_cloze_note_needs_no_second_field() -> None:
    assert fields("#separator:tab\n#notetype:Cloze\n{{c1::a}}, b\n") == [
        {"kind": "cloze", "cloze": "{{c1::a}}, b"}
    ]
    assert "only one column" in refusal("#separator:tab\nalone\n").what


def test_old_exports_without_directives_are_read_as_they_stand() -> None:
    assert fields('<b>Q</b>\t"a\nb"\n#c\tlost\n{{c1::x}}\t\n') == [
        {"kind": "basic", "front": "<b>Q</b>", "back": "a\nb"},
        {"kind": "cloze", "cloze": "{{c1::x}}"},
    ]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a<br>b", "a\nb"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("a&nbsp;b", "a b"),
        ("&lt;unk&gt;", "<unk>"),
        ("&amp;lt;", "&lt;"),
        ("a<br/>b", "a\nb"),
        ("<pre>if x:<br>    y</pre>", "if x:\n    y"),
        (r"\(a &lt; b\)", r"\(a < b\)"),
    ],
)
def test_s48_html_becomes_the_text_that_anki_shows(html: str, text: str) -> None:
    assert fields(f"#html:true\nQ\t{html}\n")[0]["back"] == text
    assert fields(f"#html:false\nQ\t{html}\n")[0]["back"] == html


def test_s48_pictures_and_sounds_stay_visible_and_are_counted() -> None:
    found = one('#html:true\n<img src="a(1).png">Q\tA[sound:x.mp3]\n')
    assert "a(1).png" in str(found.notes[0].fields["front"])
    assert "x.mp3" in str(found.notes[0].fields["back"])
    assert found.remarks[-1] == (
        "2 pictures or sounds left as names in brackets: picture a(1).png, sound x.mp3"
    )


def test_a_field_of_html_that_shows_nothing_is_empty() -> None:
    found = one("#html:true\nQ\t<div><br></div>\nR\tA\n")
    assert [(skip.line, skip.what) for skip in found.skipped] == [(2, "the back is empty")]


def _collection(folder: Path) -> Any:
    anki = pytest.importorskip("anki.collection", reason="the package `anki` is not installed")
    return anki.Collection(str(folder / "collection.anki2"))


def _take_in(collection: Any, path: Path) -> Any:
    from anki.collection import ImportCsvRequest

    metadata = collection.get_csv_metadata(str(path), None)
    return collection.import_csv(ImportCsvRequest(path=str(path), metadata=metadata)).log


def _filled(text: str) -> list[tuple[int, str, str]]:
    return [(one.number, one.text, one.hint) for one in parts(text) if isinstance(one, Hole)]


CLOZE = r"x {{c1::\(\frac{a}{\sqrt{d}}\)::hint}} y {{c2::\[a::b\]}} z {{c2::{q}}}"
SHOWN = (
    Card("mine/a", "basic", '#Q <unk>\t"x"', "\\(a<b\\)\n\nline  two ", tags=("t::u", "#x")),
    Card("mine/b", "reversed", "=F", "-inf"),
    Card("mine/c", "cloze", "", "extra", cloze=CLOZE),
    Card("mine/d", "typed", "type", "", answer="x"),
)


@pytest.mark.filterwarnings("ignore")
def test_anki_takes_in_our_text_once_and_later_only_what_changed(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    collection = _collection(tmp_path)
    try:
        path.write_bytes(write(deck(SHOWN), OURS).data)
        first = _take_in(collection, path)
        changed = Card("mine/b", "reversed", "=F", "+inf")
        path.write_bytes(write(deck((SHOWN[0], changed, *SHOWN[2:])), OURS).data)
        second = _take_in(collection, path)
        assert (len(first.new), len(second.new), len(second.updated)) == (4, 0, 1)
        notes = {note.guid: note for note in map(collection.get_note, collection.find_notes(""))}
        assert {guid: len(note.cards()) for guid, note in notes.items()} == {
            "attn-study/mine/a": 1,
            "attn-study/mine/b": 2,
            "attn-study/mine/c": 2,
            "attn-study/mine/d": 1,
        }
        assert sorted(notes["attn-study/mine/a"].tags) == ["#x", "t::u"]
        assert notes["attn-study/mine/a"].fields[1].startswith(r"\(a&lt;b\)<br>")
        card = notes["attn-study/mine/c"].cards()[0]
        assert r">[hint]</span> y <span" in card.question()
        assert r">\(\frac{a}{\sqrt{d}}\)</span> y" in card.answer()
    finally:
        collection.close()


def _nasty() -> Deck:
    """Notes of each kind that Anki has, with every piece at the beginning, within and at the end.

    Anki keeps texts in one form of Unicode, so they are written in it.
    """
    made = []
    for at, piece in enumerate(unicodedata.normalize("NFC", piece) for piece in PIECES):
        front, end = FRONTS[at % len(FRONTS)], ENDS[at % len(ENDS)]
        text, tags = f"{front}{at}{piece}x{end}", ("".join(f"x{piece}y".split()),)
        made += [
            Card(f"mine/b{at}", "basic", text, f"{piece}x{piece}", tags=tags),
            Card(f"mine/r{at}", "reversed", f"r{text}", f"{piece}x{piece}"),
            Card(f"mine/t{at}", "typed", f"t{text}", "", answer=f"x{piece}x"),
            Card(f"mine/c{at}", "cloze", "", "", cloze=f"{text}{{{{c1::x{piece}x::h}}}}{piece}"),
        ]
    return deck(tuple(note for note in made if note.kind != "cloze" or not fault(note.cloze)))


@pytest.mark.filterwarnings("ignore")
def test_what_anki_took_in_and_exported_again_is_the_same_deck(tmp_path: Path) -> None:
    data = write(_nasty(), OURS).data
    (tmp_path / "mine.txt").write_bytes(data)
    collection = _collection(tmp_path)
    try:
        _take_in(collection, tmp_path / "mine.txt")
        out = tmp_path / "out.txt"
        collection.export_note_csv(
            out_path=str(out), limit=None, with_html=True, with_tags=True, with_deck=True,
            with_notetype=True, with_guid=True,
        )  # fmt: skip
    finally:
        collection.close()
    ours, theirs = (
        {note.source: dict(note.fields) for note in one(text).notes}
        for text in (data, out.read_bytes())
    )
    assert len(ours) > 3 * len(PIECES)
    assert theirs == ours


def test_holes_are_the_same_ones_to_anki_and_to_us() -> None:
    html = write(deck((SHOWN[2],)), OURS).data.decode().splitlines()[-1].split("\t")[3]
    assert html.count("}}") == 3
    assert _filled(fields(write(deck((SHOWN[2],)), OURS).data)[0]["cloze"]) == _filled(CLOZE)
