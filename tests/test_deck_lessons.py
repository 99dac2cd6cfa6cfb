"""`deck check` names cards whose demo, question or knob there is not; `d` works for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli_helpers import SMALL, Shell

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """\
deck: mine
cards:
  - front: First?
    back: Yes.
"""


LOADED = """
import atexit, sys
atexit.register(lambda: print("numpy" in sys.modules, file=sys.stderr))
sys.argv[0] = "attn-study"
from attn_study.cli.main import main
main()
"""


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def checked(shell: Shell, *keys: str) -> tuple[int, list[str]]:
    """Check a deck whose second card, from line 5 on, has these keys."""
    card = "\n".join(f"    {key}" for key in keys)
    shell.file("my.yaml", f"{HEAD}  - id: second\n{card}\n")
    said = shell.attn("deck", "check", "my.yaml")
    return said.code, said.lines


@pytest.mark.parametrize(
    ("keys", "place", "what", "hint"),
    [
        (
            ("front: F", "back: B", "demo: haed"),
            "my.yaml:8:5: ",
            "mine/second: no demo is called 'haed'",
            "did you mean head?",
        ),
        (
            ("front: F", "demo: my-own", "back: B"),
            "my.yaml:7:5: ",
            "no demo is called 'my-own'",
            "`attn-study demo` lists them",
        ),
        (
            ("question: head.wieght",),
            "my.yaml:6:5: ",
            "mine/second: the demo head asks no question 'wieght'",
            "did you mean weight",
        ),
        (("question: haed.weight",), "my.yaml:6:5: ", "no demo is called 'haed'", "head"),
        (("front: F", "question: head"), "my.yaml:7:5: ", "asks no question ''", "cell"),
        (
            ("front: F", "back: B", "demo: stack", "with: {temprature: 2}"),
            "my.yaml:9:5: ",
            "demo stack has no knob 'temprature'",
            "did you mean temperature?",
        ),
        (
            ("front: F", "back: B", "demo: stack", "with:", "  layers: 3"),
            "my.yaml:9:5: ",
            "layers cannot be '3'",
            "from 0 to 2",
        ),
        (
            ("front: F", "back: B", "demo: context", "with: {case: bank, word: tired}"),
            "my.yaml:9:5: ",
            "'tired' does not fit the slot --word",
            "pond",
        ),
    ],
)
def test_what_is_not_there_is_named_with_its_place_and_near_names(
    shell: Shell, keys: tuple[str, ...], place: str, what: str, hint: str
) -> None:
    code, lines = checked(shell, *keys)
    assert code == 1
    assert lines[0].startswith(place)
    assert what in lines[0]
    assert lines[1].endswith(f"|     {keys[int(place.split(':')[1]) - 6]}")
    assert hint in lines[2]
    assert lines[-1] == "my.yaml: mine, 2 cards"


def test_a_demo_a_question_and_a_knob_are_all_named(shell: Shell) -> None:
    code, lines = checked(
        shell, "question: head.x", "demo: scale", "with: {d_k: none}", "tags: [a]"
    )
    assert code == 1
    assert [line.split(": ")[0] for line in lines if line.startswith("my.yaml:")] == [
        "my.yaml:6:5",
        "my.yaml:8:5",
        "my.yaml",
    ]


@pytest.mark.parametrize(
    "keys",
    [
        ("front: F", "back: B", "demo: stack", 'with: {case: bank, off: "2.1"}'),
        ("front: F", "back: B", "demo: head"),
        ("question: head.weight",),
        ("question: head.weight", "demo: mask"),
    ],
)
def test_what_is_there_is_fine(shell: Shell, keys: tuple[str, ...]) -> None:
    assert checked(shell, *keys) == (0, ["my.yaml: mine, 2 cards ✓"])


def test_the_same_key_on_another_card_is_not_taken_for_it(shell: Shell) -> None:
    shell.file(
        "my.yaml",
        "deck: mine\ncards:\n"
        "  - {id: a, front: F, back: B, demo: haed}\n"
        "  - {id: b, front: G, back: B}\n"
        "  - id: c\n    front: H\n    back: B\n    demo: head\n",
    )
    lines = shell.attn("deck", "check", "my.yaml").lines
    assert lines[0].startswith("my.yaml:3:1: mine/a: no demo")
    assert sum("no demo" in line for line in lines) == 1


def test_the_card_is_asked_all_the_same(shell: Shell) -> None:
    shell.deck(f"{HEAD}    demo: haed\n")
    said = shell.attn("review", "mine", "--plain", given="\n3\n")
    assert said.code == 0
    assert "First?" in said.lines


def test_a_deck_without_lessons_is_checked_without_numpy(shell: Shell) -> None:
    path = shell.deck(SMALL)
    assert not _loads_numpy(shell, str(path))


def test_a_demo_without_knobs_is_looked_up_without_numpy(shell: Shell) -> None:
    path = shell.deck(f"{HEAD}    demo: head\n")
    assert not _loads_numpy(shell, str(path))


def test_a_question_is_looked_up_in_its_lesson(shell: Shell) -> None:
    path = shell.deck("deck: mine\ncards:\n  - question: head.weight\n")
    assert _loads_numpy(shell, str(path))


def _loads_numpy(shell: Shell, path: str) -> bool:
    said = shell.process("deck", "check", path, before=f"import sys\nexec({LOADED!r})\nsys.exit()")
    assert said.code == 0, said.err
    assert said.lines[-1].endswith("✓")
    return said.err.endswith("True\n")


# What `deck add` takes is what `deck check` takes

BROKEN = [
    ("demo: stack", "with: {layers: 3}"),
    ("demo: stack", "with: {temprature: 2}"),
    ("demo: context", "with: {weights: toy, noun: dog}"),
    ("demo: haed",),
]


def refused(shell: Shell, *words: str) -> list[str]:
    """What is said when nothing is added, after the notice of a first start."""
    said = shell.refused("deck", "add", *words).split("\n")
    return [line for line in said if not line.startswith("Your progress is kept")]


def put(shell: Shell, *keys: str) -> None:
    """A file whose second card, from line 5 on, has these keys."""
    card = "\n".join(f"    {key}" for key in ("front: F", "back: B", *keys))
    shell.file("my.yaml", f"{HEAD}  - id: second\n{card}\n")


@pytest.mark.parametrize(
    ("way", "what_then"),
    [
        ((), " (--skip-bad adds 1)"),
        (("--dry-run",), " (--skip-bad adds 1)"),
        (("--link",), ""),
        (
            ("--link", "--skip-bad"),
            "; --skip-bad takes no card out of a file that stays where it is",
        ),
    ],
)
@pytest.mark.parametrize("keys", BROKEN)
def test_what_check_finds_add_refuses_in_the_same_words(
    shell: Shell, keys: tuple[str, ...], way: tuple[str, ...], what_then: str
) -> None:
    put(shell, *keys)
    checked = shell.attn("deck", "check", "my.yaml")
    assert checked.code == 1
    before = shell.decks()
    said = refused(shell, "my.yaml", *way)
    assert said[:-1] == checked.lines[:-1]
    assert said[-1] == f"my.yaml: 1 card is fine, 1 is not; nothing was added{what_then}"
    assert shell.decks() == before


def test_a_question_that_there_is_not_is_refused(shell: Shell) -> None:
    shell.file("my.yaml", "deck: mine\ncards:\n  - question: head.wieght\n")
    said = refused(shell, "my.yaml")
    assert said[0].startswith("my.yaml:3:5: mine/")
    assert "did you mean weight" in said[2]
    assert said[-1] == ("my.yaml: 0 cards are fine, 1 is not; nothing was added")


def test_cards_that_wait_for_one_another_across_decks_are_refused(shell: Shell) -> None:
    shell.deck("deck: c1\ncards:\n  - {id: a, front: F, back: B, after: [c2/b]}\n", "c1.yaml")
    shell.file("c2.yaml", "deck: c2\ncards:\n  - {id: b, front: F, back: B, after: [c1/a]}\n")
    assert refused(shell, "c2.yaml")[0].startswith(
        "c2.yaml:3:1: c2/b: these cards wait for each other"
    )


def test_a_circle_is_found_wherever_it_is_closed(shell: Shell) -> None:
    shell.deck(
        "deck: c1\ncards:\n  - {id: a, front: F, back: B, after: [c2/b]}\n"
        "  - {id: d, front: G, back: B, after: [a]}\n",
        "c1.yaml",
    )
    shell.file("c2.yaml", "deck: c2\ncards:\n  - {id: b, front: F, back: B, after: [c1/d]}\n")
    assert refused(shell, "c2.yaml")[0].startswith(
        "c2.yaml:3:1: c2/b: these cards wait for each other"
    )


def test_a_note_of_several_cards_in_a_circle_counts_once(shell: Shell) -> None:
    shell.deck("deck: c1\ncards:\n  - {id: a, front: F, back: B, after: [c2/b]}\n", "c1.yaml")
    shell.file(
        "c2.yaml",
        "deck: c2\ncards:\n  - {front: F, back: B}\n"
        "  - id: b\n    cloze: '{{c1::A}} and {{c2::B}}'\n    after: [c1/a]\n",
    )
    assert refused(shell, "c2.yaml")[-1].startswith("c2.yaml: 1 card is fine, 1 is not;")


def test_what_is_unread_and_what_is_wrong_within_are_named_together(shell: Shell) -> None:
    put(shell, "demo: stack", "with: {layers: 3}")
    text = (shell.folder / "my.yaml").read_text(encoding="utf-8")
    shell.file("my.yaml", f"{text}  - {{id: third, front: G}}\n")
    said = refused(shell, "my.yaml")
    assert said[:-1] == shell.attn("deck", "check", "my.yaml").lines[:-1]
    assert said[-1] == ("my.yaml: 1 card is fine, 2 are not; nothing was added (--skip-bad adds 1)")


def test_a_card_with_two_mistakes_and_several_sides_counts_once(shell: Shell) -> None:
    text = "deck: mine\ncards:\n  - {front: F, back: B}\n  - id: c\n    demo: haed\n"
    shell.file("my.yaml", f"{text}    question: head.wieght\n")
    assert refused(shell, "my.yaml")[-1].startswith("my.yaml: 1 card is fine, 1 is not;")
    shell.file("my.yaml", f"{text}    cloze: '{{{{c1::A}}}} and {{{{c2::B}}}}'\n")
    assert refused(shell, "my.yaml")[-1].startswith("my.yaml: 1 card is fine, 1 is not;")


def test_two_files_of_one_deck_are_refused(shell: Shell) -> None:
    for name in "ab":
        shell.file(f"all/{name}.yaml", "deck: mine\ncards:\n  - {front: F, back: B}\n")
    for way in ((), ("--skip-bad",)):
        said = refused(shell, "all", *way)
        assert said[0].startswith("all/b.yaml: all/a.yaml already holds a deck called 'mine'")
        assert said[-1] == "together: nothing was added"
    assert "mine" not in shell.decks()


def test_a_sound_lesson_is_added(shell: Shell) -> None:
    put(shell, "demo: stack", "with: {layers: 1}")
    assert shell.done("deck", "add", "my.yaml").out.startswith("added mine: 2 cards")


def exported(shell: Shell, old: str, new: str) -> None:
    """A JSON file of such a deck, with something else in one place."""
    put(shell, "demo: stack", "with: {layers: 1}")
    shell.done("deck", "add", "my.yaml")
    shell.done("deck", "export", "mine", "-o", "out.json")
    shell.done("deck", "remove", "mine")
    text = (shell.folder / "out.json").read_text(encoding="utf-8")
    assert text.count(old) == 1
    shell.file("out.json", text.replace(old, new))


def test_a_card_of_another_format_with_a_broken_lesson_is_no_sound_card(shell: Shell) -> None:
    exported(shell, '"layers": "1"', '"layers": "3"')
    said = refused(shell, "out.json")
    assert "layers cannot be '3' (from 0 to 2)" in said[0]
    assert said[-1].endswith("1 card is fine, 1 is not; nothing was added (--skip-bad adds 1)")
    assert "mine" not in shell.decks()
    shell.done("deck", "add", "out.json", "--skip-bad")
    assert shell.attn("deck", "check", "mine").code == 0
    assert shell.decks()["mine"]["cards"] == 1


def test_a_card_of_another_format_with_a_sound_lesson_comes_in(shell: Shell) -> None:
    exported(shell, '"layers": "1"', '"layers": "2"')
    shell.done("deck", "add", "out.json")
    assert shell.decks()["mine"]["cards"] == 2
