"""`deck add --skip-bad`: cards that read well but are wrong stay out, in any format."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli_helpers import Shell

if TYPE_CHECKING:
    from pathlib import Path

MIXED = """\
deck: mine
# my own remark
cards:
  - id: one
    front: First?
    back: Yes.
  # about the second
  - id: two
    front: Second?
    back: No.
    demo: haed
  - id: three
    front: Third?   # said once
    back: |
      Perhaps.
"""
LEFT = MIXED.replace(
    """\
  - id: two
    front: Second?
    back: No.
    demo: haed
""",
    """\
#   - id: two
#     front: Second?
#     back: No.
#     demo: haed
""",
)
WAITS = "deck: other\ncards:\n  - {id: x, front: X, back: Y, after: [mine/b]}\n"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def refused(shell: Shell, *words: str) -> list[str]:
    """What is said when nothing is added, after the notice of a first start."""
    said = shell.refused("deck", "add", *words).split("\n")
    return [line for line in said if not line.startswith("Your progress is kept")]


def own(shell: Shell, name: str = "mine") -> str:
    return (shell.home / "decks" / f"{name}.yaml").read_text(encoding="utf-8")


def checked(shell: Shell, *decks: str) -> int:
    return shell.attn("deck", "check", *decks).code


def as_json(shell: Shell, text: str, *changes: tuple[str, str]) -> None:
    """A JSON file `out.json` of this deck, which is there no more, with some texts changed."""
    shell.deck(text, "mine.yaml")
    shell.done("deck", "export", "mine", "-o", "out.json")
    shell.done("deck", "remove", "mine")
    held = (shell.folder / "out.json").read_text(encoding="utf-8")
    for old, new in changes:
        assert held.count(old) == 1
        held = held.replace(old, new)
    shell.file("out.json", held)


# Deck files of our own


def test_a_wrong_card_is_a_comment_in_the_copy_and_the_others_come_in(shell: Shell) -> None:
    source = shell.file("my.yaml", MIXED)
    said = shell.done("deck", "add", "my.yaml", "--skip-bad")
    assert said.lines == [
        "added mine: 2 cards (2 new, 0 changed, 0 gone)",
        "  left out: my.yaml:11: mine/two: no demo is called 'haed'",
        "  1 is a comment in the copy",
    ]
    assert shell.ids("deck:mine") == ["mine/one", "mine/three"]
    assert own(shell) == LEFT
    assert source.read_text(encoding="utf-8") == MIXED
    assert checked(shell, "mine") == 0


def test_a_dry_run_says_so_and_writes_nothing(shell: Shell) -> None:
    shell.file("my.yaml", MIXED)
    said = shell.done("deck", "add", "my.yaml", "--skip-bad", "--dry-run")
    assert said.lines[0] == "would add mine: 2 cards (2 new, 0 changed, 0 gone)"
    assert said.lines[1].startswith("  left out: my.yaml:11: mine/two: ")
    assert not shell.home.exists()


def test_the_mended_file_brings_the_card_in(shell: Shell) -> None:
    shell.file("my.yaml", MIXED)
    shell.done("deck", "add", "my.yaml", "--skip-bad")
    shell.file("my.yaml", MIXED.replace("haed", "head"))
    said = shell.done("deck", "add", "my.yaml")
    assert said.lines[0] == "added mine: 3 cards (1 new, 0 changed, 0 gone)"


def test_what_cannot_be_read_and_what_is_wrong_both_stay_out(shell: Shell) -> None:
    shell.file("my.yaml", f"{MIXED}  - {{id: four, front: [x], back: Y}}\n")
    assert refused(shell, "my.yaml")[-1].endswith(
        "2 are not; nothing was added (--skip-bad adds 2)"
    )
    shell.done("deck", "add", "my.yaml", "--skip-bad")
    assert shell.ids("deck:mine") == ["mine/one", "mine/three"]
    assert own(shell) == f"{LEFT}  - {{id: four, front: [x], back: Y}}\n"


def test_a_card_that_comes_after_one_left_out_is_left_out_and_named(shell: Shell) -> None:
    shell.file("my.yaml", MIXED.replace("id: three\n", "id: three\n    after: [two]\n"))
    said = shell.done("deck", "add", "my.yaml", "--skip-bad")
    assert shell.ids("deck:mine") == ["mine/one"]
    assert said.lines[1:] == [
        "  left out: my.yaml:11: mine/two: no demo is called 'haed'",
        "  left out: my.yaml:13: `after` names 'two', and no card has that id",
        "  1 is a comment in the copy",
    ]


def test_where_no_card_is_sound_nothing_is_added(shell: Shell) -> None:
    shell.file("my.yaml", "deck: mine\ncards:\n  - {id: a, front: F, back: B, demo: haed}\n")
    said = refused(shell, "my.yaml", "--skip-bad")
    assert said[-1] == "my.yaml: 0 cards are fine, 1 is not; nothing was added"
    assert "mine" not in shell.decks()


def test_the_card_that_closes_a_circle_of_decks_is_left_out(shell: Shell) -> None:
    shell.deck(WAITS, "other.yaml")
    shell.file(
        "my.yaml",
        "deck: mine\ncards:\n  - {id: a, front: F, back: B}\n"
        "  - {id: b, front: G, back: B, after: [other/x]}\n",
    )
    said = shell.done("deck", "add", "my.yaml", "--skip-bad")
    assert said.lines[1].startswith("  left out: my.yaml:4: mine/b: these cards wait for each")
    assert shell.ids("deck:mine") == ["mine/a"]
    assert checked(shell) == 0


KNOT = "\n".join(
    [
        "deck: other",
        "cards:",
        "  - {id: x, front: X, back: Y, after: [mine/p, mine/q]}",
        "  - {id: y, front: Y, back: Z, after: [x]}",
        "",
    ]
)
KNOTTED = "\n".join(
    [
        "deck: mine",
        "cards:",
        "  - {id: a, front: F, back: B}",
        "  - {id: p, front: G, back: B, after: [other/y]}",
        "  - {id: q, front: H, back: B, after: [other/y]}",
        "",
    ]
)


def test_a_circle_that_shows_only_without_another_is_left_out_as_well(shell: Shell) -> None:
    shell.deck(KNOT, "other.yaml")
    shell.file("my.yaml", KNOTTED)
    said = shell.done("deck", "add", "my.yaml", "--skip-bad")
    assert said.lines[-1] == "  2 are comments in the copy"
    assert shell.ids("deck:mine") == ["mine/a"]
    assert checked(shell) == 0


def test_no_card_is_taken_out_of_a_file_in_the_folder_of_decks(shell: Shell) -> None:
    path = shell.deck(MIXED)
    said = refused(shell, str(path), "--skip-bad")
    assert said[-1].endswith("--skip-bad takes no card out of a file that stays where it is")
    assert own(shell) == MIXED


def test_a_file_whose_cards_share_their_lines_is_refused(shell: Shell) -> None:
    shell.file(
        "my.yaml",
        "deck: mine\ncards: [{id: a, front: F, back: B, demo: haed}, {id: b, front: G, back: B}]\n",
    )
    said = refused(shell, "my.yaml", "--skip-bad")
    assert said[0] == "my.yaml:2: this card cannot be left out as it is written"
    assert "mine" not in shell.decks()


def test_a_text_that_would_change_another_card_is_refused(shell: Shell) -> None:
    shell.file(
        "my.yaml",
        "deck: mine\ncards:\n  - {id: a, front: F, back: B, tags: &t [x]}\n"
        "  - {id: b, front: G, back: B, tags: &t [y], demo: haed}\n"
        "  - {id: c, front: H, back: B, tags: *t}\n",
    )
    said = refused(shell, "my.yaml", "--skip-bad")
    assert said[0] == "my.yaml: cards cannot be left out of this file"
    assert "mine" not in shell.decks()


def test_where_no_card_would_be_left_nothing_is_added(shell: Shell) -> None:
    shell.file(
        "my.yaml",
        "deck: mine\ncards:\n  - {id: a, front: F, back: B, demo: haed}\n"
        "  - {id: b, front: G, back: B, after: [a]}\n",
    )
    assert refused(shell, "my.yaml", "--skip-bad")[0] == "my.yaml: no card would be left"
    assert "mine" not in shell.decks()


# Foreign formats

TWO = "deck: mine\ncards:\n  - {id: a, front: F, back: B}\n  - {id: b, front: G, back: B}\n"


def test_a_foreign_card_that_closes_a_circle_of_decks_is_refused_or_left_out(shell: Shell) -> None:
    as_json(
        shell,
        TWO.replace("B}\n  - {id: b, front: G,", "B}\n  - {id: b, after: [other/x], front: G,"),
    )
    shell.deck(WAITS, "other.yaml")
    said = refused(shell, "out.json")
    assert "mine/b: these cards wait for each other: " in said[0]
    assert said[-1].endswith("1 card is fine, 1 is not; nothing was added (--skip-bad adds 1)")
    assert "mine" not in shell.decks()
    shell.done("deck", "add", "out.json", "--skip-bad")
    assert shell.ids("deck:mine") == ["mine/a"]
    assert checked(shell) == 0


def test_a_foreign_card_that_waits_for_one_of_another_deck_comes_in(shell: Shell) -> None:
    as_json(shell, TWO.replace("id: b,", "id: b, after: [other/x],"))
    shell.deck(WAITS.replace(", after: [mine/b]", ""), "other.yaml")
    shell.done("deck", "add", "out.json")
    assert shell.ids("deck:mine") == ["mine/a", "mine/b"]


def test_a_circle_between_files_of_one_folder_is_refused(shell: Shell) -> None:
    as_json(shell, TWO.replace("id: b,", "id: b, after: [other/x],"))
    (shell.folder / "all").mkdir()
    (shell.folder / "out.json").rename(shell.folder / "all" / "out.json")
    shell.file("all/other.yaml", WAITS)
    assert "wait for each other" in refused(shell, "all")[0]
    assert not {"mine", "other"} & shell.decks().keys()


def test_a_circle_between_decks_of_foreign_files_is_refused(shell: Shell) -> None:
    as_json(shell, TWO.replace("id: b,", "id: b, after: [other/x],"))
    held = (shell.folder / "out.json").read_text(encoding="utf-8")
    shell.file("all/1.json", held)
    turned = (
        held.replace("other/x", "mine@b").replace("mine/", "other/").replace('"mine"', '"other"')
    )
    shell.file("all/2.json", turned.replace("mine@b", "mine/b").replace('"b"', '"x"'))
    assert "wait for each other" in refused(shell, "all")[0]


def test_foreign_cards_of_circles_that_show_one_after_the_other_are_left_out(shell: Shell) -> None:
    as_json(shell, KNOTTED)
    shell.deck(KNOT, "other.yaml")
    shell.done("deck", "add", "out.json", "--skip-bad")
    assert shell.ids("deck:mine") == ["mine/a"]
    assert checked(shell) == 0


def test_a_change_that_closes_a_circle_leaves_the_card_as_it_was(shell: Shell) -> None:
    as_json(shell, TWO.replace("id: b,", "id: b, after: [other/x],"))
    before = "deck: mine\ncards:\n  - id: a\n    front: F\n    back: B\n"
    before += "  - id: b\n    front: G\n    back: B\n"
    shell.deck(before, "mine.yaml")
    shell.deck(WAITS, "other.yaml")
    assert "mine/b: these cards wait for each other: " in refused(shell, "out.json")[0]
    shell.done("deck", "add", "out.json", "--skip-bad")
    assert own(shell) == before


def test_a_circle_of_other_decks_keeps_no_card_out(shell: Shell) -> None:
    as_json(shell, TWO.replace("id: b,", "id: b, after: [other/y],"))
    text = "deck: {}\ncards:\n  - {{id: x, front: X, back: Y, after: [{}/x]}}\n"
    shell.deck(f"{text.format('other', 'third')}  - {{id: y, front: Z, back: Y}}\n", "other.yaml")
    shell.deck(text.format("third", "other"), "third.yaml")
    assert checked(shell) == 1
    shell.done("deck", "add", "out.json")
    assert shell.ids("deck:mine") == ["mine/a", "mine/b"]


def test_a_circle_through_a_card_that_is_there_already_is_refused_whole(shell: Shell) -> None:
    as_json(shell, TWO.replace("id: b,", "id: b, after: [a],"))
    shell.deck(
        "deck: mine\ncards:\n  - {id: a, front: F, back: B, after: [other/x]}\n", "mine.yaml"
    )
    shell.deck(WAITS, "other.yaml")
    before = own(shell)
    for way in ((), ("--skip-bad",)):
        assert "wait for each other" in "\n".join(refused(shell, "out.json", *way))
    assert own(shell) == before


def test_a_card_there_is_keeps_its_lesson_where_the_file_has_a_broken_one(shell: Shell) -> None:
    sound = TWO.replace("id: b,", "id: b, demo: stack, with: {layers: 1},")
    as_json(shell, sound, ('"layers": "1"', '"layers": "3"'))
    shell.deck(sound, "mine.yaml")
    assert "layers cannot be '3'" in refused(shell, "out.json")[0]
    shell.done("deck", "add", "out.json", "--skip-bad")
    assert own(shell) == sound
