"""A renamed deck keeps its progress by its line `formerly:`, once, and undo takes it back."""

from __future__ import annotations

import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from attn_study.memory.database import open_study
from attn_study.memory.log import Log
from attn_study.memory.logged import decks_of
from cli_helpers import SMALL, Shell, held
from memory_helpers import log_in_memory, review, write

if TYPE_CHECKING:
    from pathlib import Path

TUESDAY = "2026-03-03T12:00:00+00:00"
WEDNESDAY = "2026-03-04T12:00:00+00:00"
KEPT = "2 cards of mine keep their progress under yours; `attn-study undo` takes it back"
SIBLINGS = """\
deck: mine
cards:
  - {id: pair, kind: reversed, front: F, back: B}
  - {id: holes, cloze: "{{c1::one}} and {{c2::two}}"}
  - {front: Without an id, back: A}
"""


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    shell = Shell(tmp_path)
    shell.only_mine()
    return shell


@pytest.fixture
def begun(shell: Shell) -> Shell:
    """Two of three cards of the deck mine are known; it is the day after."""
    shell.done("card", "grade", "mine/one", "good")
    shell.done("card", "grade", "mine/two", "easy")
    shell.now = TUESDAY
    return shell


def named(name: str, *formerly: str, text: str = SMALL) -> str:
    """The deck under another name."""
    return text.replace("deck: mine\n", f"deck: {name}\nformerly: [{', '.join(formerly)}]\n")


def start(shell: Shell) -> list[str]:
    """Begin a sitting that may write, and leave it; return the notices."""
    return shell.done("review", "--plain").notices


def adoptions(shell: Shell) -> list[tuple[str, str]]:
    with closing(open_study(shell.home / "study.db", shell.home / "c", "1", write=False)) as conn:
        rows = Log(conn, "", shell.home).columns()[::-1]
    data = [(row["data"], str(row["card"])) for row in rows if row["kind"] == "adopt"]
    return [(str(one["former"]), card) for one, card in data if isinstance(one, dict)]


def standing(shell: Shell, card: str) -> tuple[object, ...]:
    """What the learner knows of a card: when it is due, and how it stands."""
    shown = shell.card(card)
    return tuple(shown[key] for key in ("state", "due", "interval", "repetitions", "ease"))


# A new name


def test_a_renamed_deck_keeps_its_progress_and_says_so_once(begun: Shell) -> None:
    before = [standing(begun, f"mine/{card}") for card in ("one", "two", "three")]
    begun.deck(named("yours", "mine"))
    assert start(begun) == [KEPT]
    assert [standing(begun, f"yours/{card}") for card in ("one", "two", "three")] == before
    assert start(begun) == []
    assert adoptions(begun) == [("mine/one", "yours/one"), ("mine/two", "yours/two")]


def test_one_card_is_said_to_be_one(shell: Shell) -> None:
    shell.done("card", "suspend", "mine/two")
    shell.deck(named("yours", "mine"))
    (notice,) = start(shell)
    assert notice.startswith("1 card of mine keeps its progress under yours;")
    assert shell.ids("is:suspended") == ["yours/two"]


@pytest.mark.parametrize("words", [("today",), ("card", "list"), ("log",), ("deck", "list")])
def test_a_command_that_only_reads_writes_nothing(begun: Shell, words: tuple[str, ...]) -> None:
    begun.deck(named("yours", "mine"))
    waits = (
        "2 cards of mine will keep their progress under yours, from the next `attn-study review` on"
    )
    assert begun.done(*words).notices == [waits]
    assert adoptions(begun) == []
    assert start(begun) == [KEPT]


@pytest.mark.parametrize(
    "words",
    [
        ("card", "grade", "yours/one", "good"),
        ("card", "suspend", "yours/three"),
        ("card", "add", "yours", "Fourth?", "Fourth."),
    ],
)
def test_any_command_that_may_write_takes_the_progress_along_first(
    begun: Shell, words: tuple[str, ...]
) -> None:
    begun.deck(named("yours", "mine"))
    assert KEPT in begun.done(*words).notices
    assert standing(begun, "yours/one")[3] == (2 if "grade" in words else 1)


def test_a_renamed_deck_keeps_its_scheduler(begun: Shell) -> None:
    begun.done("config", "scheduler.mine", "fsrs")
    begun.done("config", "retention.mine", "0.8")
    before = begun.card("mine/two")
    begun.deck(named("yours", "mine"))
    assert KEPT in start(begun)
    after = begun.card("yours/two")
    assert after["stability"] == before["stability"] > 0
    assert (after["due"], after["interval"]) == (before["due"], before["interval"])
    assert begun.done("config", "retention.yours").out == "0.8\n"
    begun.done("undo")
    assert "retention.yours" not in begun.done("config", "--json").json


def test_a_deck_without_known_cards_is_renamed_in_silence(shell: Shell) -> None:
    shell.done("card", "grade", "mine/one", "good")
    shell.done("undo")
    shell.deck(named("yours", "mine"))
    assert (start(shell), adoptions(shell)) == ([], [])


def test_every_card_of_a_note_and_a_card_without_an_id_keep_theirs(shell: Shell) -> None:
    shell.deck(SIBLINGS)
    cards = shell.ids("deck:mine")
    assert [card.partition(":")[2] for card in cards] == ["", "reverse", "c1", "c2", ""]
    shell.done("card", "suspend", *cards)
    shell.deck(named("yours", "mine", text=SIBLINGS))
    (notice,) = start(shell)
    assert notice.startswith("5 cards of mine keep")
    assert shell.ids("is:suspended") == [card.replace("mine/", "yours/") for card in cards]


@pytest.mark.parametrize(
    ("old", "written"), [("Mine", "mine"), ("übung", "u\u0308bung"), ("übung", "ÜBUNG")]
)
def test_a_former_name_is_known_in_any_case_and_any_form_of_its_letters(
    shell: Shell, old: str, written: str
) -> None:
    shell.deck(SMALL.replace("deck: mine", f"deck: {old}"))
    shell.done("card", "suspend", f"{old}/one")
    shell.deck(named("yours", written))
    start(shell)
    assert shell.ids("is:suspended") == ["yours/one"]


def test_a_name_that_changes_its_case_alone_is_a_new_name(begun: Shell) -> None:
    begun.deck(named("Mine", "mine"))
    start(begun)
    assert adoptions(begun) == [("mine/one", "Mine/one"), ("mine/two", "Mine/two")]


@pytest.mark.parametrize("formerly", [("mine",), ("other",), ("min",), ("mine0",)])
def test_a_deck_that_names_itself_or_an_unknown_deck_changes_nothing(
    begun: Shell, formerly: tuple[str, ...]
) -> None:
    begun.deck(named("mine" if formerly == ("mine",) else "yours", *formerly))
    assert (start(begun), adoptions(begun)) == ([], [])


def test_the_rest_of_the_former_deck_comes_when_its_cards_come_back(begun: Shell) -> None:
    without = SMALL.replace("id: two", "id: zwei")
    begun.deck(named("yours", "mine", text=without))
    assert start(begun) == [KEPT.replace("2 cards of mine keep their", "1 card of mine keeps its")]
    begun.now = WEDNESDAY
    begun.deck(named("yours", "mine"))
    start(begun)
    assert adoptions(begun) == [("mine/one", "yours/one"), ("mine/two", "yours/two")]


def test_answers_that_arrive_after_the_deck_count_for_it_all_the_same(
    begun: Shell, tmp_path: Path
) -> None:
    later = Shell(tmp_path / "later")
    later.only_mine(named("yours", "mine"))
    later.now = TUESDAY
    assert start(later) == [f"Your progress is kept in {later.home / 'study.db'}"]
    for name in ("study.db", "study.db-wal", "study.db-shm"):
        (later.home / name).unlink(missing_ok=True)
    shutil.copy(begun.home / "study.db", later.home / "study.db")
    assert start(later) == [KEPT]
    assert standing(later, "yours/one") == standing(begun, "mine/one")


def test_answers_under_both_names_fold_as_answers_to_one_card(begun: Shell, tmp_path: Path) -> None:
    begun.deck(SMALL.replace("deck: mine", "deck: yours"))
    begun.done("card", "grade", "yours/one", "good")
    begun.deck(named("yours", "mine"))
    start(begun)
    single = Shell(tmp_path / "single")
    single.only_mine()
    for single.now, grade in ((begun.now.replace("-03T", "-02T"), "good"), (begun.now, "good")):
        single.done("card", "grade", "mine/one", grade)
    assert standing(begun, "yours/one") == standing(single, "mine/one")
    assert standing(begun, "yours/one")[3] == 2


# Once


def test_what_was_taken_back_stays_taken_back(begun: Shell) -> None:
    begun.deck(named("yours", "mine"))
    start(begun)
    said = begun.done("undo")
    assert said.lines == [
        "took back: yours/one adopt, just now",
        "took back: yours/two adopt, just now",
    ]
    assert begun.ids("is:new", "deck:yours") == ["yours/one", "yours/two", "yours/three"]
    for _ in range(2):
        assert start(begun) == []
        (begun.home / "cache.db").unlink()
    assert len(adoptions(begun)) == 2


def test_an_undo_right_after_the_renaming_takes_back_the_last_answer(begun: Shell) -> None:
    begun.deck(named("yours", "mine"))
    assert begun.done("undo").lines == ["took back: mine/two easy, 1 day ago"]
    start(begun)
    assert adoptions(begun) == [("mine/one", "yours/one")]


def test_a_long_undo_is_told_in_short(shell: Shell) -> None:
    cards = "".join(f"  - {{id: c{n}, front: Q{n}, back: A}}\n" for n in range(30))
    shell.deck(f"deck: mine\ncards:\n{cards}")
    shell.done("card", "suspend", *shell.ids("deck:mine"))
    lines = shell.done("undo").lines
    assert len(lines) == 21
    assert lines[-1] == "and 10 more that were done together with these"
    assert shell.ids("is:suspended") == []


def test_a_catalogue_that_is_lost_or_held_adopts_nothing_twice(begun: Shell) -> None:
    begun.deck(named("yours", "mine"))
    with held(begun.home / "cache.db"):
        assert start(begun) == [KEPT]
        assert start(begun) == []
    (begun.home / "cache.db").unlink()
    assert start(begun) == []
    assert len(adoptions(begun)) == 2


def test_unchanged_decks_with_a_former_name_are_not_read(begun: Shell) -> None:
    begun.deck(named("yours", "mine"))
    start(begun)
    watch = "import atexit; atexit.register(lambda: print('yaml' in sys.modules, file=sys.stderr))"
    main = "from attn_study.cli.main import main; main()"
    said = begun.process("review", "--plain", before=f"{watch}\n{main}")
    assert said.notices == ["False"]


# Several names


@pytest.mark.parametrize("between", [True, False], ids=["step by step", "at once"])
def test_a_deck_renamed_twice_keeps_its_progress(begun: Shell, between: bool) -> None:
    before = standing(begun, "mine/one")
    begun.deck(named("b", "mine"))
    if between:
        start(begun)
    begun.deck(named("c", "mine", "b"))
    start(begun)
    assert standing(begun, "c/one") == before
    assert start(begun) == []


def test_a_deck_renamed_there_and_back_and_there_again_keeps_its_progress(begun: Shell) -> None:
    before = standing(begun, "mine/one")
    for name, former in (("b", "mine"), ("mine", "b"), ("b", "mine"), ("c", "b"), ("mine", "c")):
        begun.deck(named(name, former))
        assert len(start(begun)) == 1
        assert standing(begun, f"{name}/one") == before
        assert start(begun) == []


def test_while_the_former_deck_is_there_nothing_is_adopted_and_that_is_said_once(
    begun: Shell,
) -> None:
    begun.deck(named("yours", "mine"), "yours.yaml")
    (notice,) = begun.done("today").notices
    assert notice.startswith("yours says it was mine formerly, but mine is still there")
    assert (start(begun), adoptions(begun)) == ([], [])
    (begun.home / "decks" / "mine.yaml").unlink()
    assert start(begun) == [KEPT]


def test_a_card_that_the_former_deck_still_holds_stays_there(begun: Shell) -> None:
    begun.deck(SMALL.replace("id: one", "id: uno"))
    begun.deck(named("yours", "mine"), "yours.yaml")
    begun.deck(SMALL.replace("id: two", "id: due"))
    start(begun)
    assert ("mine/one", "yours/one") not in adoptions(begun)
    assert ("mine/two", "yours/two") in adoptions(begun)


def test_a_deck_split_in_two_gives_each_card_to_the_part_that_holds_it(begun: Shell) -> None:
    begun.deck(named("a", "mine", text=SMALL.replace("id: two", "id: zwei")), "mine.yaml")
    begun.deck(named("b", "mine", text=SMALL.replace("id: three", "id: tres")), "parts.yaml")
    (notice,) = start(begun)
    assert notice.startswith(
        "1 card of mine keeps its progress under a; 1 card of mine keeps its progress under b;"
    )
    assert adoptions(begun) == [("mine/one", "a/one"), ("mine/two", "b/two")]
    begun.done("undo")
    assert (start(begun), len(adoptions(begun))) == ([], 2)


def test_a_card_given_away_by_hand_is_not_called_back(begun: Shell) -> None:
    begun.deck(SMALL.replace("id: one", "id: uno"))
    begun.done("card", "adopt", "mine/one", "mine/uno")
    before = standing(begun, "mine/uno")
    begun.deck(named("yours", "mine", text=SMALL + "  - {id: uno, front: Q, back: A}\n"))
    start(begun)
    assert adoptions(begun)[1:] == [("mine/two", "yours/two"), ("mine/uno", "yours/uno")]
    assert standing(begun, "yours/uno") == before
    assert standing(begun, "yours/one")[0] == "new"


def test_a_card_that_gave_its_history_on_by_hand_takes_none_from_the_former_deck(
    begun: Shell,
) -> None:
    begun.deck(SMALL.replace("deck: mine", "deck: yours"))
    begun.done("card", "suspend", "yours/one")
    begun.deck(SMALL.replace("deck: mine", "deck: yours").replace("id: one", "id: uno"))
    begun.done("card", "adopt", "yours/one", "yours/uno")
    begun.deck(named("yours", "mine", text=SMALL + "  - {id: uno, front: Q, back: A}\n"))
    start(begun)
    assert adoptions(begun) == [("yours/one", "yours/uno"), ("mine/two", "yours/two")]
    assert begun.ids("is:suspended") == ["yours/uno"]


def test_an_adoption_by_hand_that_the_line_made_already_is_said_to_be_there(begun: Shell) -> None:
    begun.deck(named("yours", "mine"))
    said = begun.done("card", "adopt", "mine/one", "yours/one")
    assert said.lines == ["yours/one has the history of mine/one already"]
    assert len(adoptions(begun)) == 2


def test_the_decks_of_a_log_are_found_each_once() -> None:
    with log_in_memory() as log:
        for card in ("b/x", "a/x", "a/y", "ab/x", "a-b/x", "ü/x", "b/z"):
            write(log, 0, review(card, 4))
        assert sorted(decks_of(log.conn)) == ["a", "a-b", "ab", "b", "ü"]
