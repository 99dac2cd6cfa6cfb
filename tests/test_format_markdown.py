"""Markdown decks: what is a card in them, what its text says, and what comes back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from attn_study.deck.card import Card, Option
from attn_study.deck.formats import File, Imported, ReadOptions, WriteOptions
from attn_study.deck.formats.markdown import reading as markdown
from attn_study.errors import UserError
from generated_decks import FULL, SLOW_LAW, assert_same, deck, decks, texts
from memory_helpers import LAW

if TYPE_CHECKING:
    from attn_study.deck.card import Deck

HERE = Path("notes.md")


def read(text: str | bytes) -> Imported:
    data = text if isinstance(text, bytes) else text.encode()
    (found,) = markdown.read(File(HERE, data), ReadOptions())
    return found


def fields(text: str | bytes) -> list[Any]:
    return [dict(note.fields) for note in read(text).notes]


def sides(text: str) -> list[tuple[Any, Any]]:
    return [(one["front"], one["back"]) for one in fields(text)]


def skipped(text: str) -> list[tuple[int, str]]:
    return [(one.line, one.what) for one in read(text).skipped]


def refused(text: str | bytes) -> UserError:
    with pytest.raises(UserError) as caught:
        read(text)
    return caught.value


def sent(*notes: Card, **heading: Any) -> str:
    """The Markdown of a deck with these notes."""
    whole = replace(deck(notes), **heading)
    return markdown.write(whole, WriteOptions("markdown")).data.decode()


def note(kind: str = "basic", **given: Any) -> Card:
    return Card("mine/a", kind, **{"front": "Q", "back": "A", **given})


# What is written comes back


@given(deck=decks(extras=True))
@SLOW_LAW
def test_s49_every_deck_comes_back_from_markdown_as_it_was(deck: Deck) -> None:
    assert_same(read(markdown.write(deck, WriteOptions("markdown")).data), deck)


@given(front=texts(), back=texts())
@LAW
def test_two_texts_are_one_card_to_a_reader_who_knows_no_comments(front: str, back: str) -> None:
    lines = sent(note(front=front, back=back)).split("\n")
    plain = "\n".join(line for line in lines if not line.startswith("<!-- attn-study"))
    found = read(plain)
    assert (len(found.notes), found.skipped) == (1, ())


MARKS = "Q: a\nA: b\nC: c\n---\n# d\n:: e\n<!-- attn-study {} -->\n\\Q: f\n[g] $h$ i\\"


def test_lines_that_look_like_marks_stay_text() -> None:
    cloze = "{{c1::x}}\n" + MARKS
    text = sent(note(front=MARKS, back=MARKS), note("cloze", front="", back="", cloze=cloze))
    assert fields(text) == [
        {"id": "a", "front": MARKS, "back": MARKS},
        {"id": "a", "cloze": cloze},
    ]


def test_a_fence_left_open_in_one_card_does_not_swallow_the_next() -> None:
    text = sent(note(front="```\na", back="~~~"), note(front="R", back="b\n```"))
    plain = "\n".join(line for line in text.split("\n") if not line.startswith("<!--"))
    assert [front for front, _ in sides(text)] == ["```\na", "R"]
    assert len(sides(plain)) == 2


def test_plain_cards_are_written_as_other_programs_read_them() -> None:
    cloze = r"The {{c1::query}} asks \(x\), {{c2::the key::one word}} [1] costs $5."
    text = sent(note(written_id=False), note("cloze", front="", back="", cloze=cloze))
    assert "\nQ: Q\nA: A\n\n" in text
    assert "\nC: The [query] asks $x$, [the key::one word] \\[1\\] costs \\$5.\n" in text
    assert text.startswith('---\nname = "mine"\n---\n')


def test_what_markdown_has_no_form_for_stands_in_one_comment_line_above_the_card() -> None:
    text = sent(note(tags=("a", "b"), note="-->\n<b>"))
    line = r'{"id": "a", "note": "-\u002d\u003e\n\u003cb\u003e", "tags": ["a", "b"]}'
    assert f"\n<!-- attn-study {line} -->\nQ: Q\nA: A\n" in text


def test_choices_can_be_read_by_anybody() -> None:
    options = (Option("one"), Option("two", "not this"))
    text = sent(note("choice", front="Which?", back="", options=options, answer="one"))
    assert "\nQ: Which?\n\n- one\n- two\nA: one\n" in text


def test_earlier_names_of_the_deck_come_back() -> None:
    assert read(sent(note(), formerly=("old", "older"))).formerly == ("old", "older")


def test_a_note_outside_all_sections_stays_outside() -> None:
    text = sent(note(section="S"), note(front="R", section=""), note(front="T", section="T"))
    assert [one.section for one in read(text).notes] == ["S", "", "T"]


def test_s49_what_is_not_carried_or_not_seen_by_others_is_said_with_numbers() -> None:
    notes = (
        note("reversed", tags=("t",)),
        note("typed", back="", answer="x"),
        note("typed", front="R", back="", answer="x", demo="scale"),
        note("cloze", front="", back="", cloze="{{c2::a}}"),
    )
    said = markdown.write(deck(notes), WriteOptions("markdown", rows=({"uid": "1"},))).losses
    assert said == (
        "1 row of history, which .json carries",
        "1 reversed card, a plain question to other programs",
        "2 typed cards, plain questions to other programs",
        "1 card with `tags`, which other programs do not see",
        "1 card with `demo`, which other programs do not see",
        "1 cloze text with holes that other programs see otherwise",
    )


# A text that was changed below its comment


def test_a_text_changed_below_its_comment_counts() -> None:
    text = sent(note(front=" Q: typo", back=" kept ", tags=("t",)))
    changed = text.replace("\nQ:  Q: typo", "\nQ: mended")
    assert fields(changed) == [{"id": "a", "front": "mended", "back": " kept ", "tags": ["t"]}]


def test_a_typed_card_changed_below_its_comment_is_not_guessed_at() -> None:
    text = sent(note("typed", back="", answer="0.25"), note(front="R"))
    changed = text.replace("\nA: 0.25", "\nA: 0.5")
    line = changed[: changed.index("\nQ: Q")].count("\n") + 2
    assert skipped(changed)[0][0] == line
    assert "do not fit the comment" in skipped(changed)[0][1]
    assert [one["front"] for one in fields(changed)] == ["R"]


def test_a_heading_changed_below_its_comment_counts() -> None:
    text = sent(note(section="two  blanks")).replace("\n## two blanks", "\n## Two")
    assert read(text).notes[0].section == "Two"


@pytest.mark.parametrize("comment", ["{", "[]", '{"color": "red"}', '{"tags": 1}', "{}x", "NaN"])
def test_a_comment_that_is_not_sound_costs_its_card_and_no_other(comment: str) -> None:
    text = f"<!-- attn-study {comment} -->\nQ: a\nA: b\n\nQ: c\nA: d\n"
    assert [line for line, _ in skipped(text)] == [2]
    assert sides(text) == [("c", "d")]


def test_a_comment_without_its_card_is_said() -> None:
    text = 'Q: a\nA: b\n<!-- attn-study {"id": "gone"} -->\n# S\n'
    assert skipped(text) == [(3, "a comment of attn-study without its card below")]


# What is a card

READ = [
    ("Q: a\nA: b", [("a", "b")]),
    ("Q: a\nA: b\nQ: c\nA: d", [("a", "b"), ("c", "d")]),
    ("Q:\na\n\nb\nA:\n\n- c\n- d\n\n", [("a\n\nb", "- c\n- d")]),
    ("Q: a\nA: b\n---\nnot a card\n", [("a", "b")]),
    ("Q: a\nA: b\n--- \nQ: c\nA: d", [("a", "b"), ("c", "d")]),
    ("Q: a\nA: b\n ---\nc", [("a", "b\n ---\nc")]),
    ("Q: a\nA: b\n  Q: no mark\n", [("a", "b\n  Q: no mark")]),
    ("text\n\nQ: a\nA: b", [("a", "b")]),
    ("Q: a\nA: b\n\n# S\n\nQ: c\nA: d", [("a", "b"), ("c", "d")]),
    ("Q: a\nA: b #tag\n#tag", [("a", "b #tag\n#tag")]),
    ("a :: b", [("a", "b")]),
    ("- a :: b\n12. c :: d", [("a", "b"), ("c", "d")]),
    ("a::b\nWhat is c?::d", [("a", "b"), ("What is c?", "d")]),
    ("a :: b\nstd::vector", [("a", "b")]),
    ("Q: a\nA: b\n---\nstd::vector", [("a", "b")]),
    ("a :: b :: c", [("a", "b :: c")]),
    ("`x :: y` \\(a :: b\\) $c :: d$ :: e", [("`x :: y` \\(a :: b\\) \\(c :: d\\)", "e")]),
    ("a :::: b\nc :: d", [("c", "d")]),
    ("```\na :: b\nQ: c\nA: d\n```\ne :: f", [("e", "f")]),
    ("a :: b <!--SR:!2024-01-01,3,250-->\n", [("a", "b")]),
    ("Q: a\nA: ~~~\n# b\n~~~", [("a", "~~~\n# b\n~~~")]),
    ("Q: a\nA: b ```x```\nQ: c\nA: d", [("a", "b ```x```"), ("c", "d")]),
]


@pytest.mark.parametrize(("text", "cards"), READ)
def test_cards_are_found(text: str, cards: list[tuple[str, str]]) -> None:
    assert sides(text) == cards
    assert skipped(text) == []


def test_three_colons_ask_from_both_sides() -> None:
    assert fields("a ::: b") == [{"kind": "reversed", "front": "a", "back": "b"}]


def test_colons_without_blanks_are_said_to_have_been_read() -> None:
    assert read("a::b").remarks == ("question::answer lines without blanks around the colons",)
    assert read("a :: b\nc::d").remarks == ()


S29 = """Q: What does it print?
A: It prints

```python
Q: not a card
A: nor this

---
# heading
```

and `A: b` too.
Q: no answer
---
Q: good
A: yes
"""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_s29_fences_are_opaque_and_a_broken_card_hides_no_other(end: str) -> None:
    text = S29.replace("\n", end)
    first, second = sides(text)
    assert first == ("What does it print?", S29[S29.index("It") : S29.index("\nQ: no answer")])
    assert second == ("good", "yes")
    assert skipped(text) == [(13, "a `Q:` without an `A:`")]


def test_s29_a_fence_that_is_never_closed_hides_nothing() -> None:
    assert sides("Q: a\nA: ```\nQ: b\nA: c") == [("a", "```"), ("b", "c")]


TWICE = "an `A:` on line 3 follows an `A:` of the same card"
INNER = r"a bracket stands inside a hole; write \[ for one that is text"
BROKEN = [
    ("Q: a\nQ: b\nA: c", [(1, "a `Q:` without an `A:`")]),
    ("Q: b\nA: c\nA: d\nx :: y\nQ: e\nA: f", [(1, TWICE)]),
    ("A: a\nQ: b\nA: c", [(1, "an `A:` without a `Q:`")]),
    ("C: [a]\nA: b\nQ: b\nA: c", [(1, "an `A:` on line 2 follows a `C:` of the same card")]),
    ("Q:\nA: a\nQ: b\nA: c", [(1, "the question is empty")]),
    ("Q: a\nA:\n\nQ: b\nA: c", [(1, "the answer is empty")]),
    ("C:\nQ: b\nA: c", [(1, "the text is empty")]),
    ("C: none\nQ: b\nA: c", [(1, "there is no hole in this text")]),
    ("C: []\nQ: b\nA: c", [(1, "a hole has nothing in it")]),
    ("C: [a\nQ: b\nA: c", [(1, r"a hole is never closed; write \[ for a bracket that is text")]),
    ("C: a]\nQ: b\nA: c", [(1, r"a `]` closes nothing; write \] for one that is text")]),
    ("C: [a [b]]\nQ: b\nA: c", [(1, INNER)]),
    ("C: [a}}b]\nQ: b\nA: c", [(1, "braces or `::` in a hole change where it ends")]),
    ("x ::\na :: b", [(1, "`::` has nothing on one side")]),
    ("Q: a\x07\nA: b\nQ: b\nA: c", [(1, "`front` holds the invisible character U+0007")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "why"), BROKEN)
def test_a_broken_card_is_skipped_by_its_line(text: str, why: list[tuple[int, str]]) -> None:
    assert skipped(text) == why
    assert len(fields(text)) == 1


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# only a heading", "some text: and more", "```\nQ: a\nA: b\n```"]
)
def test_a_file_without_a_card_is_refused(text: str) -> None:
    assert (refused(text).what, refused(text).where) == (
        "there is no card in this file",
        "notes.md",
    )


def test_a_file_with_broken_cards_alone_is_refused_by_the_first_of_them() -> None:
    error = refused("\nQ: a\n")
    assert (error.what, error.where) == (
        "no card can be read: a `Q:` without an `A:`",
        "notes.md:2",
    )


# What a text says

TEXTS = [
    (r"$x_i$ and $$y$$", r"\(x_i\) and \[y\]"),
    ("$$\na\n$$", "\\[\na\n\\]"),
    ("costs $5 and $6", "costs $5 and $6"),
    ("$ 5 or 6$ now", "$ 5 or 6$ now"),
    ("from $5-$6 on", "from $5-$6 on"),
    ("$ x $", r"\( x \)"),
    (r"\$5 and `\$x$`", r"$5 and `\$x$`"),
    (r"\(a $ b\) and \[c\]", r"\(a $ b\) and \[c\]"),
    ("```\n$x$\n```", "```\n$x$\n```"),
    ("~~~\n$x$ ``` $y$\n~~~\n$z$", "~~~\n$x$ ``` $y$\n~~~\n\\(z\\)"),
    ("`$x$` ``a ` $b$`` $c$", "`$x$` ``a ` $b$`` \\(c\\)"),
    ("x_j*y*z __init__ <unk> <s>", "x_j*y*z __init__ <unk> <s>"),
    (r"\alpha \\ \* \_", r"\alpha \\ \* \_"),
    ("$a\n\nb$", "$a\n\nb$"),
    ("![cat [x]](a$b$.png)", "![cat [x]](a\\(b\\).png)"),
]


@pytest.mark.parametrize(("written", "said"), TEXTS)
def test_s05_mathematics_is_told_from_money_and_code_and_nothing_else_changes(
    written: str, said: str
) -> None:
    assert sides(f"Q: {written}\nA: {written}") == [(said, said)]


CLOZES = [
    ("$x!$ has [one] hole", r"\(x!\) has {{c1::one}} hole"),
    ("[a] and [b::hint]", "{{c1::a}} and {{c2::b::hint}}"),
    ('`f"{name}" [0]` is [code]', '`f"{name}" [0]` is {{c1::code}}'),
    (r"$\frac{1}{2}$ $x_{[i]}$ [a]", r"\(\frac{1}{2}\) \(x_{[i]}\) {{c1::a}}"),
    (r"\(x_{[i]}\) $$[y]$$ [a]", r"\(x_{[i]}\) \[[y]\] {{c1::a}}"),
    (r"\[kept\] [a]", "[kept] {{c1::a}}"),
    (r"[a \[b\] c]", "{{c1::a [b] c}}"),
    ("![an [a] image](x.png) [a]", None),
    ("![image](x.png) [a]", "![image](x.png) {{c1::a}}"),
    ("wow! [a]", "wow! {{c1::a}}"),
    (r"[$\frac{a}{b}$] and [`}}`]", r"{{c1::\(\frac{a}{b}\)}} and {{c2::`}}`}}"),
    ("```\nx[0] = {}\n```\n[a]", "```\nx[0] = {}\n```\n{{c1::a}}"),
    ("~~~\nx[0]\n~~~\n[a]", "~~~\nx[0]\n~~~\n{{c1::a}}"),
    ("[a\nb]", "{{c1::a\nb}}"),
    ("{{c2::written}} as in a deck", "{{c2::written}} as in a deck"),
    ("{{c1::mixed}} and [a]", None),
]


@pytest.mark.parametrize(("written", "said"), CLOZES)
def test_s28_only_brackets_in_the_text_are_holes(written: str, said: str | None) -> None:
    found = [one["cloze"] for one in fields(f"C: {written}\n---\na :: b") if "cloze" in one]
    assert found == ([] if said is None else [said])


# Names and headings


HEADED = [
    ('---\nname = "Medicine"\n---\na :: b', "Medicine", ""),
    ("---\ndeck: Medicine\ntags: [x]\n---\na :: b", "Medicine", ""),
    ("---\ntitle: \"A: B\"\nname: 'M'\n---\na :: b", "M", ""),
    ("---\n: : [\n---\na :: b", "notes", ""),
    ("---\nname = 3\n---\na :: b", "notes", ""),
    ("# Title\na :: b", "notes", "Title"),
    ("# One\na :: b\n# Two\nc :: d", "notes", ""),
    ("a :: b\n# Late\nc :: d", "notes", ""),
    ("## Two\na :: b", "notes", ""),
]


@pytest.mark.parametrize(("text", "name", "title"), HEADED)
def test_the_deck_is_named_by_its_front_matter_and_titled_by_its_only_first_heading(
    text: str, name: str, title: str
) -> None:
    found = read(text)
    assert (found.name, found.title) == (name, title)


def test_two_rules_around_a_card_are_no_front_matter() -> None:
    assert sides("---\nQ: a\nA: b\n---\nc :: d") == [("a", "b"), ("c", "d")]


def test_headings_become_sections_and_notes_know_their_lines() -> None:
    found = read("# T\nx :: 1\n## $a$ b\n\ny :: 2\n### c\nQ: z\nA: 3\n")
    assert [(one.section, one.line) for one in found.notes] == [
        ("", 2),
        (r"\(a\) b", 5),
        ("c", 7),
    ]


def test_a_word_with_a_sharp_sign_is_no_heading() -> None:
    assert sides("Q: a\nA: b\n#tag") == [("a", "b\n#tag")]


def test_s25_marks_and_line_ends_of_other_systems_leave_no_trace() -> None:
    text = "Q: é – a\r\nb\r\nA: c\r\n"
    for data in (text.encode("utf-8-sig"), text.encode("utf-16"), text.encode()):
        assert fields(data) == [{"front": "é – a\nb", "back": "c"}]


def test_s25_bytes_that_are_not_utf8_are_refused_by_their_line() -> None:
    assert refused("Q: a\nA: é".encode("cp1252")).where == "notes.md:2"


TOO_MUCH = [
    ("Q: a\nA: b\n" + "\n" * 1_000_000, "notes.md", "more than 1,000,000 lines"),
    ("x" * 20_000_001, "notes.md", "larger than 20 MB"),
]


@pytest.mark.parametrize(("text", "where", "what"), TOO_MUCH, ids=["lines", "letters"])
def test_s26_more_than_a_deck_can_have_is_refused(text: str, where: str, what: str) -> None:
    error = refused(text)
    assert (error.where, error.what) == (where, what)


def test_s26_more_cards_than_a_deck_can_have_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attn_study.deck.formats.markdown.blocks.MAX_BLOCKS", 1_000)
    error = refused("a::b\n" * 1_001)
    what = "more than 1,000 cards and headings"
    assert (error.where, error.what) == ("notes.md:1001", what)


LONG = 200_000 if FULL else 40_000  # characters
INSIDE = (
    "$ ",
    r"\(",
    "$a$",
    "`",
    "``` ",
    "\\",
    "[",
    "![",
    "\\[",
    "$$",
    "::",
    "{{c1::",
    " - ",
    "\\$ $",
)
LINES = ("~~~\n", "```\n", "Q: x\n", "A:\n", "# \n", "<!-- attn-study {\n", "a ::\n")


@pytest.mark.parametrize("token", ["x", "ab ", "\\\\"])
def test_s26_a_field_of_200000_characters_is_read(token: str) -> None:
    long = "C: [a] " + token * (200_000 // len(token)) + "\n---\nx :: y\n"
    assert fields(long)[-1] == {"front": "x", "back": "y"}


@pytest.mark.parametrize("token", [*INSIDE, *LINES])
def test_s26_a_long_field_of_marks_is_read_or_refused(token: str) -> None:
    """Time that grew with the square of the length would take a long while here."""
    long = "C: [a] " + token * (LONG // len(token)) + "\n---\nx :: y\n"
    assert fields(long)[-1] == {"front": "x", "back": "y"}
