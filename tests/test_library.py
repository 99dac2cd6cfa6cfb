"""Which deck files there are, and which deck a name means."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attn_study.deck.library import DeckFile, decks_dir, digest, files
from attn_study.deck.reader import read
from attn_study.deck.shelf import complaints
from attn_study.deck.standing import standing
from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.deck.complaint import Complaint


def put(path: Path, text: str = "deck: d\ncards: []\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def names(found: list[DeckFile], root: Path) -> list[str]:
    return [one.path.relative_to(root).as_posix() for one in found]


@pytest.fixture
def built_in(tmp_path: Path) -> Path:
    folder = tmp_path / "built-in"
    folder.mkdir()
    return folder


def test_the_built_in_decks_are_found_beside_the_package_or_in_the_checkout() -> None:
    assert decks_dir().name == "decks"
    assert decks_dir().parent.joinpath("pyproject.toml").exists() or (
        decks_dir().parent.joinpath("deck", "library.py").exists()
    )


def test_built_in_decks_come_first_then_own_then_linked_each_by_name(
    tmp_path: Path, built_in: Path
) -> None:
    for name in ("built-in/z.yaml", "own/b.yml", "own/A.yaml", "own/sub/c.yaml", "far/x.YAML"):
        put(tmp_path / name)
    single = put(tmp_path / "elsewhere" / "one.yaml")
    found = files(tmp_path / "own", [single, tmp_path / "far"], built_in)
    assert names(found, tmp_path) == [
        "built-in/z.yaml",
        "own/A.yaml",
        "own/b.yml",
        "own/sub/c.yaml",
        "elsewhere/one.yaml",
        "far/x.YAML",
    ]
    assert [one.origin for one in found] == ["built-in", *["own"] * 3, *["linked"] * 2]
    assert found[0].size == (tmp_path / "built-in/z.yaml").stat().st_size
    assert found[0].mtime_ns == (tmp_path / "built-in/z.yaml").stat().st_mtime_ns


def test_a_longer_name_follows_the_one_it_begins_with(tmp_path: Path, built_in: Path) -> None:
    for name in ("a-b.yaml", "a.yaml", "a b.yml", "A.yml", "sub/c-d.yaml", "sub/c.yaml"):
        put(built_in / name)
    assert names(files(tmp_path / "none", [], built_in), built_in) == [
        "A.yml",
        "a.yaml",
        "a b.yml",
        "a-b.yaml",
        "sub/c.yaml",
        "sub/c-d.yaml",
    ]


def test_the_built_in_deck_on_the_chapter_comes_before_the_one_on_the_video() -> None:
    found = [file.path.name for file in files(Path("none"), [])]
    assert found.index("attention.yaml") < found.index("attention-video.yaml")


@pytest.mark.parametrize(
    "name",
    [".hidden.yaml", ".git/x.yaml", "x.yaml~", "#x.yaml#", "~$x.yaml", ".#x.yaml", "x.yaml.bak",
     "notes.txt", "yaml"],
)  # fmt: skip
def test_hidden_files_backups_and_other_files_are_no_decks(
    tmp_path: Path, built_in: Path, name: str
) -> None:
    put(tmp_path / "own" / name)
    assert files(tmp_path / "own", [], built_in) == []


def test_missing_folders_hold_no_decks(tmp_path: Path, built_in: Path) -> None:
    assert files(tmp_path / "none", [tmp_path / "neither.yaml"], built_in) == []


def test_links_that_lead_in_a_circle_or_nowhere_do_no_harm(tmp_path: Path, built_in: Path) -> None:
    put(tmp_path / "own" / "sub" / "a.yaml")
    try:
        (tmp_path / "own" / "sub" / "up").symlink_to(tmp_path / "own", target_is_directory=True)
        (tmp_path / "own" / "b.yaml").symlink_to(tmp_path / "none.yaml")
        (tmp_path / "own" / "c.yaml").symlink_to(tmp_path / "own" / "c.yaml")
    except OSError:
        pytest.skip("no links here")
    assert names(files(tmp_path / "own", [], built_in), tmp_path) == ["own/sub/a.yaml"]


@pytest.mark.parametrize("shut", ["b.yaml", "sub"])
def test_what_may_not_be_looked_at_hides_nothing_else(
    tmp_path: Path, built_in: Path, monkeypatch: pytest.MonkeyPatch, shut: str
) -> None:
    for name in ("a.yaml", "b.yaml", "sub/c.yaml"):
        put(tmp_path / "own" / name)
    stat = Path.stat

    def refused(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if path.name == shut:
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", refused)
    left = [name for name in ("own/a.yaml", "own/b.yaml", "own/sub/c.yaml") if shut not in name]
    assert names(files(tmp_path / "own", [], built_in), tmp_path) == left
    linked = files(tmp_path / "none", [tmp_path / "own" / shut], built_in)
    assert tmp_path / "own" / "b.yaml" not in [file.path for file in linked]


def test_a_file_that_is_reached_twice_is_listed_once(tmp_path: Path, built_in: Path) -> None:
    path = put(tmp_path / "own" / "a.yaml")
    found = files(tmp_path / "own", [path, tmp_path / "own"], built_in)
    assert [one.origin for one in found] == ["own"]


def test_the_digest_changes_with_the_text_alone(tmp_path: Path) -> None:
    path = put(tmp_path / "a.yaml", "one")
    assert digest(path) == hashlib.sha256(b"one").hexdigest()
    os.utime(path, ns=(0, 0))
    assert digest(path) == hashlib.sha256(b"one").hexdigest()
    with pytest.raises(UserError) as error:
        digest(tmp_path / "none.yaml")
    assert error.value.where == str(tmp_path / "none.yaml")


def test_looking_for_decks_reads_no_yaml() -> None:
    code = "import sys, attn_study.deck.library; print('yaml' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


# Decks beside each other


def said(tmp_path: Path, *, built_in: dict[str, str], own: dict[str, str]) -> list[Complaint]:
    for folder, decks in (("built-in", built_in), ("own", own)):
        for name, text in decks.items():
            put(tmp_path / folder / name, text)
    found = files(tmp_path / "own", [], tmp_path / "built-in")
    return complaints([(file, read(file.path)) for file in found])


def text(name: str, *cards: str, more: str = "") -> str:
    lines = "".join(f"  - {{front: Q {n}, back: A, {card}}}\n" for n, card in enumerate(cards))
    return f"deck: {name}\n{more}" + (f"cards:\n{lines}" if cards else "cards: []\n")


@pytest.mark.parametrize(
    ("claims", "stand"),
    [
        ([("built-in", "attention"), ("built-in", "by-hand"), ("own", "attention")], [2, 1]),
        ([("built-in", "attention"), ("linked", "attention")], [1]),
        ([("built-in", "attention"), ("own", "attention"), ("own", "attention")], [1]),
        ([("built-in", "attention"), ("own", "Attention")], [0]),
        ([("own", "a"), ("linked", "a"), ("linked", "b")], [0, 2]),
        ([("own", "caf\u00e9"), ("own", "CAFE\u0301")], [0]),
        ([], []),
    ],
)
def test_which_file_stands_for_a_name(claims: list[tuple[str, str]], stand: list[int]) -> None:
    assert list(standing(claims).values()) == stand


def test_a_learners_deck_takes_the_place_of_the_built_in_one(tmp_path: Path) -> None:
    built_in = {"a.yaml": text("attention"), "b.yaml": text("by-hand")}
    own = {"x.yaml": text("attention", "id: mine"), "y.yaml": text("more")}
    assert said(tmp_path, built_in=built_in, own=own) == []


@pytest.mark.parametrize("other", ["caf\u00e9", "cafe\u0301", "Caf\u00e9", "CAF\u00c9"])
def test_s19_two_own_files_with_one_name_are_both_named(tmp_path: Path, other: str) -> None:
    own = {"1.yaml": text("caf\u00e9"), "2.yaml": text(other)}
    (complaint,) = said(tmp_path, built_in={}, own=own)
    assert complaint.path == tmp_path / "own" / "2.yaml"
    assert str(tmp_path / "own" / "1.yaml") in complaint.what
    assert not complaint.warning


def test_s19_a_name_that_differs_from_a_built_in_one_in_case_is_a_clash(tmp_path: Path) -> None:
    (complaint,) = said(tmp_path, built_in={"a.yaml": text("masks")}, own={"a.yaml": text("Masks")})
    assert complaint.path == tmp_path / "own" / "a.yaml"


def test_s19_the_same_front_in_two_decks_is_no_clash(tmp_path: Path) -> None:
    card = "tags: [x]"
    built_in, own = {"a.yaml": text("a", card)}, {"b.yaml": text("b", card)}
    assert said(tmp_path, built_in=built_in, own=own) == []


def test_a_file_that_is_no_deck_does_not_stop_the_others(tmp_path: Path) -> None:
    own = {"1.yaml": "- a\n", "2.yaml": text("good", "id: x, after: [gone/y]")}
    found = said(tmp_path, built_in={}, own=own)
    assert [one.path.name for one in found] == ["1.yaml", "2.yaml"]


@pytest.mark.parametrize(
    ("after", "hint"),
    [
        ("[b/shap]", "did you mean shape?"),
        ("[c/shape]", "one of: a, b"),
        ("[old/shape]", "write b/shape"),
    ],
)
def test_a_reference_into_another_deck_that_leads_nowhere_is_a_warning(
    tmp_path: Path, after: str, hint: str
) -> None:
    own = {
        "a.yaml": text("a", f"id: x, after: {after}"),
        "b.yaml": text("b", "id: shape", more="formerly: [old]\n"),
    }
    (complaint,) = said(tmp_path, built_in={}, own=own)
    assert (complaint.warning, complaint.line, complaint.hint) == (True, 3, hint)


def test_a_reference_into_another_deck_that_leads_somewhere_is_fine(tmp_path: Path) -> None:
    own = {"a.yaml": text("a", "id: x, after: [b/y, 'b/y:reverse']"), "b.yaml": text("b", "id: y")}
    assert said(tmp_path, built_in={}, own=own) == []


def test_a_circle_through_two_decks_is_said_at_the_card_that_closes_it(tmp_path: Path) -> None:
    own = {
        "a.yaml": text("a", "id: x, after: [b/y]", "id: z"),
        "b.yaml": text("b", "id: y, after: [a/x]"),
    }
    (complaint,) = said(tmp_path, built_in={}, own=own)
    assert (complaint.path.name, complaint.line) == ("b.yaml", 3)
    assert "a/x → b/y → a/x" in complaint.what
    assert not complaint.warning


def test_a_long_circle_through_two_decks_names_five_of_its_cards(tmp_path: Path) -> None:
    first = [f"id: x{n}, after: [b/y{n}]" for n in range(1000)]
    second = [f"id: y{n}, after: [a/x{(n + 1) % 1000}]" for n in range(1000)]
    own = {"a.yaml": text("a", *first), "b.yaml": text("b", *second)}
    (complaint,) = said(tmp_path, built_in={}, own=own)
    assert complaint.what.endswith(": a/x0 → b/y0 → a/x1 → b/y1 → … 1,995 more … → b/y999 → a/x0")
    assert complaint.line == 1002
