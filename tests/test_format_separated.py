"""Tables as text: which separator and columns a file has, what is refused, and the way back."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from attn_study.deck.card import Card, Deck, Figure, Option
from attn_study.deck.composing import Heading
from attn_study.deck.formats import File, Imported, ReadOptions, WriteOptions
from attn_study.deck.formats.table.separated import read, write
from attn_study.deck.merging import merge
from attn_study.deck.spelling import spelled
from attn_study.errors import UserError
from generated_decks import deck, decks
from memory_helpers import LAW

HERE = Path("mine.csv")
LOST = ("figure", "demo", "with", "after")  # no column holds them


def imported(data: str | bytes, **options: str) -> tuple[Imported, ...]:
    raw = data.encode() if isinstance(data, str) else data
    said = {"format": "csv"} | options
    return read(File(HERE, raw), ReadOptions(**said))  # type: ignore[arg-type]


def one(data: str | bytes, **options: str) -> Imported:
    (found,) = imported(data, **options)
    return found


def sides(data: str | bytes, **options: str) -> list[tuple[object, object]]:
    """The fronts and backs of a file."""
    return [
        (note.fields.get("front"), note.fields.get("back")) for note in one(data, **options).notes
    ]


def skipped(data: str | bytes, **options: str) -> list[tuple[int, str]]:
    return [(skip.line, skip.what) for skip in one(data, **options).skipped]


def refusal(data: str | bytes, **options: str) -> UserError:
    with pytest.raises(UserError) as caught:
        imported(data, **options)
    return caught.value


def plain(value: Any) -> Any:
    """Lists for tuples, as deep as they go."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def told(note: Card) -> dict[str, Any]:
    """What a table must give back of a note."""
    kept = {key: value for key, value in spelled(note).items() if key not in LOST}
    return {key: plain(value) for key, value in (kept | {"kind": note.kind}).items()}


def comes_back(written: Deck, name: str) -> None:
    data = write(written, WriteOptions(name)).data
    found = one(data, format=name)
    assert [plain(dict(note.fields)) for note in found.notes] == list(map(told, written.notes))
    assert [note.section for note in found.notes] == [note.section for note in written.notes]
    assert found.skipped == ()


@LAW
@given(decks())
def test_a_deck_written_as_csv_reads_back_the_same(written: Deck) -> None:
    comes_back(written, "csv")


@LAW
@given(decks(extras=True))
def test_a_deck_written_as_tsv_reads_back_the_same_but_for_what_no_column_holds(
    written: Deck,
) -> None:
    comes_back(written, "tsv")


@LAW
@given(decks(("basic", "cloze")))
def test_another_reader_of_csv_finds_the_texts_of_a_deck_in_its_cells(written: Deck) -> None:
    text = write(written, WriteOptions("csv")).data.decode()
    table = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [(row["front"], row["back"]) for row in table] == [
        (note.front or note.cloze, note.back) for note in written.notes
    ]


CHOICE = Card(
    "mine/c",
    "choice",
    "Which?",
    "",
    answer="a, b",
    options=(Option("a, b"), Option('say "c"', "No:\nnot | this")),
)


def test_the_cells_of_a_written_table_stand_under_their_names() -> None:
    basic = Card("mine/q", "basic", 'a "b"', "x,y", tags=("t", "two words"), section="S")
    data = write(deck((basic, CHOICE)), WriteOptions("csv")).data
    assert data.decode() == (
        "front,back,answer,choices,tags,section,kind,id\r\n"
        '"a ""b""","x,y",,,"t ""two words""",S,basic,q\r\n'
        'Which?,,"a, b","a, b\n""say """"c""""""|""No:\nnot | this""",,,choice,c\r\n'
    )


def test_a_written_table_says_what_it_does_not_carry() -> None:
    figure = Figure(("a", "b"), (0.5, 0.5), "a")
    full = Card("mine/a", "basic", "F", "B", figure=figure, demo="scale", after=("mine/b",))
    computed = Card("mine/b", "computed", "", "", question="scale.score")
    whole = deck((full, full, computed), "Long", "A book", "de")
    written = write(whole, WriteOptions("csv", rows=({},)))
    assert written.losses == (
        "1 computed card",
        "2 figures",
        "2 demos",
        "2 lists of cards that come before",
        "of the deck itself: title, source, language",
        "1 row of history, which .json carries",
    )
    assert write(deck((CHOICE,), "mine"), WriteOptions("csv")).losses == ()


def test_s50_cells_that_look_like_formulas_are_written_exactly_and_counted() -> None:
    texts = ("=QK^T", "-inf", "+1", "@x", "\tcell", "a=b")
    notes = tuple(Card(f"mine/{at}", "basic", f"Q{at}", text) for at, text in enumerate(texts))
    written = write(deck(notes, "mine"), WriteOptions("csv"))
    assert sides(written.data) == [(f"Q{at}", text) for at, text in enumerate(texts)]
    assert written.losses == (
        "5 cells begin with = + - @ or a tab, which a spreadsheet may read as a formula",
    )


EXCEL = [("What is QK^T?", "scores é –"), ("√d_k", "scale")]


@pytest.mark.parametrize(
    ("encoding", "said"),
    [("utf-8-sig", ""), ("utf-16", ""), ("utf-16-le", "utf-16-le"), ("utf-8", "utf-8")],
)
@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_s25_marks_of_byte_order_and_line_ends_leave_no_trace(
    encoding: str, said: str, end: str
) -> None:
    rows = ["front\tback", *("\t".join(pair) for pair in EXCEL), ""]
    assert sides(end.join(rows).encode(encoding), encoding=said) == EXCEL
    assert skipped(end.join(rows).encode(encoding), encoding=said) == []


def test_s25_utf_16_with_the_large_byte_first_is_read() -> None:
    rows = "front\tback\r\n" + "".join(f"{a}\t{b}\r\n" for a, b in EXCEL)
    assert sides(b"\xfe\xff" + rows.encode("utf-16-be")) == EXCEL


def test_s25_utf_16_without_a_mark_is_refused_with_what_to_say() -> None:
    said = refusal("front\tback\nQ\tA\n".encode("utf-16-le"))
    assert (said.what, said.where) == ("this is not UTF-8 text", "mine.csv")
    assert "--encoding utf-16-le" in said.hint


@pytest.mark.parametrize("end", [b"\r\n", b"\r", b"\n"])
def test_s25_other_bytes_are_refused_by_line_until_the_encoding_is_said(end: bytes) -> None:
    data = end.join([b"front,back", b"Q,A", b"caf\xe9,x \x96 y", b""])
    said = refusal(data)
    assert (said.what, said.where) == ("the byte 0xE9 is not UTF-8", "mine.csv:3")
    assert "--encoding cp1252" in said.hint
    assert sides(data, encoding="cp1252")[1] == ("café", "x – y")


@pytest.mark.parametrize("name", ["no-such", "base64", "idna", "punycode", "a\0b", "é"])
def test_s25_what_is_no_encoding_of_text_is_refused(name: str) -> None:
    assert refusal("front,back\nQ,A\n", encoding=name).what.startswith("there is no text encoding")


def test_s25_a_text_that_is_not_in_the_encoding_said_is_refused_by_line() -> None:
    said = refusal("front,back\nQ,é\n".encode(), encoding="ascii")
    assert (said.what, said.where) == ("the byte 0xC3 is not ASCII", "mine.csv:2")
    assert refusal(b"front,back\nQ,+A", encoding="utf-7").where.startswith("mine.csv")


def test_s25_the_line_by_which_excel_names_the_separator_is_followed() -> None:
    found = one("sep=;\r\nWhat, where?;a, b\r\n")
    assert [dict(note.fields) for note in found.notes] == [
        {"kind": "basic", "front": "What, where?", "back": "a, b"}
    ]
    assert found.notes[0].line == 2


@pytest.mark.parametrize("sign", ["\t", ";", ",", "|"])
def test_s03_a_separator_that_splits_the_rows_evenly_is_found_and_named(sign: str) -> None:
    names = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "pipe"}
    others = [other for other in names if other not in (sign, "\t")]
    rows = [f"Q{at}{sign}A{others[0] * at}{others[1] * (at // 2)}" for at in range(5)]
    found = one("\n".join(rows))
    assert [note.fields["front"] for note in found.notes] == [f"Q{at}" for at in range(5)]
    assert found.remarks == (f"{names[sign]}-separated, 2 columns, no header",)


def test_s03_semicolons_are_not_mistaken_for_the_commas_in_the_answers() -> None:
    rows = "What is QK^T?;softmax, scaled\nWhat is V?;values\nAnd d_k?;the width, per head, of K\n"
    assert sides(rows)[0] == ("What is QK^T?", "softmax, scaled")


def test_s03_a_tab_wins_over_signs_that_stand_in_every_row() -> None:
    assert sides("a, b;\tc\nd, e;\tf\n") == [("a, b;", "c"), ("d, e;", "f")]


def test_s03_a_header_says_which_separator_it_is() -> None:
    assert sides("question;answer\na,b;c\n") == [("a,b", "c")]


def test_s03_two_separators_that_both_fit_are_refused() -> None:
    said = refusal("What is QK^T?;softmax, scaled\n")
    assert said.what.startswith("semicolon and comma would each split the rows evenly")
    assert "--field-sep" in said.hint


def test_s03_what_the_learner_says_wins_over_the_rows_and_over_a_directive() -> None:
    rows = "What is QK^T?;softmax, scaled\n"
    assert sides(rows, field_separator=";") == [("What is QK^T?", "softmax, scaled")]
    assert sides(rows, field_separator=",") == [("What is QK^T?;softmax", "scaled")]
    assert sides(f"#separator:Comma\n{rows}", field_separator=";")[0][1] == "softmax, scaled"
    assert sides(f"#separator:Comma\n{rows}")[0][1] == "scaled"


def test_s03_a_file_called_tsv_is_split_at_its_tabs_alone() -> None:
    assert sides("a;b\tc;d\n", format="tsv") == [("a;b", "c;d")]
    assert "only one column" in refusal("a;b\n", format="tsv").what


@pytest.mark.parametrize("data", ["alpha\nbeta\n", "front\nalpha\n", "word\nwonder\n"])
def test_s03_one_column_is_refused(data: str) -> None:
    assert "only one column" in refusal(data).what


def test_s03_rows_of_unequal_length_are_refused() -> None:
    said = refusal("".join(",".join("abcdefg"[: at % 5 + 1]) + "\n" for at in range(200)))
    assert said.what == (
        "no separator splits the rows evenly: comma gives 5 fields on 20% of the rows"
    )


def test_s03_one_odd_row_in_five_is_too_many_to_be_sure() -> None:
    assert "on 80% of the rows" in refusal("Q;A\n" * 4 + "odd;A;B\n").what


def test_s03_a_few_odd_rows_do_not_hide_the_separator() -> None:
    rows = "".join(f"Q{at};A\n" for at in range(19)) + "odd;A;B\n"
    assert len(sides(rows)) == 19
    assert skipped(rows) == [(20, "3 fields where 2 are expected")]


def test_s03_cards_without_a_back_are_left_out_one_by_one() -> None:
    data = "front,back\nQ,A\nR,\nS,   \n,T\n"
    assert skipped(data) == [
        (3, "the back is empty"),
        (4, "the back is empty"),
        (5, "the front is empty"),
    ]


def test_columns_without_names_are_not_guessed_at() -> None:
    said = refusal("a,b,c\nd,e,f\n")
    assert said.what == "3 columns, and no line above them says what they hold"
    assert sides("a,b,,\nc,d,,\n") == [("a", "b"), ("c", "d")]


def test_a_header_is_known_in_any_case_and_other_columns_are_named() -> None:
    found = one(" Term ,Level,DEFINITION,Tags\nQ,3,A,x y\n")
    assert dict(found.notes[0].fields) == {
        "kind": "basic",
        "front": "Q",
        "back": "A",
        "tags": ["x", "y"],
    }
    assert found.remarks == (
        "comma-separated, 4 columns, header",
        "columns left out: Level",
    )


def test_two_columns_of_the_same_meaning_are_refused() -> None:
    assert refusal("front,term,back\na,b,c\n").what == "two columns hold the front"


def test_holes_in_a_front_make_a_cloze_card_where_no_column_says_the_kind() -> None:
    rows = "front,back\nA {{c1::hole}},\nopen {{c1::hole,A\n"
    cloze, basic = (dict(note.fields) for note in one(rows).notes)
    assert cloze == {"kind": "cloze", "cloze": "A {{c1::hole}}"}
    assert basic == {"kind": "basic", "front": "open {{c1::hole", "back": "A"}


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("Q,A,revers,,", "there is no kind of card called `revers`; did you mean reversed?"),
        ("Q,A,computed,,", "a table cannot hold a computed card"),
        ("Q,A,cloze,,", "there is no hole in this text"),
        ("Q,A,choice,,", "there are no choices"),
        ("Q,A,choice,A|b|c,", "a choice has more than a text and why it is wrong"),
        ('Q,A,choice,"A\n""",', "in the choices, a quote opens here and is not closed"),
        ("Q,A,typed,,wide", "the tolerance is no number"),
        ("Q,,typed,,", "the answer is empty"),
    ],
)
def test_a_row_that_makes_no_card_is_left_out_with_its_reason(row: str, why: str) -> None:
    data = f"front,back,kind,choices,tolerance\nQ0,A0,,,\n{row}\nQ2,A2,,,\n"
    assert (len(one(data).notes), skipped(data)) == (2, [(3, why)])


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("Q,A,choice,A", "1 choice where 2 to 9 are expected"),
        ('Q,A,choice,"B\nC"', "the answer 'A' is not among the choices"),
        ('Q,A,choice,"A\nA"', "the choice 'A' is given twice"),
    ],
)
def test_a_choice_that_cannot_be_asked_is_named_by_its_line_when_its_deck_is_made(
    row: str, why: str
) -> None:
    read_rows = one(f"front,back,kind,choices\nQ0,A0,,\n{row}\nQ2,A2,,\n")
    made = merge(read_rows, Heading("mine", "Mine"), None, Path("mine.yaml"))
    assert [(left.line, left.what) for left in made.skipped] == [(3, why)]
    assert [note.front for note in made.deck.notes] == ["Q0", "Q2"]


def test_s19_what_is_given_twice_is_left_out_with_both_lines() -> None:
    data = "front,back,id\nQ,A,x\nR,B,x\nS,C,\nS ,C,\nCafé,1,\nCafe\u0301,2,\nQ,A,y\n"
    assert skipped(data) == [
        (3, "the id 'x' is given twice, first on line 2"),
        (5, "the same front as the card on line 4"),
        (7, "the same front as the card on line 6"),
    ]


def test_s19_decks_in_one_file_stay_apart_however_alike_their_names() -> None:
    found = imported("front,back,deck\nQ,A,One\nQ,A,one\nR,B,One\nS,C,\n")
    assert [(each.name, len(each.notes)) for each in found] == [("One", 2), ("one", 1), ("mine", 1)]


def test_an_id_that_a_deck_cannot_hold_is_left_out_and_counted() -> None:
    found = one("front,back,id\nQ,A,Card 5\nR,B,ok-1\n")
    assert [note.fields.get("id") for note in found.notes] == [None, "ok-1"]
    assert "1 id left out that a deck cannot hold" in found.remarks


TABLE = '<table>\n  <tr><td class="x">a, b</td></tr>\n</table>'


def test_s26_quoted_fields_over_several_lines_are_one_field() -> None:
    data = (
        f'Q,"{TABLE.replace(chr(34), chr(34) * 2)}"\r\n"two\r\nlines","\\frac{{a}}{{b}}, ""x"""\r\n'
    )
    assert sides(data) == [("Q", TABLE), ("two\nlines", '\\frac{a}{b}, "x"')]
    assert [note.line for note in one(data).notes] == [1, 4]


@pytest.mark.parametrize("head", ["", "front,back\n", "#separator:comma\n"])
def test_s26_a_quote_that_never_closes_is_refused_with_its_line(head: str) -> None:
    rows = f'{head}Q,A\nR,"open\nS,B\n' + "T,C\n" * 1000
    said = refusal(rows)
    assert said.what == "a quote opens here and is not closed"
    assert said.where == f"mine.csv:{head.count(chr(10)) + 2}"


def test_s26_a_quote_that_closes_in_another_row_is_refused_with_its_line() -> None:
    said = refusal('front,back\nQ,A\n"Attention is,all\nyou" need,B\n')
    assert (said.what, said.where) == ("a quote opens here and is not closed", "mine.csv:3")


def test_s26_a_quote_that_closes_too_early_costs_its_row_alone() -> None:
    data = 'front,back\n"Attention" is all,B\nR,C\n'
    assert sides(data) == [("R", "C")]
    assert skipped(data)[0][0] == 2
    assert "a quote inside a field is written twice" in skipped(data)[0][1]


def test_s26_quotes_within_a_bare_field_are_text() -> None:
    assert sides('a 12" screen,say "x"\nb,c\n') == [('a 12" screen', 'say "x"'), ("b", "c")]


def test_s26_blanks_around_bare_and_quoted_fields_mean_nothing() -> None:
    assert sides('Q , "a, b" \n R," kept "\n') == [("Q", "a, b"), ("R", " kept ")]


def test_s26_a_field_of_any_length_is_read() -> None:
    long = "x, " * 70_000
    assert sides(f'Q,"{long}"\nR,{"y" * 200_000}\n') == [("Q", long), ("R", "y" * 200_000)]


@pytest.mark.parametrize("foul", ["\0", "\x0b", "\ufeff", "\u2028"])
def test_s26_a_row_with_an_invisible_character_is_left_out_and_named(foul: str) -> None:
    data = f"front,back\nQ,A{foul}B\nR,B\n"
    assert skipped(data) == [(2, f"it holds an invisible character, U+{ord(foul):04X}")]
    assert sides(data) == [("R", "B")]


def test_s26_rows_with_too_few_or_too_many_fields_are_left_out_with_their_lines() -> None:
    data = "front,back\nQ,A\nlone\n\nR,B,C\nS,C,,\n"
    assert sides(data) == [("Q", "A"), ("S", "C")]
    assert skipped(data) == [
        (3, "1 field where 2 are expected"),
        (5, "3 fields where 2 are expected"),
    ]


@pytest.mark.parametrize(
    "data", ["", "\n\n", "front,back\n", "front,back\nQ,\n", ",,\n", "sep=;\n"]
)
def test_s26_a_file_without_a_card_is_refused(data: str) -> None:
    assert refusal(data).what


def test_s26_a_file_whose_cards_all_fail_says_why_the_first_does() -> None:
    said = refusal("front,back\nQ,\nR,\n")
    assert said.what == "there is no card in this file: line 2, the back is empty"


QUIZLET = {"format": "quizlet"}


def test_s30_terms_and_definitions_are_split_at_tabs_and_lines() -> None:
    found = one('query\t"what, it" seeks\nkey\twhat it offers\n', **QUIZLET)
    assert [dict(note.fields) for note in found.notes] == [
        {"kind": "basic", "front": "query", "back": '"what, it" seeks'},
        {"kind": "basic", "front": "key", "back": "what it offers"},
    ]
    assert found.remarks == ("split at tab into term and definition, at '\\n' into rows",)


def test_s30_definitions_of_several_lines_need_a_row_separator_of_their_own() -> None:
    data = "a\tone\r\ntwo\r\n\r\n~~\r\nb\tthree~~c\t\n"
    assert sides(data, **QUIZLET, row_separator="~~") == [("a", "one\ntwo"), ("b", "three")]
    assert skipped(data, **QUIZLET, row_separator="~~") == [(5, "the back is empty")]
    assert skipped("a\tone\ntwo\n", **QUIZLET) == [(2, "1 field where 2 are expected")]


def test_s30_semicolons_in_the_text_show_where_they_cut_a_row() -> None:
    data = "a\tone; two;b\tthree"
    assert sides(data, **QUIZLET, row_separator=";") == [("a", "one"), ("b", "three")]
    assert skipped(data, **QUIZLET, row_separator=";") == [(1, "1 field where 2 are expected")]


def test_s30_commas_may_stand_between_term_and_definition() -> None:
    options = QUIZLET | {"field_separator": ",", "row_separator": "\r\n"}
    assert sides("a,b\nc,d, e\n", **options) == [("a", "b")]
    assert skipped("a,b\nc,d, e\n", **options) == [(2, "3 fields where 2 are expected")]


def test_s30_one_separator_for_both_is_refused() -> None:
    assert "cannot separate both" in refusal("a\tb", **QUIZLET, row_separator="\t").what


def test_more_rows_or_columns_than_a_deck_can_use_are_refused_by_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("attn_study.deck.formats.table.rows.MAX_ROWS", 1_000)
    assert refusal("a,b\n" * 1_001).where == "mine.csv:1001"
    said = refusal("Q,A\n" + "x," * 1_000 + "\n", field_separator=",")
    assert (said.what, said.where) == ("more than 1,000 columns", "mine.csv:2")
