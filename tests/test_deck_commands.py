"""`attn-study deck`: bringing decks in, checking them, taking them away, and back."""

from __future__ import annotations

import sys
import unicodedata
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from attn_study.deck.library import decks_dir
from cli_helpers import BUILT_IN, SMALL, Shell, built_in_cards

if TYPE_CHECKING:
    from pathlib import Path

OTHER = SMALL.replace("deck: mine", "deck: other").replace("title: Mine", "title: Other")
FAILING = (
    "deck: mine\ntitle: Mine\n\ncards:\n"
    + "".join(f"  - {{id: c{n}, front: F{n}, back: B}}\n" for n in range(4))
    + "  - id: shape\n    front: Shape of W?\n    back: [d × d_k]\n"
    + "".join(f"  - {{id: d{n}, front: G{n}, back: B}}\n" for n in range(10))
)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def refused(shell: Shell, *words: str) -> list[str]:
    """Run what must be refused with nothing on standard output; return what was said."""
    said = shell.attn(*words)
    assert (said.code, said.out) == (2, "")
    return [line for line in said.notices if not line.startswith("Your progress is kept in")]


def everything(folder: Path) -> dict[str, bytes]:
    """Every file of the learner's, but for what the program makes of them."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".db" not in path.name
    }


# Bringing in


def test_adding_a_file_counts_what_is_new_what_changed_and_what_is_gone(shell: Shell) -> None:
    shell.file("my.yaml", SMALL)
    assert shell.done("deck", "add", "my.yaml").out == (
        "added mine: 3 cards (3 new, 0 changed, 0 gone)\n"
    )
    assert shell.done("deck", "add", "my.yaml").out == (
        "added mine: 3 cards (0 new, 0 changed, 0 gone)\n"
    )
    changed = SMALL.replace("First answer", "Another").replace("id: two", "id: deux")
    shell.file("my.yaml", "# a new line on top\n" + changed)
    assert shell.done("deck", "add", "my.yaml").out == (
        "added mine: 3 cards (1 new, 1 changed, 1 gone)\n"
    )
    assert shell.ids("deck:mine") == ["mine/one", "mine/deux", "mine/three"]


def test_an_added_deck_is_a_copy_kept_byte_for_byte(shell: Shell) -> None:
    text = "\ufeff" + SMALL.replace("\n", "\r\n")
    path = shell.file("my.yaml", text)
    shell.done("deck", "add", "my.yaml")
    assert (shell.home / "decks" / "mine.yaml").read_bytes() == text.encode()
    path.unlink()
    assert shell.ids("deck:mine") == ["mine/one", "mine/two", "mine/three"]


def test_a_dry_run_says_the_same_and_writes_nothing(shell: Shell) -> None:
    shell.file("my.yaml", SMALL)
    said = shell.done("deck", "add", "my.yaml", "--dry-run")
    assert said.out == "would add mine: 3 cards (3 new, 0 changed, 0 gone)\n"
    assert not shell.home.exists()
    shell.done("deck", "add", "my.yaml")
    before = everything(shell.home)
    shell.file("my.yaml", SMALL.replace("First", "Erste"))
    said = shell.done("deck", "add", "my.yaml", "--dry-run")
    assert said.out == "would add mine: 3 cards (0 new, 1 changed, 0 gone)\n"
    assert everything(shell.home) == before


def test_a_failing_deck_shows_the_line_the_place_and_the_remedy(shell: Shell) -> None:
    shell.file("my.yaml", FAILING)
    assert refused(shell, "deck", "add", "my.yaml") == [
        "my.yaml:11:11: this reads as a list, not as text",
        "    11 |     back: [d × d_k]",
        "       |           ^ put single quotes round it: '[d × d_k]'",
        "my.yaml: 14 cards are fine, 1 is not; nothing was added (--skip-bad adds 14)",
    ]
    assert everything(shell.home) == {}


def test_skip_bad_adds_the_sound_cards(shell: Shell) -> None:
    shell.file("my.yaml", FAILING)
    said = shell.done("deck", "add", "my.yaml", "--skip-bad")
    assert said.out == "added mine: 14 cards (14 new, 0 changed, 0 gone)\n"
    assert len(shell.ids("deck:mine")) == 14


def test_skip_bad_cannot_add_what_has_no_sound_card(shell: Shell) -> None:
    shell.file("my.yaml", "deck: mine\ncards:\n  - front: [x]\n    back: y\n")
    refused(shell, "deck", "add", "my.yaml", "--skip-bad")
    assert everything(shell.home) == {}


def test_a_folder_brings_all_its_decks_or_none(shell: Shell) -> None:
    shell.file("week/1.yaml", SMALL)
    bad = shell.file("week/deep/2.yml", OTHER.replace("First answer.", "[x]"))
    shell.file("week/notes.txt", "no deck")
    assert str(bad.relative_to(shell.folder)) in refused(shell, "deck", "add", "week")[0]
    assert set(shell.decks()) == BUILT_IN
    bad.write_text(OTHER, encoding="utf-8")
    assert shell.done("deck", "add", "week").lines == [
        "added mine: 3 cards (3 new, 0 changed, 0 gone)",
        "added other: 3 cards (3 new, 0 changed, 0 gone)",
        "left out: week/notes.txt: it is not clear which format this is",
    ]
    assert set(shell.decks()) == BUILT_IN | {"mine", "other"}


def test_adding_a_folder_takes_nothing_from_where_the_shell_stands(shell: Shell) -> None:
    shell.file("here.yaml", OTHER)
    shell.file("week/1.yaml", SMALL)
    said = shell.done("deck", "add", "week")
    assert said.out == "added mine: 3 cards (3 new, 0 changed, 0 gone)\n"
    assert set(shell.decks()) == BUILT_IN | {"mine"}


@pytest.mark.parametrize("link", [[], ["--link"]])
def test_two_decks_of_one_name_in_a_folder_are_refused(shell: Shell, link: list[str]) -> None:
    shell.file("week/1.yaml", SMALL)
    shell.file("week/2.yaml", SMALL.replace("First", "Erste"))
    said = "\n".join(refused(shell, "deck", "add", "week", *link))
    assert "1.yaml" in said
    assert "2.yaml" in said


@pytest.mark.parametrize("where", ["nosuch.yaml", "empty", "picture.yaml"])
def test_what_is_no_deck_is_refused_by_name(shell: Shell, where: str) -> None:
    (shell.folder / "empty").mkdir()
    (shell.folder / "picture.yaml").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    assert refused(shell, "deck", "add", where)[0].startswith(where)


def test_a_deck_never_takes_the_file_of_another(shell: Shell) -> None:
    there = shell.deck(OTHER, "mine.yaml")
    shell.file("my.yaml", SMALL)
    shell.attn("deck", "add", "my.yaml")
    assert there.read_text(encoding="utf-8") == OTHER
    assert "other" in shell.decks()


def test_a_deck_with_mistakes_is_not_overwritten_by_one_of_its_name(shell: Shell) -> None:
    there = shell.deck("deck: [mine]\ncards: []\n# an hour of work\n", "mine.yaml")
    before = there.read_bytes()
    shell.file("my.yaml", SMALL)
    shell.attn("deck", "add", "my.yaml")
    assert there.read_bytes() == before


@pytest.mark.parametrize("name", ["Mine", "MINE"])
def test_a_name_that_differs_in_case_only_is_refused(shell: Shell, name: str) -> None:
    shell.deck(SMALL)
    shell.file("my.yaml", SMALL.replace("deck: mine", f"deck: {name}"))
    said = "\n".join(refused(shell, "deck", "add", "my.yaml"))
    assert "mine" in said
    assert set(shell.decks()) == BUILT_IN | {"mine"}


# Linking


def test_a_linked_file_stays_where_it_is_and_later_edits_count(shell: Shell) -> None:
    path = shell.file("notes/my.yaml", SMALL)
    shell.done("deck", "add", "notes/my.yaml", "--link")
    assert shell.decks()["mine"] | {"origin": "linked", "path": str(path)} == shell.decks()["mine"]
    assert not (shell.home / "decks" / "mine.yaml").exists()
    path.write_text(SMALL.replace("First question", "Erste Frage"), encoding="utf-8")
    assert shell.card("mine/one")["front"] == "Erste Frage?"
    shell.done("deck", "add", "notes/my.yaml", "--link")
    assert shell.done("config", "linked").out == f"{path}\n"


def test_a_linked_folder_brings_what_is_put_there_later(shell: Shell) -> None:
    shell.file("notes/1.yaml", SMALL)
    shell.done("deck", "add", "notes", "--link")
    shell.file("notes/2.yaml", OTHER)
    assert set(shell.decks()) == BUILT_IN | {"mine", "other"}


def test_removing_one_deck_of_a_linked_folder_leaves_the_others(shell: Shell) -> None:
    shell.file("notes/1.yaml", SMALL)
    shell.file("notes/2.yaml", OTHER)
    shell.done("deck", "add", "notes", "--link")
    shell.attn("deck", "remove", "mine")
    assert "other" in shell.decks()


def test_adding_a_file_does_not_write_into_a_linked_one(shell: Shell) -> None:
    linked = shell.file("notes/my.yaml", SMALL)
    shell.done("deck", "add", "notes/my.yaml", "--link")
    shell.file("new.yaml", SMALL.replace("First", "Erste"))
    assert str(linked) in "\n".join(refused(shell, "deck", "add", "new.yaml"))
    assert linked.read_text(encoding="utf-8") == SMALL


# Taking away, and back


def test_a_built_in_deck_goes_and_comes_back_with_its_progress(shell: Shell) -> None:
    shell.done("card", "grade", "attention/scaling", "good")
    assert "attn-study deck add attention" in shell.done("deck", "remove", "attention").out
    assert {card.partition("/")[0] for card in shell.ids()} == {"attention-video"}
    left = [deck["deck"] for deck in shell.done("today", "--json").json["decks"]]
    assert left == ["attention-video"]
    shell.done("deck", "add", "attention")
    assert shell.card("attention/scaling")["due"] == "2026-03-03"
    assert len(shell.ids("deck:attention")) == built_in_cards()


def test_an_own_deck_is_moved_aside_and_comes_back_with_its_progress(shell: Shell) -> None:
    shell.deck(SMALL)
    shell.done("card", "grade", "mine/one", "good")
    said = shell.done("deck", "remove", "mine").out
    assert set(shell.decks()) == BUILT_IN
    (aside,) = (shell.home / "removed").iterdir()
    assert aside.read_text(encoding="utf-8") == SMALL
    assert str(aside) in said
    shell.done("deck", "add", str(aside))
    assert shell.card("mine/one")["due"] == "2026-03-03"


def test_a_deck_removed_twice_is_kept_twice(shell: Shell) -> None:
    for _ in range(2):
        shell.deck(SMALL)
        shell.done("deck", "remove", "mine")
    assert len(list((shell.home / "removed").iterdir())) == 2


def test_a_linked_deck_is_let_go_and_its_file_stays(shell: Shell) -> None:
    path = shell.file("notes/my.yaml", SMALL)
    shell.done("deck", "add", "notes/my.yaml", "--link")
    shell.done("card", "grade", "mine/one", "good")
    assert str(path) in shell.done("deck", "remove", "mine").out
    assert path.read_text(encoding="utf-8") == SMALL
    assert set(shell.decks()) == BUILT_IN
    shell.done("deck", "add", "notes/my.yaml", "--link")
    assert shell.card("mine/one")["state"] == "waiting"


def test_an_unknown_deck_is_refused_with_names_near_it(shell: Shell) -> None:
    assert "did you mean attention" in refused(shell, "deck", "remove", "atention")[1]


# A learner's deck in the place of the built-in one


def test_a_deck_of_its_name_stands_for_the_built_in_one_and_the_list_says_so(shell: Shell) -> None:
    shell.done("card", "grade", "attention/scaling", "good")
    shell.deck("deck: attention\ncards:\n  - {id: scaling, front: Mine?, back: Yes.}\n", "a.yaml")
    assert shell.ids("deck:attention") == ["attention/scaling"]
    assert shell.card("scaling")["due"] == "2026-03-03"
    listed = shell.done("deck", "list", "--json").json["decks"]
    assert [deck["active"] for deck in listed if deck["deck"] == "attention"] == [True, False]
    replaced = [line for line in shell.done("deck", "list").lines if "replaced" in line]
    assert len(replaced) == 1
    assert "built-in" in replaced[0]
    (shell.home / "decks" / "a.yaml").unlink()
    assert len(shell.ids("deck:attention")) == built_in_cards()


# Names that meet


def test_two_files_with_one_deck_name_are_both_named_and_the_first_counts(shell: Shell) -> None:
    first = shell.deck(SMALL, "a.yaml")
    second = shell.deck(SMALL.replace("First", "Erste"), "b.yaml")
    said = shell.done("today")
    assert any(str(first) in line and str(second) in line for line in said.notices)
    assert shell.card("mine/one")["front"] == "First question?"
    first.unlink()
    assert shell.card("mine/one")["front"] == "Erste question?"
    shell.deck(SMALL, "0.yaml")
    assert shell.card("mine/one")["front"] == "First question?", "a new first file takes over"


@pytest.mark.parametrize(
    ("one", "two"), [("mine", "Mine"), ("café", unicodedata.normalize("NFD", "café"))]
)
def test_names_that_look_alike_are_one_name(shell: Shell, one: str, two: str) -> None:
    for file, name in (("a.yaml", one), ("b.yaml", two)):
        shell.deck(SMALL.replace("deck: mine", f"deck: {name}"), file)
    said = shell.done("today")
    assert len([line for line in said.notices if "b.yaml" in line]) == 1
    assert len([card for card in shell.ids() if not card.startswith("attention")]) == 3


def test_one_name_differing_in_case_from_the_built_in_deck_hides_no_card(shell: Shell) -> None:
    shell.deck(SMALL.replace("deck: mine", "deck: Attention"))
    assert len(shell.ids("deck:attention")) == built_in_cards()


def test_the_same_question_in_two_decks_is_two_cards(shell: Shell) -> None:
    shell.deck(SMALL)
    shell.deck(OTHER, "other.yaml")
    assert shell.ids("First", "question") == ["mine/one", "other/one"]
    shell.done("card", "grade", "mine/one", "good")
    assert [card["state"] for card in shell.cards("First", "question")] == ["waiting", "new"]


# What happens to files


def test_a_file_put_into_the_folder_by_hand_is_found(shell: Shell) -> None:
    shell.done("card", "grade", "attention/scaling", "good")
    shell.deck(SMALL, "sub/folder/my.yml")
    assert shell.ids("deck:mine") == ["mine/one", "mine/two", "mine/three"]


@pytest.mark.parametrize("name", ["renamed.yaml", "sub/mine.yaml", "0.yml"])
def test_a_deck_that_moves_keeps_its_progress(shell: Shell, name: str) -> None:
    path = shell.deck(SMALL)
    shell.done("card", "grade", "mine/one", "good")
    target = shell.home / "decks" / name
    target.parent.mkdir(exist_ok=True)
    path.rename(target)
    assert shell.card("mine/one") | {"due": "2026-03-03", "where": f"{target}:5"} == shell.card(
        "mine/one"
    )


def test_a_typo_mended_keeps_progress(shell: Shell) -> None:
    path = shell.deck(SMALL)
    shell.done("card", "grade", "mine/one", "good")
    path.write_text(SMALL.replace("First question", "The first question"), encoding="utf-8")
    card = shell.card("mine/one")
    assert (card["front"], card["due"]) == ("The first question?", "2026-03-03")


def test_a_card_taken_out_and_put_back_a_week_later_has_its_progress(shell: Shell) -> None:
    path = shell.deck(SMALL)
    shell.done("card", "grade", "mine/one", "good")
    path.write_text(SMALL.replace("id: one", "id: uno"), encoding="utf-8")
    assert shell.ids("deck:mine") == ["mine/uno", "mine/two", "mine/three"]
    shell.now = "2026-03-09T12:00:00+00:00"
    path.write_text(SMALL, encoding="utf-8")
    assert shell.card("mine/one")["state"] == "due"


SHAPES = {
    "empty": "",
    "comments only": "# nothing yet\n",
    "two documents": "---\ndeck: a\ncards: []\n---\ndeck: b\ncards: []\n",
    "a list": "- front: a\n  back: b\n",
    "a text": "just words\n",
    "no cards": "deck: broken\n",
    "a card that is text": "deck: broken\ncards:\n  - just words\n",
    "a tab": "deck: broken\ncards:\n\t- front: a\n",
    "an escape": "deck: broken\ncards:\n  - front: F\n    back: B\x1b[2J\n",
    "a bomb": "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n",
    "deep": "deck: " + "[" * 3000,
    "an object": "deck: !!python/object/apply:os.system [echo]\n",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_one_broken_file_hides_no_other_deck(shell: Shell, shape: str) -> None:
    broken = shell.deck(SHAPES[shape], "broken.yaml")
    shell.deck(SMALL)
    said = shell.done("today")
    assert any(str(broken) in line and "deck check" in line for line in said.notices)
    assert {"attention", "mine"} <= set(shell.decks())
    said = shell.attn("deck", "check")
    assert said.code == 1
    assert str(broken) in said.out
    assert f"{shell.home / 'decks' / 'mine.yaml'}: mine, 3 cards ✓" in said.lines


# Checking


def test_checking_sound_decks_ends_well(shell: Shell) -> None:
    path = shell.deck(SMALL)
    said = shell.done("deck", "check")
    assert said.lines[-1] == f"{path}: mine, 3 cards ✓"
    assert len(said.lines) == len(list(decks_dir().glob("*.yaml"))) + 1
    assert shell.done("deck", "check", str(path)).lines == said.lines[-1:]


@pytest.mark.parametrize("is_there", [False, True])
def test_a_file_can_be_checked_before_and_after_it_was_added(shell: Shell, is_there: bool) -> None:
    shell.file("my.yaml", SMALL)
    if is_there:
        shell.done("deck", "add", "my.yaml")
    assert shell.done("deck", "check", "my.yaml").out == "my.yaml: mine, 3 cards ✓\n"


def test_checking_shows_every_mistake_of_every_file_named(shell: Shell) -> None:
    shell.file("a.yaml", FAILING)
    shell.file("b.yaml", "deck: b\ncards:\n  - front: F\n    bakc: B\n")
    said = shell.attn("deck", "check", "a.yaml", "b.yaml")
    assert said.code == 1
    for part in (
        "a.yaml:11:11: ",
        "a.yaml: mine, 14 cards",
        "b.yaml:4:5: ",
        "bakc",
        "did you mean back",
    ):
        assert part in said.out
    assert "✓" not in said.out


def test_a_warning_is_no_mistake(shell: Shell) -> None:
    shell.deck(SMALL.replace("Second question", "First question"))
    said = shell.done("deck", "check")
    assert "warning" in said.out
    assert "mistake" not in shell.done("today").err


def test_a_file_that_is_not_there_cannot_be_checked(shell: Shell) -> None:
    said = shell.attn("deck", "check", "nosuch.yaml")
    assert said.code != 0
    assert "nosuch.yaml" in said.out + said.err


# Listing


def test_the_list_says_what_is_due_and_where_each_file_is(shell: Shell) -> None:
    path = shell.deck(SMALL)
    shell.done("card", "grade", "mine/one", "good")
    shell.now = "2026-03-03T12:00:00+00:00"
    assert shell.decks()["mine"] == {
        "deck": "mine",
        "title": "Mine",
        "cards": 3,
        "origin": "own",
        "active": True,
        "due": 1,
        "new": 2,
        "path": str(path),
        "mistakes": 0,
    }
    row = shell.done("deck", "list").lines[-1]
    assert row.split()[:6] == ["mine", "3", "cards", "1", "due", "2"]
    assert row.endswith(f"own  {path}")


def test_columns_stay_under_each_other_whatever_the_script(shell: Shell) -> None:
    for number, name in enumerate(("注意", "देवनागरी", "a", "ア")):
        shell.deck(SMALL.replace("deck: mine", f"deck: {name}"), f"{number}.yaml")
    rows = shell.done("deck", "list").lines
    assert len({cell_len(row[: row.index("cards")]) for row in rows}) == 1


def test_a_file_without_a_deck_is_listed_as_broken_not_as_replaced(shell: Shell) -> None:
    shell.deck("- a\n", "broken.yaml")
    row = shell.done("deck", "list").lines[-1]
    assert "1 mistake," in row
    assert "replaced" not in row


# Editing


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal")
def test_a_deck_is_checked_after_it_was_edited(shell: Shell) -> None:
    from terminal import Window

    shell.deck(SMALL)
    shell.begin()
    spoil = shell.file(
        "spoil.py",
        "import sys; file = open(sys.argv[1], 'r+')\n"
        "if '- front: F' not in file.read(): file.write('  - front: F\\n')\n",
    )
    environ = shell.environ({"EDITOR": f"{sys.executable} {spoil}", "TERM": "xterm"})
    command = [sys.executable, "-m", "attn_study", "deck", "edit", "mine"]
    window = Window(command, environ, columns=200)
    assert window.end() == 0
    assert "back" in window.text
    assert "mine, 3 cards" in window.text


def test_s18_progress_follows_a_card_wherever_its_file_and_its_place_go(shell: Shell) -> None:
    path = shell.deck(SMALL)
    shell.done("card", "grade", "mine/one", "good")
    learned = shell.card("mine/one")["state"]
    moved = path.with_name("later.yaml")
    path.rename(moved)
    assert shell.card("mine/one")["state"] == learned
    folder = path.parent / "sub" / "deeper"
    folder.mkdir(parents=True)
    moved = moved.rename(folder / "later.yaml")
    assert shell.card("mine/one")["state"] == learned
    cards = SMALL.partition("cards:\n")[2]
    indented = "".join(f"    {line}\n" if line else "\n" for line in cards.splitlines())
    sections = f"deck: mine\nsections:\n  - title: Another place\n    cards:\n{indented}"
    moved.write_text(sections, encoding="utf-8")
    assert shell.card("mine/one")["section"] == "Another place"
    assert shell.card("mine/one")["state"] == learned
    moved.write_text(SMALL.replace("id: one", "id: other"), encoding="utf-8")
    assert "mine/one" not in shell.ids()
    moved.unlink()
    assert not any(name.startswith("mine/") for name in shell.ids())
    shell.deck(SMALL)
    assert shell.card("mine/one")["state"] == learned


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_a_console_cannot_encode_ends_no_first_start(shell: Shell, encoding: str) -> None:
    words = ("card", "add", "注意", "√d_k?", "→ ⊕")
    said = shell.process(*words, PYTHONIOENCODING=encoding, PYTHONUTF8=None)
    assert (said.code, "Traceback" in said.err) == (0, False)


@pytest.mark.parametrize("encoding", ["ascii", pytest.param("cp1252", marks=pytest.mark.slow)])
def test_s04_what_a_console_cannot_encode_ends_no_deck_command(shell: Shell, encoding: str) -> None:
    shell.begin()
    shell.file("odd.csv", "front,back\n√d_k · é · 注意?,→ ⊕ \U0001f469\u200d\U0001f4bb\n")
    for words in (
        ["deck", "add", "odd.csv", "--dry-run"],
        ["deck", "add", "odd.csv"],
        ["deck", "check"],
        ["deck", "list"],
        ["deck", "new", "mine"],
        ["quiz", "attention-video", "-n", "3", "--seed", "1"],
    ):
        said = shell.process(*words, given="1\n2\n3\n", PYTHONIOENCODING=encoding, PYTHONUTF8=None)
        assert said.code == 0, said.err
        assert "Traceback" not in said.err
    for to in ("json", "csv", "markdown", "anki-text", "yaml"):
        said = shell.process(
            "deck", "export", "odd", "--to", to, PYTHONIOENCODING=encoding, PYTHONUTF8=None
        )
        assert (said.code, "注意" in said.out) == (0, True), to
