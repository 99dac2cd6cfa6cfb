"""`deck add` of foreign files: what comes in, what is said, and what a second time changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attn_study.cli.decks import adding, own, planning
from cli_helpers import SMALL, Shell

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.cli.decks.planning import Plan
    from attn_study.cli.study import Study
    from attn_study.memory.catalogue import Source

WEEK = "front,back,tags\nOne?,1,odd\nTwo?,2,even small\n"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def deck_text(shell: Shell, name: str) -> str:
    return (shell.home / "decks" / f"{name}.yaml").read_text(encoding="utf-8")


def test_s30_a_dry_run_shows_the_first_cards_the_count_and_what_is_left_out(shell: Shell) -> None:
    shell.file("week.csv", "One?;1\nTwo?;\n[MASK]?;x, y\n")
    said = shell.done("deck", "add", "week.csv", "--dry-run")
    assert said.lines == [
        "would add week: 2 cards (2 new, 0 changed, 0 as before)",
        "  semicolon-separated, 2 columns, no header",
        "  left out: week.csv:2: the back is empty",
        "  as it is, nothing would be added: --skip-bad adds the others",
        "  One? → 1",
        "  [MASK]? → x, y",
    ]
    assert not shell.home.exists()


def test_a_bad_card_keeps_all_of_them_out_until_it_may_be_skipped(shell: Shell) -> None:
    shell.file("week.csv", "One?;1\nTwo?;\n")
    refused = shell.attn("deck", "add", "week.csv")
    assert refused.code == 2
    assert refused.notices[-2:] == [
        "week.csv:2: the back is empty",
        "week.csv: 1 card is fine, 1 is not; nothing was added (--skip-bad adds 1)",
    ]
    assert not (shell.home / "decks" / "week.yaml").exists()
    assert "1 new" in shell.done("deck", "add", "week.csv", "--skip-bad").lines[0]


def test_what_comes_in_is_a_deck_like_any_other(shell: Shell) -> None:
    shell.file("week.csv", WEEK)
    shell.done("deck", "add", "week.csv")
    assert deck_text(shell, "week") == (
        "deck: week\ntitle: week\ncards:\n"
        "  - id: one\n    front: One?\n    back: '1'\n    tags: [odd]\n\n"
        "  - id: two\n    front: Two?\n    back: '2'\n    tags: [even, small]\n"
    )
    assert shell.done("deck", "check", str(shell.home / "decks" / "week.yaml")).code == 0


def test_s49_a_second_time_updates_texts_and_tags_and_touches_no_progress(shell: Shell) -> None:
    shell.file("week.csv", WEEK)
    shell.done("deck", "add", "week.csv")
    shell.done("card", "grade", "week/one", "good")
    before = shell.card("week/one")["state"]
    shell.file("week.csv", WEEK.replace("One?,1,odd", "One?,one,odd new") + "Three?,3,\n")
    said = shell.done("deck", "add", "week.csv")
    assert said.lines[0] == "added week: 3 cards (1 new, 1 changed, 1 as before)"
    card = shell.card("week/one")
    assert (card["back"], card["tags"], card["state"]) == ("one", ["odd", "new"], before)
    assert len(shell.ids("deck:week")) == 3
    again = shell.done("deck", "add", "week.csv")
    assert again.lines[0] == "added week: 3 cards (0 new, 0 changed, 3 as before)"


def test_cards_that_the_learner_added_stay(shell: Shell) -> None:
    shell.file("week.csv", WEEK)
    shell.done("deck", "add", "week.csv")
    shell.done("card", "add", "week", "Mine?", "yes")
    said = shell.done("deck", "add", "week.csv")
    assert "  1 card of the deck is not in the file and stays: mine" in said.lines
    assert "week/mine" in shell.ids("deck:week")


def test_the_deck_may_be_given_another_name(shell: Shell) -> None:
    shell.file("week.csv", WEEK)
    shell.done("deck", "add", "week.csv", "--name", "exam")
    assert shell.ids("deck:exam") == ["exam/one", "exam/two"]
    refused = shell.attn("deck", "add", "week.csv", "--name", "my exam")
    assert (refused.code, refused.notices[-1].strip()) == (
        2, "letters, digits and . _ - only, as in my-exam",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--row-sep", r"\n\n"], "One?\t1\nand one\n\nTwo?\t2"),
        (["--field-sep", "::", "--row-sep", ";;"], "One?::1\nand one;;Two?::2"),
        (["--format", "markdown"], "One? :: 1\nTwo? :: 2\n"),
        (["--field-sep", r"\t"], "One?\t1\nTwo?\t2\n"),
        (["--encoding", "cp1252"], "One?;1\nTwo?;2\n"),
    ],
)
def test_what_the_learner_says_of_a_file_counts(shell: Shell, words: list[str], text: str) -> None:
    shell.file("cards.txt", text)
    shell.done("deck", "add", "cards.txt", *words)
    assert shell.ids("deck:cards") == ["cards/one", "cards/two"]


def test_a_format_that_there_is_not_is_refused_with_the_near_ones(shell: Shell) -> None:
    shell.file("cards.txt", WEEK)
    refused = shell.attn("deck", "add", "cards.txt", "--format", "markdwn")
    assert (refused.code, refused.notices[-1].strip()) == (2, "did you mean markdown?")


MISFITS = [
    ("week.csv", ["--link"]),
    ("week.csv", ["--schedule"]),
    ("mine.yaml", ["--name", "other"]),
    ("mine.yaml", ["--encoding", "cp1252"]),
    ("out.json", ["--encoding", "cp1252"]),
    ("out.json", ["--schedule"]),
]


@pytest.mark.parametrize(("name", "words"), MISFITS)
def test_what_means_nothing_for_a_format_is_refused(
    shell: Shell, name: str, words: list[str]
) -> None:
    shell.file("week.csv", WEEK)
    shell.file("mine.yaml", SMALL)
    shell.done("deck", "export", "attention", "-o", "out.json")
    refused = shell.attn("deck", "add", name, *words)
    assert refused.code == 2
    assert f"{name}: {words[0]} means nothing for " in refused.err
    assert not list((shell.home / "decks").glob("*.yaml")) if shell.home.exists() else True


def test_a_log_that_could_not_be_taken_in_keeps_the_deck_out_too(shell: Shell) -> None:
    shell.deck(SMALL)
    shell.done("card", "grade", "mine/one", "good")
    shell.done("deck", "export", "mine", "-o", "out.json")
    text = (shell.folder / "out.json").read_text(encoding="utf-8")
    shell.file("bad.json", text.replace('"tick": 1', '"tick": 0').replace("First", "New"))
    shell.home = shell.folder / "other"
    for words in ([], ["--dry-run"]):
        refused = shell.attn("deck", "add", "bad.json", *words)
        assert refused.code == 2
        assert "bad.json" in refused.err
        assert "tick" in refused.err
    assert not list((shell.home / "decks").glob("*"))


def test_a_deck_with_its_log_keeps_its_name(shell: Shell) -> None:
    shell.deck(SMALL)
    shell.done("card", "grade", "mine/one", "good")
    shell.done("deck", "export", "mine", "-o", "out.json")
    refused = shell.attn("deck", "add", "out.json", "--name", "other")
    assert refused.code == 2
    assert "its log speaks of the deck by its name" in refused.err


def test_a_card_added_while_a_file_is_brought_in_is_not_overwritten(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.file("week.csv", WEEK)
    shell.done("deck", "add", "week.csv")
    shell.file("week.csv", WEEK.replace("One?,1", "One?,one"))
    planned = planning.refuse_twins

    def meanwhile(plans: list[Plan]) -> None:
        planned(plans)
        monkeypatch.undo()
        shell.process("card", "add", "week", "Meanwhile?", "yes")

    monkeypatch.setattr(adding, "refuse_twins", meanwhile)
    refused = shell.attn("deck", "add", "week.csv")
    assert refused.code == 2
    assert "changed at this very moment" in refused.err
    assert "week/meanwhile" in shell.ids("deck:week")
    assert shell.card("week/one")["back"] == "1"


@pytest.mark.parametrize(
    ("there", "says"),
    [
        ("deck: new\ncards: [{front: F, back: B}]\n", "added by another attn-study at this very"),
        ("deck: other\ncards: [{front: F, back: B}]\n", "in the way of the deck 'new'"),
        ("cards: [", "in the way of the deck 'new'"),
    ],
    ids=["the same deck", "another deck", "no deck"],
)
def test_a_file_that_came_meanwhile_is_not_overwritten_and_said_for_what_it_is(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, there: str, says: str
) -> None:
    source = shell.file("new.yaml", "deck: new\ncards: [{front: Mine?, back: Yes}]\n")
    find = planning.target_of

    def meanwhile(study: Study, name: str, known: Source | None) -> Path:
        shell.file("home/decks/new.yaml", there)
        return find(study, name, known)

    monkeypatch.setattr(own, "target_of", meanwhile)
    refused = shell.attn("deck", "add", str(source))
    assert (refused.code, says in refused.err) == (2, True)
    assert (shell.home / "decks" / "new.yaml").read_text(encoding="utf-8") == there


def test_a_file_without_a_deck_counts_no_cards(shell: Shell) -> None:
    refused = shell.attn("deck", "add", str(shell.file("empty.yaml", "")))
    assert refused.code == 2
    assert "there is no deck in it" in refused.err
    assert refused.err.endswith("empty.yaml: nothing was added\n")


def test_cards_that_find_no_section_of_theirs_are_counted(shell: Shell) -> None:
    shell.file("week.csv", WEEK)
    shell.done("deck", "add", "week.csv")
    shell.file("week.csv", "front,back,section\nThree?,3,Part one\n")
    said = shell.done("deck", "add", "week.csv")
    assert "  1 card without its section: this deck has none" in said.lines


def test_a_dry_run_brings_no_hidden_deck_back(shell: Shell) -> None:
    shell.done("deck", "remove", "attention")
    said = shell.done("deck", "add", "attention", "--dry-run")
    assert said.out == "would bring attention back, with all you learned\n"
    assert "attention" not in shell.decks()


def test_two_decks_of_one_file_that_would_have_one_name_are_refused(shell: Shell) -> None:
    rows = "#separator:tab\n#deck column:3\nQ\tA\tA B\nR\tB\tA-B\n"
    shell.file("two.txt", rows)
    refused = shell.attn("deck", "add", "two.txt")
    assert refused.code == 2
    assert "two.txt: two decks of it would both be called 'A-B'" in refused.err


def test_a_damaged_file_in_a_folder_keeps_all_of_it_out(shell: Shell) -> None:
    shell.file("all/a.csv", WEEK)
    shell.file("all/b.apkg", "no package")
    assert shell.attn("deck", "add", "all").code == 2
    assert not (shell.home / "decks" / "a.yaml").exists()


def test_an_own_deck_with_mistakes_is_not_written_to(shell: Shell) -> None:
    path = shell.deck("deck: week\ncards:\n  - front: [x]\n    back: y\n", "week.yaml")
    before = path.read_bytes()
    shell.file("week.csv", WEEK)
    assert shell.attn("deck", "add", "week.csv").code == 2
    assert path.read_bytes() == before


def test_a_folder_takes_every_format_and_names_what_it_leaves_out(shell: Shell) -> None:
    shell.file("all/a.csv", WEEK)
    shell.file("all/b.md", "# B\n\nQ: One?\nA: 1\n")
    shell.file("all/README.md", "# Nothing to learn here\n")
    shell.file("all/c.yaml", "deck: c\ncards:\n  - front: Q\n    back: A\n")
    said = shell.done("deck", "add", "all")
    assert [line for line in said.lines if line.startswith("added")] == [
        "added c: 1 card (1 new, 0 changed, 0 gone)",
        "added a: 2 cards (2 new, 0 changed, 0 as before)",
        "added b: 1 card (1 new, 0 changed, 0 as before)",
    ]
    assert any(line.startswith("left out: all/README.md") for line in said.lines)


def test_two_files_of_one_name_are_refused(shell: Shell) -> None:
    shell.file("all/a/week.csv", WEEK)
    shell.file("all/b/week.csv", WEEK)
    refused = shell.attn("deck", "add", "all")
    assert refused.code == 2
    assert "both hold a deck 'week'" in refused.err


def test_a_folder_is_meant_only_when_it_is_named(shell: Shell) -> None:
    shell.file("week.csv", WEEK)
    refused = shell.attn("deck", "add", "")
    assert (refused.code, refused.notices[-2]) == (2, "no file is named")


def test_s26_a_text_that_no_card_can_hold_is_refused_by_its_line(shell: Shell) -> None:
    shell.file("week.csv", f"front,back\nOne?,1\nTwo?,{'x' * 500_001}\nThree?,{'x' * 200_000}\n")
    refused = shell.attn("deck", "add", "week.csv")
    assert refused.code == 2
    assert "week.csv:3: a text of more than 500,000 characters" in refused.err
    assert "2 new" in shell.done("deck", "add", "week.csv", "--skip-bad").lines[0]


def test_a_copy_that_stands_for_a_built_in_deck_is_said(shell: Shell) -> None:
    shell.file("attention.csv", WEEK)
    said = shell.done("deck", "add", "attention.csv")
    assert "  it takes the place of the built-in deck of that name" in said.lines


def test_s03_a_header_of_another_language_is_no_card(shell: Shell) -> None:
    shell.file("woche.csv", "Frage;Antwort\nWas ist Q?;die Anfrage, klar\n")
    shell.done("deck", "add", "woche.csv")
    assert shell.ids("deck:woche") == ["woche/was-ist-q"]


def test_s29_a_pair_inside_another_card_is_said(shell: Shell) -> None:
    shell.file("notes.md", "C: A row [sums] to 1.\n\nResidual :: x + f(x)\n")
    said = shell.done("deck", "add", "notes.md", "--dry-run")
    remark = "the card on line 1 holds a line that looks like `question :: answer`"
    assert any(remark in line for line in said.lines)
    shell.file("notes.md", "C: A row [sums] to 1.\n---\nResidual :: x + f(x)\n")
    assert "2 new" in shell.done("deck", "add", "notes.md", "--dry-run").lines[0]
