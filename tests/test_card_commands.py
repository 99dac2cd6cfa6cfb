"""`attn-study card`: finding, showing, adding, editing, grading and putting away."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from attn_study.deck.reader import read
from cli_helpers import SMALL, Shell, built_in_cards

if TYPE_CHECKING:
    from pathlib import Path

    from terminal import Window


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.fixture
def mine(shell: Shell) -> Shell:
    """A learner whose only deck is the small one."""
    shell.only_mine()
    return shell


# Finding


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ([], ["one", "two", "three"]),
        (["question"], ["one", "two", "three"]),
        (["second"], ["two"]),
        (["SECOND", "answer."], ["two"]),
        (["second answer"], ["two"]),
        (["sec"], ["two"]),
        (["econd"], []),
        (["even"], ["two"]),
        (["first", "second"], []),
        (["deck:mine", "tag:even"], ["two"]),
        (["tag:even", "tag:small"], ["two"]),
        (["tag:even", "tag:odd"], []),
        (["tag:eve"], []),
        (["one"], ["one"]),
        (["tag:"], []),
    ],
    ids=str,
)
def test_every_part_of_a_query_must_fit(mine: Shell, query: list[str], found: list[str]) -> None:
    assert mine.ids(*query) == [f"mine/{name}" for name in found]


@pytest.mark.parametrize(
    "odd",
    [
        "[",
        "{",
        "\\",
        '"',
        "'",
        "_",
        "²",
        "×",
        "√",
        "注",
        "🇳🇱",
        "́",
        "x-y",
        "d_k",
        '"x"',
        "*",
        "^",
        ":",
    ],
)
def test_a_query_finds_the_cards_that_have_these_characters(mine: Shell, odd: str) -> None:
    mine.done("card", "add", "mine", "--", f"Here {odd} stands", "A")
    assert [card["front"] for card in mine.cards(odd)] == [f"Here {odd} stands"]


def test_where_a_card_stands_can_be_asked_for(mine: Shell) -> None:
    mine.deck(SMALL + "".join(f"  - {{id: c{n}, front: F{n}, back: B}}\n" for n in range(3)))
    for words in ("grade mine/one good", "grade mine/two hard", "grade mine/three good"):
        mine.done("card", *words.split())
    mine.now = "2026-03-03T12:00:00+00:00"
    for words in ("grade mine/two good", "grade mine/three good", "bury mine/c0"):
        mine.done("card", *words.split())
    for words in ("suspend mine/three", "suspend mine/c1", "resume mine/c1"):
        mine.done("card", *words.split())
    stands = {
        "due": ["one"],
        "waiting": ["two"],
        "suspended": ["three"],
        "buried": ["c0"],
        "new": ["c1", "c2"],
        "flagged": [],
        "leech": [],
    }
    for name, cards in stands.items():
        assert mine.ids(f"is:{name}") == [f"mine/{card}" for card in cards], name


def test_a_flagged_card_is_found_and_marked(mine: Shell) -> None:
    mine.done("review", given=":flag a typo\n")
    assert mine.ids("is:flagged") == ["mine/one"]
    assert [card["flagged"] for card in mine.cards()] == [True, False, False]
    assert "reported: a typo" in mine.done("card", "show", "one").out


def test_a_new_card_that_was_put_away_is_shown_as_put_away(mine: Shell) -> None:
    mine.done("card", "suspend", "one")
    assert "suspended" in mine.done("card", "show", "one").out.partition("mine/one\n")[2]


def test_a_leech_is_found(mine: Shell) -> None:
    for day in range(2, 18):  # a lapse needs a pass before it
        mine.now = f"2026-03-{day:02}T12:00:00+00:00"
        mine.done("card", "grade", "mine/one", "good" if day % 2 == 0 else "again")
    assert mine.card("mine/one")["lapses"] == 8
    assert mine.ids("is:leech") == ["mine/one"]


@pytest.mark.parametrize(
    ("acts", "state"),
    [
        ([], "new"),
        (["grade good"], "waiting"),
        (["grade good", "bury"], "buried"),
        (["bury"], "buried"),
        (["bury", "suspend"], "suspended"),
        (["grade good", "suspend"], "suspended"),
        (["grade good", "suspend", "resume"], "waiting"),
        (["grade good", "reset"], "new"),
    ],
    ids=str,
)
def test_a_card_has_one_state_the_strongest(mine: Shell, acts: list[str], state: str) -> None:
    for act in acts:
        name, *rest = act.split()
        mine.done("card", name, "mine/one", *rest)
    assert mine.card("mine/one")["state"] == state
    assert mine.ids(f"is:{state}")[0] == "mine/one"


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("is:dew", ["dew", "due"]),
        ("is:nothing", ["nothing"]),
        ("deck:mien", ["mien", "did you mean mine"]),
    ],
)
def test_an_unknown_standing_or_deck_is_refused_with_names_near_it(
    mine: Shell, query: str, says: list[str]
) -> None:
    said = mine.refused("card", "list", query)
    assert all(word in said for word in says), said


def test_a_list_shows_the_due_day_and_says_when_nothing_fits(mine: Shell) -> None:
    mine.done("card", "grade", "mine/one", "good")
    rows = [line.split(maxsplit=3) for line in mine.done("card", "list").lines]
    assert rows[0] == ["mine/one", "waiting", "2026-03-03", "First question?"]
    assert rows[1] == ["mine/two", "new", "Second", "question?"]
    assert mine.done("card", "list", "nosuchword").out == "no card fits\n"


@pytest.mark.parametrize("when", ["auto", "always"])
@pytest.mark.parametrize("forced", [None, "1"])
def test_a_list_in_a_pipe_is_never_cut(mine: Shell, when: str, forced: str | None) -> None:
    front = "long " * 60 + "end"
    mine.done("card", "add", "mine", front, "x")
    assert front in mine.done("--color", when, "card", "list", FORCE_COLOR=forced).out


def test_json_of_a_list_has_the_promised_fields(mine: Shell) -> None:
    mine.done("card", "grade", "mine/one", "easy")
    first, second, _ = mine.cards()
    assert first == {
        "id": "mine/one",
        "deck": "mine",
        "section": "",
        "kind": "basic",
        "front": "First question?",
        "tags": ["odd"],
        "state": "waiting",
        "flagged": False,
        "leech": False,
        "ease": 2.6,
        "interval": 1,
        "repetitions": 1,
        "lapses": 0,
        "stability": None,
        "difficulty": None,
        "due": "2026-03-03",
    }
    assert (second["due"], second["interval"], second["ease"]) == (None, 0, 2.5)


# Showing


def test_json_of_a_card_adds_its_back_its_place_and_its_rows(mine: Shell) -> None:
    mine.done("card", "grade", "mine/two", "good")
    mine.done("card", "bury", "mine/two")
    card = mine.card("mine/two")
    assert card["back"] == "Second answer."
    assert card["where"] == f"{mine.home / 'decks' / 'mine.yaml'}:10"
    columns = [
        "id",
        "uid",
        "device",
        "tick",
        "batch",
        "card",
        "kind",
        "grade",
        "day",
        "at",
        "offset",
        "seconds",
        "data",
    ]
    assert [list(row) for row in card["history"]] == [columns, columns]
    assert [(row["kind"], row["grade"]) for row in card["history"]] == [
        ("review", 4),
        ("bury", None),
    ]
    assert card["history"] == mine.log()


def test_a_card_is_shown_with_both_sides_its_place_and_its_history(mine: Shell) -> None:
    mine.done("card", "grade", "mine/two", "good")
    said = mine.done("card", "show", "two").out
    for part in (
        "mine/two",
        "even small",
        f"{mine.home / 'decks' / 'mine.yaml'}:10",
        "Second question?",
        "Second answer.",
    ):
        assert part in said
    assert "interval 0 → 1 d" in said


def test_a_short_name_is_enough_unless_two_decks_have_it(mine: Shell) -> None:
    assert mine.card("one")["id"] == "mine/one"
    mine.deck("deck: yours\ncards:\n  - {id: one, front: F, back: B}\n", "yours.yaml")
    said = mine.refused("card", "show", "one")
    assert "mine/one" in said
    assert "yours/one" in said


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_what_the_console_lacks_is_replaced_and_nothing_is_cut(mine: Shell, encoding: str) -> None:
    mine.done("card", "add", "mine", r"\(\sqrt{d_k}\) · é · 注意 end", "x")
    said = mine.process("card", "show", "d-k-e-end", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert (said.code, "end" in said.out) == (0, True)
    assert "sqrt(d_k)" in said.out
    assert "????" in said.out


# Adding

FRONTS = (
    "[d × d_k]",
    "{{c1::x}} and {d_k}",
    "a # b",
    "a: b: c",
    "- not a list",
    "--front",
    "'single' and \"double\"",
    r"\frac{1}{2} \n \\ \(x\)",
    "注意 é e\u0301",
    "two\nlines\n\n  and more",
    "NO",
    "null",
    "0x10",
    "*bold* @x `code` %y",
    "| pipe",
    "trailing space ",
    " leading",
    "[/] or [bold]",
)


@pytest.mark.parametrize("text", FRONTS)
def test_any_text_is_added_and_shown_as_it_was_typed(mine: Shell, text: str) -> None:
    mine.done("card", "add", "mine", "--", text, text[::-1])
    card = mine.card(mine.ids()[-1])
    assert (card["front"], card["back"]) == (text, text[::-1])
    shown = "".join(mine.done("card", "show", card["id"]).out.split())
    if "\\" not in text:
        assert "".join(text.split()) in shown


def test_an_added_card_gets_an_id_from_its_front_and_a_deck_is_made(shell: Shell) -> None:
    said = shell.done("card", "add", "mine", "Shape of Q Kᵀ for n tokens?", "[n × n]")
    path = shell.home / "decks" / "mine.yaml"
    assert said.out == f"mine/shape-of-q-k-for-n-tokens   made a deck: {path}\n"
    said = shell.done("card", "add", "mine", "Shape of Q Kᵀ?", "x", "--tag", "a", "--tag", "b c")
    assert said.out == "mine/shape-of-q-k\n"
    assert shell.card("shape-of-q-k")["tags"] == ["a", "b c"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_adding_changes_nothing_else_in_the_file(mine: Shell, end: str) -> None:
    before = SMALL.replace("\n", end)
    path = mine.deck(before)
    mine.done("card", "add", "mine", "Fourth?", "Yes.")
    after = path.read_bytes().decode()
    assert after.startswith(before)
    assert "\n" not in after.replace(end, "")
    assert mine.ids() == ["mine/one", "mine/two", "mine/three", "mine/fourth"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["attention", "F", "B"], ["attention", "came with the program"]),
        (["mine", "", "B"], ["front", "empty"]),
        (["mine", "F", ""], ["back", "empty"]),
        (["mine", "F\x1b[31m", "B"], ["U+001B"]),
        (["mine", "First question?", "B"], ["same front"]),
        (["my deck", "F", "B"], ["my deck", "name of a deck"]),
        (["../evil", "F", "B"], ["../evil", "name of a deck"]),
        (["a/b", "F", "B"], ["a/b", "name of a deck"]),
        (["", "F", "B"], ["name of a deck"]),
        (["Mine", "F", "B"], ["mine"]),
    ],
    ids=str,
)
def test_what_cannot_be_a_card_of_a_deck_is_refused_and_nothing_written(
    shell: Shell, words: list[str], says: list[str]
) -> None:
    shell.deck(SMALL)
    said = shell.refused("card", "add", *words)
    assert all(word in said for word in says), said
    files = list(shell.folder.rglob("*.yaml"))
    assert [(path.name, path.read_text(encoding="utf-8")) for path in files] == [
        ("mine.yaml", SMALL)
    ]


def test_a_file_that_holds_another_deck_is_not_added_to(shell: Shell) -> None:
    path = shell.deck(SMALL.replace("deck: mine", "deck: other"))
    said = shell.refused("card", "add", "mine", "F", "B")
    assert str(path) in said
    assert shell.ids("deck:other") == ["other/one", "other/two", "other/three"]


# Editing


@pytest.fixture
def editor(tmp_path: Path) -> str:
    """An editor that puts Erste in the place of First, and asks why we divide."""
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys, pathlib\n"
        "path = pathlib.Path(sys.argv[-1])\n"
        "text = path.read_text(encoding='utf-8')\n"
        "text = text.replace('First', 'Erste').replace('Why divide', 'Why do we divide')\n"
        "path.write_text(text, encoding='utf-8')\n",
        encoding="utf-8",
    )
    return f'"{sys.executable}" "{script}"'


def on_terminal(shell: Shell, *words: str, **changes: str | None) -> Window:
    if sys.platform == "win32":
        pytest.skip("no pseudo-terminal")
    from terminal import Window

    shell.begin()
    command = [sys.executable, "-m", "attn_study", *words]
    return Window(command, shell.environ({"TERM": "xterm", **changes}), columns=200)


def test_editing_a_card_keeps_its_progress(mine: Shell, editor: str) -> None:
    mine.done("card", "grade", "mine/one", "good")
    mine.done("review", given=":flag wrong\n")
    window = on_terminal(mine, "card", "edit", "mine/one", EDITOR=editor)
    assert window.end() == 0
    assert "changed" in window.text
    card = mine.card("mine/one")
    assert (card["front"], card["due"]) == ("Erste question?", "2026-03-03")
    assert not card["flagged"], "the report was about the text that is gone"


def test_editing_a_built_in_card_makes_a_copy_of_its_deck_when_asked(
    shell: Shell, editor: str
) -> None:
    shell.done("card", "grade", "attention/scaling", "good")
    for answer in ("n", "y"):
        window = on_terminal(shell, "card", "edit", "attention/scaling", EDITOR=editor)
        window.see("(y/n)")
        window.send(f"{answer}\n")
        assert window.end() == 0
        assert shell.decks()["attention"]["origin"] == {"n": "built-in", "y": "own"}[answer]
    copy = shell.home / "decks" / "attention.yaml"
    deck = read(copy).deck
    assert deck is not None
    assert len(deck.cards) == len(shell.ids("deck:attention")) == built_in_cards()
    assert shell.card("attention/scaling")["due"] == "2026-03-03"


def test_an_edit_that_changes_nothing_leaves_no_copy_behind(shell: Shell) -> None:
    script = shell.file("still.py", "")
    window = on_terminal(
        shell, "card", "edit", "attention/scaling", EDITOR=f'"{sys.executable}" "{script}"'
    )
    window.see("(y/n)")
    window.send("y\n")
    assert window.end() == 0
    assert "nothing changed" in window.text
    assert shell.decks()["attention"]["origin"] == "built-in"
    assert list((shell.home / "decks").iterdir()) == []


def test_an_editor_of_several_words_that_knows_lines_opens_at_the_card(mine: Shell) -> None:
    called = mine.folder / "called"
    spy = mine.file("vim", f"#!/bin/sh\necho \"$@\" > '{called}'\n")
    spy.chmod(0o755)
    window = on_terminal(mine, "card", "edit", "mine/two", EDITOR=f"{spy} -f")
    assert window.end() == 0
    assert "nothing changed" in window.text
    path = mine.home / "decks" / "mine.yaml"
    assert called.read_text(encoding="utf-8") == f"-f +10 {path}\n"


@pytest.mark.parametrize("editor", ["no-such-editor", 'vim "', " "])
def test_an_editor_that_cannot_be_started_is_named(mine: Shell, editor: str) -> None:
    window = on_terminal(mine, "card", "edit", "mine/one", EDITOR=editor, PATH="")
    assert window.end() == 2
    assert "EDITOR" in window.text
    assert "Traceback" not in window.text


def test_without_a_terminal_the_place_to_edit_is_named(shell: Shell) -> None:
    shell.deck(SMALL)
    assert f"{shell.home / 'decks' / 'mine.yaml'}:5" in shell.refused("card", "edit", "mine/one")
    assert "copy" in shell.refused("card", "edit", "attention/scaling")
    assert not (shell.home / "decks" / "attention.yaml").exists()


# Grading


@pytest.mark.parametrize(
    ("name", "grade"),
    [("again", 1), ("hard", 3), ("good", 4), ("easy", 5), ("GOOD", 4), ("Q5", 5)]
    + [(f"q{number}", number) for number in range(6)],
)
def test_a_grade_has_a_name_or_a_number_of_sm2(mine: Shell, name: str, grade: int) -> None:
    said = mine.done("card", "grade", "mine/one", name)
    assert [(row["kind"], row["grade"]) for row in mine.log()] == [("review", grade)]
    assert said.out.endswith("due 2026-03-03, interval 1 d\n")


@pytest.mark.parametrize(
    ("digit", "readings"),
    [
        ("1", ["again (key 1", "q1"]),
        ("4", ["easy (key 4", "q4"]),
        ("0", ["q0"]),
        ("5", ["q5"]),
        ("6", ["again, hard, good, easy", "q0 to q5"]),
        ("9" * 5000, ["q0 to q5"]),
    ],
    ids=lambda value: str(value)[:10],
)
def test_a_bare_digit_is_refused_with_both_readings(
    mine: Shell, digit: str, readings: list[str]
) -> None:
    said = mine.refused("card", "grade", "mine/one", digit)
    assert all(reading in said for reading in readings), said
    assert mine.log() == []


@pytest.mark.parametrize(("name", "near"), [("god", "good"), ("q6", "q5"), ("", "")])
def test_an_unknown_grade_is_refused(mine: Shell, name: str, near: str) -> None:
    assert near in mine.refused("card", "grade", "mine/one", name)


def test_a_card_that_is_not_due_is_scheduled_and_it_says_so(mine: Shell) -> None:
    for now in ("2026-03-02", "2026-03-03"):
        mine.now = f"{now}T12:00:00+00:00"
        mine.done("card", "grade", "mine/one", "good")
    mine.now = "2026-03-05T12:00:00+00:00"
    said = mine.done("card", "grade", "mine/one", "good")
    assert said.lines == [
        "mine/one good: due 2026-03-20, interval 15 d",
        "it was due on 2026-03-09 only; it is scheduled anew from today",
    ]


def test_a_second_answer_on_one_day_is_drill(mine: Shell) -> None:
    mine.done("card", "grade", "mine/one", "again")
    said = mine.done("card", "grade", "mine/one", "easy")
    assert "counts as drill and changes no date" in said.out
    card = mine.card("mine/one")
    assert (card["ease"], card["repetitions"], card["due"]) == (2.5, 0, "2026-03-03")
    assert mine.done("today", "--json").json["drill"] == 0


# Putting away


@pytest.mark.parametrize(
    ("act", "state"), [("suspend", "suspended"), ("bury", "buried"), ("reset", "new")]
)
def test_several_cards_are_put_away_at_once_and_taken_back_together(
    mine: Shell, act: str, state: str
) -> None:
    for card in ("mine/one", "mine/two"):
        mine.done("card", "grade", card, "good")
    said = mine.done("card", act, "mine/one", "two")
    assert [line.partition(" ")[0] for line in said.lines] == ["mine/one", "mine/two"]
    assert [card["state"] for card in mine.cards()][:2] == [state, state]
    assert len({row["batch"] for row in mine.log()[-2:]}) == 1
    assert len(mine.done("undo").lines) == 2
    assert [card["state"] for card in mine.cards()][:2] == ["waiting", "waiting"]


def test_one_unknown_card_among_several_leaves_all_as_they_are(mine: Shell) -> None:
    assert "mine/three" in mine.refused("card", "suspend", "mine/one", "mine/thre")
    assert mine.log() == []


@pytest.mark.parametrize("words", [("resume",), ("reset",), ("grade", "good")])
def test_rows_from_a_clock_that_was_ahead_are_named_when_they_have_the_last_word(
    mine: Shell, words: tuple[str, ...]
) -> None:
    right = mine.now
    mine.now = "2031-03-03T12:00:00+00:00"
    mine.done("card", "suspend", "mine/one")
    mine.now = right
    verb, *more = words
    said = mine.done("card", verb, "mine/one", *more)
    assert "but mine/one has rows dated 2031-03-03" in said.out
    mine.done("undo")
    mine.done("undo")
    assert "rows dated" not in mine.done("card", verb, "mine/one", *more).out


def test_a_suspended_card_comes_back_with_the_day_it_had(mine: Shell) -> None:
    mine.done("card", "grade", "mine/one", "good")
    mine.done("card", "suspend", "mine/one")
    mine.now = "2026-03-04T12:00:00+00:00"
    assert mine.ids("is:due") == []
    mine.done("card", "resume", "mine/one")
    assert mine.ids("is:due") == ["mine/one"]
    assert mine.card("mine/one")["due"] == "2026-03-03"


def test_a_buried_card_comes_back_by_itself(mine: Shell) -> None:
    mine.done("card", "bury", "mine/one")
    assert mine.done("today", "--count").out == "2\n"
    mine.now = "2026-03-03T12:00:00+00:00"
    assert mine.done("today", "--count").out == "3\n"


# Adopting


def test_a_card_that_lost_its_id_gets_its_history_back(mine: Shell) -> None:
    path = mine.deck("deck: mine\ncards:\n  - front: What is a tokn?\n    back: A piece.\n")
    (old,) = mine.ids()
    mine.done("card", "grade", old, "good")
    path.write_text(path.read_text().replace("tokn", "token"))
    (new,) = mine.ids()
    assert mine.card(new)["state"] == "new"
    said = mine.done("card", "adopt", old, new)
    assert new in said.out
    assert mine.card(new)["due"] == "2026-03-03"
    mine.done("undo")
    assert mine.card(new)["state"] == "new"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("mine/two", "mine/three", "mine/two is still in its deck"),
        ("mine/gone", "mine/three", "the log knows no card 'mine/gone'"),
        ("mine/one", "mine/nosuch", "no card is called 'mine/nosuch'"),
    ],
)
def test_only_a_card_that_is_gone_is_adopted_by_one_that_is_there(
    mine: Shell, old: str, new: str, says: str
) -> None:
    mine.done("card", "grade", "mine/one", "good")
    mine.deck(SMALL.replace("id: one", "id: uno"))
    assert says in mine.refused("card", "adopt", old, new)
    assert len(mine.log()) == 1
