"""`sync --decks`: deck files go both ways, and no edit is lost on the way."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.deck.travelling import Carried, carry
from memory_helpers import LAW

if TYPE_CHECKING:
    from pathlib import Path


class Machine:
    """A folder of decks, with what is remembered of the shared one."""

    def __init__(self, root: Path, box: Path) -> None:
        self.decks, self.kept, self.box = root / "decks", root / "kept", box
        self.known: dict[str, str] = {}

    def put(self, name: str, text: str) -> None:
        path = self.decks / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")

    def sync(self) -> Carried:
        done = carry(self.decks, self.box, self.kept, self.known)
        self.known = done.known
        return done

    def texts(self) -> dict[str, str]:
        return texts(self.decks)


def texts(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.yaml"))
    }


def beside(name: str, text: str) -> str:
    return f"{name} (other text {sha256(text.encode()).hexdigest()[:6]}).yaml"


@pytest.fixture
def desk(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "desk", tmp_path / "box")


@pytest.fixture
def lap(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "lap", tmp_path / "box")


def test_a_deck_and_its_edits_go_from_machine_to_machine(desk: Machine, lap: Machine) -> None:
    desk.put("mine.yaml", "one\r\n")
    desk.put("sub/other.yml", "two")
    assert desk.sync().sent == ["mine.yaml", "sub/other.yml"]
    assert lap.sync().received == ["mine.yaml", "sub/other.yml"]
    assert (lap.decks / "mine.yaml").read_bytes() == b"one\r\n"
    lap.put("mine.yaml", "one, mended\n")
    assert lap.sync().sent == ["mine.yaml"]
    assert desk.sync().received == ["mine.yaml"]
    assert desk.texts()["mine.yaml"] == "one, mended\n"
    for machine in (desk, lap):
        again = machine.sync()
        assert again == Carried(known=machine.known)


def test_what_is_replaced_is_kept(desk: Machine, lap: Machine) -> None:
    desk.put("mine.yaml", "old")
    desk.sync()
    lap.sync()
    lap.put("mine.yaml", "new")
    lap.sync()
    desk.sync()
    assert texts(desk.kept) == {beside("mine", "old"): "old"}


def test_where_both_have_changed_both_texts_stay_on_every_machine(
    desk: Machine, lap: Machine
) -> None:
    desk.put("mine.yaml", "base")
    desk.sync()
    lap.sync()
    desk.put("mine.yaml", "at the desk")
    lap.put("mine.yaml", "on the lap")
    desk.sync()
    done = lap.sync()
    copy = beside("mine", "at the desk")
    assert (done.both, done.sent, done.received) == ([("mine.yaml", copy)], [], [])
    assert lap.texts() == {"mine.yaml": "on the lap", copy: "at the desk"}
    done = desk.sync()
    assert (done.aside, done.received) == ([("mine.yaml", copy)], [])
    assert desk.texts() == lap.texts() == texts(desk.box)


def test_two_decks_of_one_name_that_never_met_both_stay(desk: Machine, lap: Machine) -> None:
    desk.put("mine.yaml", "at the desk")
    lap.put("mine.yaml", "on the lap")
    desk.sync()
    lap.sync()
    assert set(lap.texts().values()) == {"at the desk", "on the lap"}


def test_a_copy_that_was_edited_is_not_written_over(desk: Machine, lap: Machine) -> None:
    desk.put("mine.yaml", "at the desk")
    desk.sync()
    lap.put("mine.yaml", "on the lap")
    lap.put(beside("mine", "at the desk"), "my notes")
    (said,) = lap.sync().odd
    assert "holds another text" in said
    assert set(lap.texts().values()) == {"on the lap", "my notes"}
    assert texts(desk.box)["mine.yaml"] == "at the desk"


def test_what_is_removed_on_one_machine_stays_on_the_others_and_is_said_once(
    desk: Machine, lap: Machine
) -> None:
    desk.put("mine.yaml", "text")
    desk.sync()
    lap.sync()
    (lap.decks / "mine.yaml").unlink()
    assert lap.sync().gone == ["mine.yaml"]
    assert lap.sync().gone == []
    assert lap.texts() == {}
    assert desk.sync().gone == []
    assert desk.texts() == {"mine.yaml": "text"}


def test_what_was_removed_here_and_edited_elsewhere_comes_back(desk: Machine, lap: Machine) -> None:
    desk.put("mine.yaml", "text")
    desk.sync()
    lap.sync()
    (lap.decks / "mine.yaml").unlink()
    lap.sync()
    desk.put("mine.yaml", "text, mended")
    desk.sync()
    assert lap.sync().received == ["mine.yaml"]
    (lap.box / "mine.yaml").unlink()
    assert desk.sync().gone == ["mine.yaml"]
    desk.put("mine.yaml", "once more")
    assert desk.sync().sent == ["mine.yaml"]


def test_links_and_unfinished_files_stay_where_they_are(desk: Machine, tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("not yours", encoding="utf-8")
    desk.put(".mine.yaml.1a2b.yaml", "half")
    desk.put("notes.txt", "no deck")
    (desk.decks / "link.yaml").symlink_to(secret)
    (desk.decks / "folder").symlink_to(tmp_path)
    desk.box.mkdir()
    (desk.box / "back.yaml").symlink_to(secret)
    assert desk.sync() == Carried()
    assert texts(desk.box) == {"back.yaml": "not yours"}


def test_names_that_some_systems_take_for_one_are_left_alone(desk: Machine, lap: Machine) -> None:
    desk.put("Mine.yaml", "large")
    desk.sync()
    lap.put("mine.yaml", "small")
    done = lap.sync()
    assert len(done.odd) == 2
    assert all("nearly the same name" in line for line in done.odd)
    assert (lap.texts(), texts(lap.box)) == ({"mine.yaml": "small"}, {"Mine.yaml": "large"})


def test_a_folder_in_the_way_keeps_no_other_deck_back(desk: Machine) -> None:
    desk.put("a.yaml", "a")
    desk.put("b.yaml", "b")
    (desk.box / "a.yaml").mkdir(parents=True)
    done = desk.sync()
    assert done.sent == ["b.yaml"]
    assert len(done.odd) == 1


# One of three machines writes a text, removes the deck, or meets the others
EDITS = st.tuples(st.integers(0, 2), st.sampled_from(["meet", "meet", "remove", *"uvw"]))


@LAW
@given(st.lists(EDITS, max_size=14))
def test_every_text_that_was_not_removed_or_written_over_by_its_author_is_still_somewhere(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[int, str]]
) -> None:
    root = tmp_path_factory.mktemp("law")
    machines = [Machine(root / name, root / "box") for name in ("desk", "lap", "phone")]
    for number, edit in [*edits, *((n, "meet") for n in (0, 1, 2, 0, 1, 2))]:
        machine = machines[number]
        before = set(machine.texts().values())
        if edit == "meet":
            machine.sync()
            there = set(machine.texts().values()) | set(texts(root / "box").values())
            assert before <= there | set(texts(machine.kept).values())
        elif edit == "remove":
            (machine.decks / "mine.yaml").unlink(missing_ok=True)
        else:
            machine.put("mine.yaml", f"{edit} {number}")
    assert all(machine.sync().sent == [] for machine in machines)
