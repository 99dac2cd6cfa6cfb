"""Writing decks without a manual: new, edit, and what a check says beyond mistakes."""

from __future__ import annotations

import json
import shlex
import sqlite3
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from attn_study.deck import kinds
from attn_study.deck.library import decks_dir
from attn_study.deck.note import automatic_id
from attn_study.deck.reader import read
from attn_study.deck.shape import FILE, schema_text
from cli_helpers import POWERLESS, SMALL, Shell

if TYPE_CHECKING:
    from pathlib import Path

    from terminal import Window

NAMELESS = """\
# notes of mine
deck: mine
cards:
  - front: First question?
    # the easy one
    back: First answer.

  - {front: 'Second question?', back: Second answer.}
  - {id: three, front: Third question?, back: Third answer.}
"""
FIRST = f"mine/{automatic_id('First question?')}"
FRONT_F = automatic_id("F")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def checked(shell: Shell, *words: str) -> list[str]:
    """The lines of a check of the learner's deck that must end well."""
    return shell.done("deck", "check", str(shell.home / "decks" / "mine.yaml"), *words).lines


def files(shell: Shell) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (shell.home / "decks").iterdir()}


# A new deck


def test_a_new_deck_passes_its_check_and_shows_every_kind_once(shell: Shell) -> None:
    path = shell.home / "decks" / "mine.yaml"
    assert shell.done("deck", "new", "mine").lines == [
        f"made {path}",
        "  attn-study deck edit mine",
    ]
    deck = read(path).deck
    assert deck is not None
    assert tuple(note.kind for note in deck.notes) == kinds.NAMES
    assert checked(shell)[0].endswith("✓")
    assert len(checked(shell)) == 1
    assert len(path.read_text(encoding="utf-8").splitlines()) < 70
    assert len(shell.ids("deck:mine")) == len(deck.cards)


def test_an_editor_finds_the_schema_of_a_new_deck_beside_the_folder(shell: Shell) -> None:
    shell.done("deck", "new", "mine")
    path = shell.home / "decks" / "mine.yaml"
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("# yaml-language-server: $schema=")
    found = (path.parent / first.partition("=")[2]).resolve()
    assert found == (shell.home / FILE).resolve()
    Draft202012Validator.check_schema(json.loads(found.read_text(encoding="utf-8")))
    assert all(deck["deck"] != "" for deck in shell.decks().values())


@pytest.mark.parametrize("before", ["", "{}", schema_text()])
def test_a_schema_that_is_stale_is_written_anew(shell: Shell, before: str) -> None:
    if before:
        shell.file(f"home/{FILE}", before)
    shell.done("deck", "new", "mine")
    assert (shell.home / FILE).read_text(encoding="utf-8") == schema_text()


@pytest.mark.parametrize("name", ["no", "0x1", "null", "café", "注意", "a.b_c-d"])
def test_a_deck_may_have_any_name_of_letters_and_digits(shell: Shell, name: str) -> None:
    shell.done("deck", "new", name)
    assert shell.decks()[name]["cards"] == 8


@pytest.mark.parametrize(
    "name", ["", "my deck", "../evil", "a/b", "-x", ".x", "a\nb", "a\x1bb", "a" * 400]
)
def test_a_bad_name_is_refused_with_the_rule_and_nothing_is_written(
    shell: Shell, name: str
) -> None:
    said = shell.refused("deck", "new", "--", name)
    assert any(word in said for word in ("letters, digits and . _ -", "U+001B", "too long"))
    assert not list(shell.folder.rglob("*.yaml"))


@pytest.mark.parametrize("name", ["mine", "Mine", "attention", "aside"])
def test_a_name_that_is_taken_is_refused_and_the_file_stays(shell: Shell, name: str) -> None:
    shell.deck(SMALL)
    shell.deck("just words\n", "aside.yaml")
    before = files(shell)
    assert "another name" in shell.refused("deck", "new", name)
    assert files(shell) == before


# The schema


def test_the_schema_is_printed_as_it_is_kept(shell: Shell) -> None:
    assert shell.done("deck", "check", "--schema").out == schema_text()
    assert not shell.home.exists()


# What a check counts


def test_a_check_says_which_kinds_of_note_make_several_cards(shell: Shell) -> None:
    path = shell.deck(
        "deck: mine\ncards:\n"
        "  - {kind: reversed, front: A, back: B}\n  - {kind: reversed, front: C, back: D}\n"
        "  - {front: E, back: F}\n  - {cloze: '{{c1::a}} {{c2::b}} {{c2::c}} {{c3::d}}'}\n"
    )
    assert checked(shell) == [
        f"{path}: mine, 8 cards from 4 notes (3 from 1 cloze, 4 from 2 reversed) ✓"
    ]


def test_a_note_that_makes_two_cards_is_complained_about_once(shell: Shell) -> None:
    shell.deck("deck: mine\ncards:\n  - {kind: reversed, front: A, back: B, demo: nosuch}\n")
    said = shell.attn("deck", "check", str(shell.home / "decks" / "mine.yaml"))
    assert (said.code, said.out.count("no demo is called")) == (1, 1)


# Cards that are gone


def test_s06_the_offer_of_a_history_is_repeated_as_long_as_it_holds(shell: Shell) -> None:
    path = shell.only_mine(NAMELESS)
    shell.done("card", "grade", FIRST, "good")
    path.write_text(NAMELESS.replace("First question?", "The first question?"), encoding="utf-8")
    new = f"mine/{automatic_id('The first question?')}"
    command = f"attn-study card adopt {FIRST} {new}"
    shell.done("today")
    for _ in range(2):
        assert sum(command in line for line in checked(shell)) == 1
    shell.done(*shlex.split(command)[1:])
    assert len(checked(shell)) == 1
    shell.done("undo")
    assert sum(command in line for line in checked(shell)) == 1


def test_a_card_that_was_broken_for_a_day_is_still_offered_its_history(shell: Shell) -> None:
    path = shell.only_mine(NAMELESS)
    shell.done("card", "grade", FIRST, "good")
    path.write_text(NAMELESS.replace("First question?", "[First question?]"), encoding="utf-8")
    shell.done("today")
    assert "adopt" not in shell.attn("deck", "check").out
    path.write_text(NAMELESS.replace("First question?", "A first question?"), encoding="utf-8")
    assert f"card adopt {FIRST} mine/" in shell.done("today").err
    assert f"card adopt {FIRST} mine/" in "".join(checked(shell))


@pytest.mark.parametrize("lose_the_cache", [False, True])
def test_a_card_that_got_its_id_by_hand_is_known_by_its_front(
    shell: Shell, lose_the_cache: bool
) -> None:
    path = shell.only_mine(NAMELESS)
    shell.done("card", "grade", FIRST, "good")
    path.write_text(NAMELESS.replace("- front", "- id: one\n    front"), encoding="utf-8")
    if lose_the_cache:
        (shell.home / "cache.db").unlink()
    assert f"attn-study card adopt {FIRST} mine/one`" in "".join(checked(shell))


def test_a_card_of_another_kind_is_offered_the_history_of_its_note(shell: Shell) -> None:
    path = shell.only_mine()
    shell.done("card", "grade", "mine/one", "good")
    text = SMALL.replace("front: First question?\n    back: First answer.", "cloze: '{{c1::F}}'")
    path.write_text(text, encoding="utf-8")
    assert "attn-study card adopt mine/one mine/one:c1`" in "".join(checked(shell))


def offers(lines: list[str]) -> list[str]:
    """The commands that would give a history to another card."""
    return [
        f"card adopt{line.partition('card adopt')[2]}" for line in lines if "card adopt" in line
    ]


def test_one_card_is_the_heir_of_one_other_and_a_check_offers_what_was_offered(
    shell: Shell,
) -> None:
    text = "deck: mine\ncards:\n  - {front: F, back: B}\n  - {id: x, cloze: 'A {{c1::C}}'}\n"
    path = shell.only_mine(text)
    for name in (automatic_id("F"), "x:c1"):
        shell.done("card", "grade", f"mine/{name}", "good")
    path.write_text("deck: mine\ncards:\n  - {id: x, front: F, back: B}\n", encoding="utf-8")
    said = offers(shell.done("today").notices)
    assert said == ["card adopt mine/x:c1 mine/x`"]
    lines = checked(shell)
    assert [
        one for one in lines if f"1 card with a history is in no deck now: mine/{FRONT_F}" in one
    ]
    assert [one for one in offers(lines) if "OLD" not in one] == said


def test_a_card_that_stood_beside_the_old_one_is_not_its_heir(shell: Shell) -> None:
    both = "deck: mine\ncards:\n  - {front: What is a query?, back: B}\n"
    left = "  - {front: What is a query head?, back: C}\n"
    path = shell.only_mine(both + left)
    shell.done("card", "grade", f"mine/{automatic_id('What is a query?')}", "good")
    path.write_text(f"deck: mine\ncards:\n{left}", encoding="utf-8")
    assert offers(shell.done("today").notices) == []
    assert offers(checked(shell)) == ["card adopt OLD NEW` gives it to another card"]


def test_a_no_counts_for_the_check_too(shell: Shell) -> None:
    path = shell.only_mine(NAMELESS)
    shell.done("card", "grade", FIRST, "good")
    path.write_text(NAMELESS.replace("First question?", "The first question?"), encoding="utf-8")
    window = Editing(shell).run("review")
    window.see("(y/n)")
    window.send("n\r")
    window.see("The first question?")
    window.press("q")
    window.end()
    assert offers(checked(shell)) == ["card adopt OLD NEW` gives it to another card"]


def test_a_file_that_is_not_used_takes_no_history(shell: Shell) -> None:
    shell.only_mine(NAMELESS)
    shell.done("card", "grade", FIRST, "good")
    other = NAMELESS.replace("First question?", "The first question?")
    shell.file("home/decks/other.yaml", other)
    said = shell.done("today").notices
    assert [line for line in said if "not used" in line]
    assert offers(said) == []


@pytest.mark.parametrize("lose_the_cache", [False, True])
def test_a_card_that_is_known_by_its_name_alone_is_asked_about(
    shell: Shell, lose_the_cache: bool
) -> None:
    path = shell.only_mine(NAMELESS)
    shell.done("card", "grade", FIRST, "good")
    path.write_text(NAMELESS.replace("- front", "- id: one\n    front"), encoding="utf-8")
    if lose_the_cache:
        (shell.home / "cache.db").unlink()
    window = Editing(shell).run("review")
    window.see(f"mine/one reads nearly like {FIRST}", "(y/n)")
    window.send("y\r")
    window.see("space answer")
    window.press("q")
    window.end()
    assert [row["kind"] for row in shell.log()] == ["review", "adopt"]


def test_cards_that_are_gone_are_named_and_no_mistake(shell: Shell) -> None:
    path = shell.only_mine()
    for name in ("one", "two"):
        shell.done("card", "grade", f"mine/{name}", "good")
    path.write_text("deck: mine\ncards:\n  - {id: x, front: Else, back: B}\n", encoding="utf-8")
    (line,) = checked(shell)[1:]
    assert "2 cards with a history are in no deck now: mine/one, mine/two;" in line
    path.write_text(SMALL, encoding="utf-8")
    assert len(checked(shell)) == 1


def test_a_file_that_would_take_cards_away_says_so_before_it_is_added(shell: Shell) -> None:
    shell.only_mine(NAMELESS)
    shell.done("card", "grade", FIRST, "good")
    shell.file("new.yaml", NAMELESS.replace("First question?", "My first question?"))
    lines = shell.done("deck", "check", "new.yaml").lines
    assert f"card adopt {FIRST} mine/" in lines[1]


def test_a_card_with_a_mistake_is_not_called_gone(shell: Shell) -> None:
    path = shell.only_mine()
    shell.done("card", "grade", "mine/one", "good")
    path.write_text(SMALL.replace("back: First", "bakc: First"), encoding="utf-8")
    said = shell.attn("deck", "check", str(path))
    assert (said.code, "history" in said.out) == (1, False)


@pytest.mark.parametrize("act", [["grade", "good"], ["suspend"], ["bury"]])
def test_whatever_was_done_with_a_card_counts_until_it_is_undone(
    shell: Shell, act: list[str]
) -> None:
    path = shell.only_mine()
    shell.done("card", act[0], "mine/one", *act[1:])
    path.write_text(SMALL.replace("id: one", "id: uno"), encoding="utf-8")
    assert "mine/one" in "".join(checked(shell)[1:])
    shell.done("undo")
    assert len(checked(shell)) == 1


def test_a_log_that_cannot_be_opened_hides_no_mistake(shell: Shell) -> None:
    shell.only_mine(SMALL.replace("back: First", "bakc: First"))
    (shell.home / "study.db").write_bytes(b"not a database at all" * 50)
    said = shell.attn("deck", "check", str(shell.home / "decks" / "mine.yaml"))
    assert (said.code, "bakc" in said.out) == (1, True)
    assert "cannot be looked at" in said.err


# A deck under a new name


@pytest.mark.parametrize("formerly", ["", "formerly: [first]\n"])
def test_a_renamed_deck_is_told_the_line_that_keeps_its_progress(
    shell: Shell, formerly: str
) -> None:
    path = shell.only_mine()
    for name in ("one", "two"):
        shell.done("card", "grade", f"mine/{name}", "good")
    text = SMALL.replace("deck: mine\n", f"deck: yours\n{formerly}")
    path.write_text(text, encoding="utf-8")
    line = checked(shell)[-1].strip()
    assert line == ("formerly: [first, mine]" if formerly else "formerly: [mine]")
    text = SMALL.replace("deck: mine\n", f"deck: yours\n{line}\n")
    path.write_text(text, encoding="utf-8")
    shell.done("card", "bury", "three")  # the first command that writes lets the progress follow
    assert len(checked(shell)) == 1
    assert shell.card("yours/one")["due"] == "2026-03-03"


def test_a_deck_that_shares_few_ids_is_not_taken_for_a_renamed_one(shell: Shell) -> None:
    path = shell.only_mine()
    for name in ("one", "two", "three"):
        shell.done("card", "grade", f"mine/{name}", "good")
    path.write_text(
        "deck: yours\ncards:\n  - {id: one, front: F, back: B}\n  - {id: b, front: G, back: B}\n",
        encoding="utf-8",
    )
    assert len(checked(shell)) == 1


def test_a_deck_that_is_still_there_was_not_renamed(shell: Shell) -> None:
    shell.deck(SMALL, "there.yaml")
    shell.done("card", "grade", "mine/one", "good")
    shell.deck(SMALL.replace("deck: mine", "deck: yours"))
    assert len(checked(shell)) == 1


# A copy of a built-in deck


def test_a_copy_of_a_built_in_deck_is_counted_against_it(shell: Shell) -> None:
    shipped = (decks_dir() / "attention.yaml").read_text(encoding="utf-8")
    path = shell.deck(shipped)
    assert len(checked(shell)) == 1
    deck = read(path).deck
    assert deck is not None
    waited_for = {full.partition("/")[2] for note in deck.notes for full in note.after}
    leaf = next(note.name for note in deck.notes if note.name not in waited_for)
    changed = shipped.replace(f"id: {leaf}\n", "id: my-own\n")
    changed = changed.replace("front: Why does “it”", "front: And why does “it”", 1)
    changed = changed.replace("title: 7.1 Attention\n", "title: Another heading\n")
    path.write_text(changed, encoding="utf-8")
    (line,) = checked(shell)[1:]
    assert "1 card new there, 1 changed, 1 gone;" in line
    assert "attn-study deck remove attention" in line


# Fixing


def test_fixing_writes_ids_and_progress_goes_along(shell: Shell) -> None:
    path = shell.only_mine(NAMELESS)
    shell.done("card", "grade", FIRST, "good")
    said = checked(shell, "--fix")
    assert said[0] == f"{path}: 2 ids written; 1 card with a history keeps its progress"
    assert said[1:] == [f"{path}: mine, 3 cards ✓"]
    assert path.read_text(encoding="utf-8") == (
        NAMELESS.replace("- front: First", "- id: first-question\n    front: First").replace(
            "{front: 'Second", "{id: second-question, front: 'Second"
        )
    )
    assert shell.card("mine/first-question")["due"] == "2026-03-03"
    rows = shell.log()
    assert [(row["kind"], row["data"]) for row in rows[1:]] == [("adopt", {"former": FIRST})]
    assert "adopt" not in shell.done("today").err
    assert checked(shell, "--fix") == [f"{path}: mine, 3 cards ✓"]


def test_all_cards_of_a_note_keep_their_progress_and_one_undo_takes_it_back(shell: Shell) -> None:
    shell.only_mine("deck: mine\ncards:\n  - {kind: reversed, front: A side, back: B}\n")
    old = f"mine/{automatic_id('A side')}"
    for card in (old, f"{old}:reverse"):
        shell.done("card", "grade", card, "good")
        shell.now = "2026-03-03T12:00:00+00:00"
    checked(shell, "--fix")
    assert [shell.card(f"mine/a-side{part}")["due"] for part in ("", ":reverse")] == [
        "2026-03-03",
        "2026-03-04",
    ]
    shell.done("undo")
    assert [shell.card(f"mine/a-side{part}")["due"] for part in ("", ":reverse")] == [None, None]
    assert sum("card adopt" in line for line in checked(shell)) == 2


def test_an_id_of_which_the_log_knows_is_not_given_to_another_card(shell: Shell) -> None:
    path = shell.only_mine("deck: mine\ncards:\n  - {id: why, front: Old, back: B}\n")
    shell.done("card", "grade", "mine/why", "good")
    path.write_text("deck: mine\ncards:\n  - {front: Why?, back: B}\n", encoding="utf-8")
    checked(shell, "--fix")
    assert shell.ids("deck:mine") == ["mine/why-2"]
    assert shell.card("why-2")["state"] == "new"


def test_without_a_file_every_deck_of_ones_own_is_fixed_and_no_other(shell: Shell) -> None:
    own = shell.deck(NAMELESS)
    linked = shell.file("notes/far.yaml", NAMELESS.replace("deck: mine", "deck: far"))
    stray = shell.file("stray.yaml", NAMELESS)
    shipped = {path: path.read_bytes() for path in decks_dir().iterdir()}
    shell.done("deck", "add", "notes/far.yaml", "--link")
    said = shell.done("deck", "check", "--fix")
    assert [line for line in said.lines if "ids written" in line] == [
        f"{own}: 2 ids written",
        f"{linked}: 2 ids written",
    ]
    assert stray.read_text(encoding="utf-8") == NAMELESS
    assert {path: path.read_bytes() for path in decks_dir().iterdir()} == shipped


def test_a_file_that_is_no_deck_of_the_home_is_fixed_and_moves_no_progress(shell: Shell) -> None:
    shell.only_mine(NAMELESS)
    shell.done("card", "grade", FIRST, "good")
    stray = shell.file("stray.yaml", NAMELESS)
    assert shell.done("deck", "check", "--fix", "stray.yaml").lines[0] == (
        "stray.yaml: 2 ids written"
    )
    assert "id: first-question" in stray.read_text(encoding="utf-8")
    assert shell.card(FIRST)["due"] == "2026-03-03"


def test_a_built_in_deck_is_never_written_to(shell: Shell) -> None:
    said = shell.refused("deck", "check", "--fix", str(decks_dir() / "attention.yaml"))
    assert "came with the program" in said


def test_a_card_that_another_deck_waits_for_keeps_its_name(shell: Shell) -> None:
    path = shell.only_mine(NAMELESS)
    shell.deck(
        f"deck: other\ncards:\n  - {{id: a, front: F, back: B, after: ['{FIRST}']}}\n", "b.yaml"
    )
    lines = checked(shell, "--fix")
    assert lines[0].startswith(f"{path}:4: no id written")
    assert lines[1] == f"{path}: 1 id written"
    assert shell.ids("deck:mine")[0] == FIRST


def test_a_broken_file_is_left_alone_its_mistake_shown_and_the_others_are_fixed(
    shell: Shell,
) -> None:
    text = NAMELESS.replace("deck: mine", "deck: broken") + "  - {front: [}\n"
    path = shell.deck(text, "a.yaml")
    shell.deck(NAMELESS)
    odd = shell.deck("", "odd.yaml")
    odd.write_bytes(NAMELESS.replace("deck: mine", "deck: odd").encode("utf-16"))
    said = shell.attn("deck", "check", "--fix")
    assert f"{odd}: no id written, this is not UTF-8" in said.lines
    assert (said.code, path.read_text(encoding="utf-8")) == (1, text)
    assert said.lines[0] == f"{path}: no id written, it cannot be read as a whole"
    assert any(line.startswith(f"{path}:10:") for line in said.lines)
    assert "mine/first-question" in shell.ids("deck:mine")


@pytest.mark.skipif(sys.platform == "win32", reason="no modes")
def test_a_file_that_cannot_be_written_leaves_the_log_as_it_was(shell: Shell) -> None:
    path = shell.only_mine(NAMELESS)
    shell.done("card", "grade", FIRST, "good")
    path.parent.chmod(0o555)
    try:
        said = shell.process("deck", "check", "--fix", before=POWERLESS)
    finally:
        path.parent.chmod(0o755)
    assert said.code == 2
    assert path.read_text(encoding="utf-8") == NAMELESS
    assert [row["kind"] for row in shell.log()] == ["review"]


def test_a_log_that_cannot_take_the_rows_leaves_the_file_as_it_was(shell: Shell) -> None:
    path = shell.only_mine(NAMELESS)
    shell.done("card", "grade", FIRST, "good")
    with closing(sqlite3.connect(shell.home / "study.db")) as conn:
        conn.execute(
            "CREATE TRIGGER refuses BEFORE INSERT ON log WHEN new.kind = 'adopt' "
            "BEGIN SELECT RAISE (ABORT, 'no room'); END"
        )
    assert shell.attn("deck", "check", "--fix").code == 2
    assert path.read_text(encoding="utf-8") == NAMELESS
    assert [row["kind"] for row in shell.log()] == ["review"]


# Editing

EDITOR = """\
import json, pathlib, sys
here, path = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[-1])
steps = json.loads((here / "steps.json").read_text(encoding="utf-8"))
done = len(list(here.glob("seen-*")))
text = path.read_bytes()
(here / f"seen-{done}").write_bytes(text)
(here / f"name-{done}").write_text(path.name, encoding="utf-8")
for old, new in steps[done] if done < len(steps) else []:
    assert old.encode() in text, (old, text)
    text = text.replace(old.encode(), new.encode())
path.write_bytes(text)
for other in json.loads((here / "meanwhile.json").read_text(encoding="utf-8"))[done:done + 1]:
    if other:
        with open(other, "ab") as file:
            file.write(b"# meanwhile\\n")
"""


class Editing:
    """An editor that replaces what it is told to, round by round, and keeps what it saw."""

    def __init__(self, shell: Shell, *steps: list[tuple[str, str]]) -> None:
        self.shell = shell
        self.folder = shell.folder
        shell.file("editor.py", EDITOR)
        shell.file("steps.json", json.dumps(steps))
        self.meanwhile()

    def meanwhile(self, *paths: str) -> None:
        """Let another program write to these files while the editor is open, a round each."""
        self.shell.file("meanwhile.json", json.dumps(paths))

    def run(self, *words: str, editor: str = "") -> Window:
        """Run the program on a terminal to its end."""
        if sys.platform == "win32":
            pytest.skip("no pseudo-terminal")
        from terminal import Window

        self.shell.begin()
        editor = editor or f'"{sys.executable}" "{self.folder / "editor.py"}" "{self.folder}"'
        command = [sys.executable, "-m", "attn_study", *words]
        environ = self.shell.environ({"TERM": "xterm", "EDITOR": editor})
        return Window(command, environ, columns=240)

    @property
    def seen(self) -> list[str]:
        """The text of each round as the editor found it."""
        found = sorted(self.folder.glob("seen-*"))
        return [path.read_bytes().decode() for path in found]


SPOIL = ("back: First answer.", "bakc: First answer.")
MEND = ("bakc: First answer.", "back: First answer, mended.")
MENDED = SMALL.replace("First answer.", "First answer, mended.")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_deck_with_mistakes_is_opened_again_until_it_is_sound(shell: Shell, end: str) -> None:
    path = shell.deck(SMALL.replace("\n", end))
    editing = Editing(shell, [SPOIL], [MEND])
    window = editing.run("deck", "edit", "mine")
    assert window.end() == 0
    assert path.read_bytes().decode() == MENDED.replace("\n", end)
    first, again = editing.seen
    assert first == SMALL.replace("\n", end)
    lines = again.split(end)
    at = next(number for number, line in enumerate(lines) if "bakc: First" in line)
    assert lines[at - 1].startswith("    #! line 7: there is no key `bakc`")
    assert "did you mean back?" in lines[at - 1]
    kept = [line for line in lines if not line.lstrip().startswith("#! ")]
    assert kept == SMALL.replace(*SPOIL).split("\n")
    assert "mine, 3 cards" in window.text
    assert set(files(shell)) == {"mine.yaml"}


def test_a_deck_left_unchanged_with_its_mistakes_stays_as_it_was_left(shell: Shell) -> None:
    path = shell.deck(SMALL)
    editing = Editing(shell, [SPOIL], [])
    window = editing.run("deck", "edit", "mine")
    assert window.end() == 0
    assert path.read_text(encoding="utf-8") == SMALL.replace(*SPOIL)
    assert len(editing.seen) == 2
    assert f"{path}: kept as you left it" in window.text
    assert set(files(shell)) == {"mine.yaml"}


def test_a_deck_that_is_left_unchanged_at_once_is_opened_once(shell: Shell) -> None:
    shell.deck(SMALL.replace(*SPOIL))
    editing = Editing(shell)
    assert editing.run("deck", "edit", "mine").end() == 0
    assert len(editing.seen) == 1


def test_another_mistake_in_the_second_round_is_shown_in_the_third(shell: Shell) -> None:
    path = shell.deck(SMALL)
    worse = ("id: two", "id: one")
    editing = Editing(
        shell, [SPOIL], [MEND, worse], [("id: one\n    front: S", "id: two\n    front: S")]
    )
    assert editing.run("deck", "edit", "mine").end() == 0
    assert path.read_text(encoding="utf-8") == MENDED
    assert "'one' is given twice" in editing.seen[2]
    assert "bakc" not in editing.seen[2]


def test_remarks_in_a_block_and_lines_that_look_like_them_are_told_apart(shell: Shell) -> None:
    own = "    back: |\n      #!/bin/sh\n      #! line 3: mine\n    bakc: x\n"
    path = shell.deck(SMALL)
    spoil = ("    back: First answer.\n", own)
    editing = Editing(shell, [spoil], [("    bakc: x\n", "")])
    assert editing.run("deck", "edit", "mine").end() == 0
    assert path.read_text(encoding="utf-8") == SMALL.replace(
        "    back: First answer.\n", own.replace("    bakc: x\n", "")
    )


def test_a_file_that_another_program_changed_meanwhile_is_not_overwritten(shell: Shell) -> None:
    path = shell.deck(SMALL)
    editing = Editing(shell, [SPOIL], [MEND])
    editing.meanwhile("", str(path))
    window = editing.run("deck", "edit", "mine")
    assert window.end() == 2
    assert path.read_text(encoding="utf-8") == SMALL.replace(*SPOIL) + "# meanwhile\n"
    draft = path.with_name("~mine.yaml")
    assert str(draft) in window.text
    assert "First answer, mended." in draft.read_text(encoding="utf-8")
    assert {"mine"} <= set(shell.decks())


@pytest.mark.skipif(sys.platform == "win32", reason="a script with #! is of Unix")
def test_the_draft_is_named_when_the_editor_fails_in_a_later_round(shell: Shell) -> None:
    shell.deck(SMALL)
    script = f'#!/bin/sh\nrm "$0"\nsed -i "s/{SPOIL[0]}/{SPOIL[1]}/" "$1"\n'
    editor = shell.file("once.sh", script)
    editor.chmod(0o755)
    window = Editing(shell).run("deck", "edit", "mine", editor=str(editor))
    assert window.end() == 2
    draft = shell.home / "decks" / "~mine.yaml"
    assert f"what you typed is kept in {draft}" in window.text
    assert "set EDITOR" in window.text
    assert draft.exists()


def test_the_draft_is_named_when_the_editing_is_broken_off(shell: Shell) -> None:
    shell.deck(SMALL)
    editing = Editing(shell, [SPOIL], [MEND])
    script = EDITOR + 'if done:\n    print("waiting", flush=True)\n    sys.stdin.read()\n'
    shell.file("editor.py", script)
    window = editing.run("deck", "edit", "mine")
    window.see("waiting")
    window.send("\x03")
    assert window.end() == 130
    draft = shell.home / "decks" / "~mine.yaml"
    assert f"what you typed is kept in {draft}" in window.text
    assert "First answer, mended." in draft.read_text(encoding="utf-8")


ADDING = """\
import pathlib, subprocess, sys
path = pathlib.Path(sys.argv[-1])
text = path.read_text(encoding="utf-8")
subprocess.run([sys.executable, "-m", "attn_study", "card", "add", "mine", "Why 'so'?", "B"])
if KEEPS:
    text = path.read_text(encoding="utf-8")
path.write_text(text.replace("First answer.", "Mended."), encoding="utf-8")
"""


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("words", [("deck", "edit", "mine"), ("card", "edit", "mine/one")])
def test_a_card_that_the_editor_overwrote_is_said_with_the_words_that_add_it_again(
    shell: Shell, words: tuple[str, ...], keeps: bool
) -> None:
    path = shell.deck(SMALL)
    editing = Editing(shell)
    shell.file("editor.py", ADDING.replace("KEEPS", str(keeps)))
    window = editing.run(*words)
    assert window.end() == 0
    assert "Mended." in path.read_text(encoding="utf-8")
    command = shlex.join(["attn-study", "card", "add", "mine", "Why 'so'?", "B"])
    assert (command in window.text, "mine/why-so was added" in window.text) == (
        not keeps,
        not keeps,
    )


@pytest.mark.parametrize("words", [("deck", "edit", "mine"), ("card", "edit", FIRST)])
@pytest.mark.parametrize("answer", ["y", "n"])
def test_a_card_without_an_id_that_was_edited_is_asked_about_at_once(
    shell: Shell, words: tuple[str, ...], answer: str
) -> None:
    shell.only_mine(NAMELESS)
    shell.done("card", "grade", FIRST, "good")
    new = f"mine/{automatic_id('The first question?')}"
    window = Editing(shell, [("First question?", "The first question?")]).run(*words)
    window.see(f"{new} reads nearly like {FIRST}", "(y/n)")
    window.send(f"{answer}\r")
    assert window.end() == 0
    assert (shell.card(new)["due"] is not None) == (answer == "y")
    gone = f"{FIRST} is no longer in its deck"
    assert (gone in window.text) == (answer == "n" and words[0] == "card")


def test_a_draft_that_was_kept_is_not_overwritten_by_the_next(shell: Shell) -> None:
    shell.deck(SMALL)
    draft = shell.file("home/decks/~mine.yaml", "an hour of work\n")
    editing = Editing(shell, [SPOIL], [MEND])
    assert editing.run("deck", "edit", "mine").end() == 0
    assert draft.read_text(encoding="utf-8") == "an hour of work\n"
    assert (editing.folder / "name-1").read_text(encoding="utf-8") == "~mine-2.yaml"
    assert set(files(shell)) == {"mine.yaml", "~mine.yaml"}


def test_a_file_that_is_not_utf_8_is_opened_again_byte_for_byte(shell: Shell) -> None:
    path = shell.deck(SMALL)
    path.write_bytes(SMALL.encode().replace(b"First answer", b"R\xe9ponse"))
    editing = Editing(shell, [("Second answer", "Another answer")], [])
    assert editing.run("deck", "edit", "mine").end() == 0
    assert path.read_bytes() == SMALL.encode().replace(b"First answer", b"R\xe9ponse").replace(
        b"Second answer", b"Another answer"
    )
    assert b"not UTF-8" in (editing.folder / "seen-1").read_bytes()


def test_a_deck_that_is_deleted_in_the_editor_ends_the_editing(shell: Shell) -> None:
    path = shell.deck(SMALL)
    editing = Editing(shell)
    shell.file("editor.py", "import os, sys; os.unlink(sys.argv[-1])\n")
    window = editing.run("deck", "edit", "mine")
    assert window.end() == 0
    assert not path.exists()
    assert "Traceback" not in window.text


def test_a_copy_of_a_built_in_deck_that_was_not_changed_goes_again(shell: Shell) -> None:
    window = Editing(shell).run("deck", "edit", "attention")
    window.see("(y/n)")
    window.send("y\n")
    assert window.end() == 0
    assert "nothing changed" in window.text
    assert shell.decks()["attention"]["origin"] == "built-in"


def test_a_card_with_a_mistake_is_opened_again_too(shell: Shell) -> None:
    path = shell.deck(SMALL)
    shell.done("card", "grade", "mine/one", "good")
    editing = Editing(shell, [SPOIL], [MEND])
    window = editing.run("card", "edit", "mine/one")
    assert window.end() == 0
    assert "changed" in window.text
    assert path.read_text(encoding="utf-8") == MENDED
    assert shell.card("mine/one")["due"] == "2026-03-03"


def test_without_a_terminal_a_deck_is_not_edited(shell: Shell) -> None:
    path = shell.deck(SMALL)
    assert str(path) in shell.refused("deck", "edit", "mine")
    assert path.read_text(encoding="utf-8") == SMALL


def test_a_deck_is_checked_by_its_name_as_well(shell: Shell) -> None:
    path = shell.deck(SMALL)
    assert shell.done("deck", "check", "mine").out == shell.done("deck", "check", str(path)).out
    assert shell.attn("deck", "check", "mein").code == 1
