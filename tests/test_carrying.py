"""Histories come along: a deck's own rows to another home, and what another program knew."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest

from attn_study.cli.decks.carrying import carry, export_rows, import_rows, met
from attn_study.cli.world import World
from attn_study.deck.formats import Answered, History, State
from attn_study.errors import UserError
from attn_study.memory.event import Draft, Kind
from attn_study.memory.fold import CardState
from attn_study.memory.sm2 import Grade, Memory
from cli_helpers import SMALL, Shell
from memory_helpers import adopt, cap, drill, imported, noon, replay, review, rows, states, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attn_study.cli.study import Study

IDS = {"n1": "mine/one", "n2": "mine/two", "n3": "mine/three"}
WEDNESDAY = "2026-03-04T12:00:00+00:00"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return home(tmp_path, "here")


def home(folder: Path, name: str) -> Shell:
    """A home whose deck is the small one."""
    shell = Shell(folder / name)
    shell.file("home/settings.toml", 'hidden = ["attention", "attention-video"]\n')
    shell.deck(SMALL)
    shell.now = WEDNESDAY
    return shell


@contextmanager
def study(shell: Shell) -> Iterator[Study]:
    with World(shell.environ({})).open(write=True) as opened:
        yield opened


def at(text: str) -> int:
    """An instant in milliseconds since 1970."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)


def answer(note: str, when: str, grade: int = 4, *, part: str = "", seconds: float = 2) -> Answered:
    return Answered(note, part, f"{note} {when}", at(f"{when}+00:00"), grade, seconds)


def state(note: str, due: str | None = "2026-03-20", **changes: object) -> State:
    known: dict[str, object] = {"ease": 235, "interval": 12, "repetitions": 3, "lapses": 1}
    day = None if due is None else date.fromisoformat(due)
    return State(note=note, part="", due=day, **(known | changes))  # type: ignore[arg-type]


def known(study: Study) -> dict[str, CardState]:
    """The states as they are kept, which are those of a replay."""
    kept = states(study.log.conn)
    assert kept == replay(rows(study.log.conn))
    return kept


# A deck's own rows


def rich(study: Study) -> None:
    """A history with everything in it."""
    log = study.log
    write(log, 0, cap(50), review("mine/one", 4), review("mine/two", 1), drill("mine/two", 4))
    write(log, 0, review("mine/gone", 5), review("old/three", 4), review("elsewhere/x", 4))
    log.undo(noon())
    acts: list[tuple[Kind, str]] = [
        ("suspend", "mine/two"),
        ("flag", "mine/one"),
        ("reset", "mine/gone"),
    ]
    for kind, card in acts:
        log.write([review("mine/gone", 3)], noon(1))
        log.write([Draft(card, kind)], noon(1))
    write(log, 1, adopt("old/three", "mine/three"), imported("mine/one", interval=9, ease=180))
    write(log, 1, cap(5))
    log.undo(noon(1))
    write(log, 1, review("mine/three", 4), adopt("mine/lent", "elsewhere/y"))


def test_a_deck_with_its_history_is_the_same_in_another_home(shell: Shell, tmp_path: Path) -> None:
    there = home(tmp_path, "there")
    with study(shell) as here:
        rich(here)
        exported = export_rows(here, "mine")
        wanted = {card: one for card, one in known(here).items() if card.startswith("mine/")}
    assert set(wanted) == {"mine/one", "mine/two", "mine/three", "mine/gone"}
    with study(there) as other:
        words = import_rows(other, "mine", exported)
        assert words == f"{len(exported)} rows of its log brought in"
        met(other, "mine")
        assert known(other) == wanted
        rules = sum(row["card"] == "" for row in exported)
        again = import_rows(other, "mine", exported)
        assert again == f"{rules} rows beyond this deck were left out"
    for asked_for in (("today", "--json"), ("card", "list", "--json", "is:due")):
        said = [one.done(*asked_for).out.replace(str(one.home), "") for one in (shell, there)]
        assert said[0] == said[1]
    asked = [one.done("review", "--plain").out for one in (shell, there)]
    assert asked[0] == asked[1]


def test_cards_that_come_with_a_history_are_not_offered_as_new(
    shell: Shell, tmp_path: Path
) -> None:
    with study(shell) as here:
        write(here.log, 0, review("mine/one", 4))
        exported = export_rows(here, "mine")
    there = home(tmp_path, "there")
    assert there.ids("is:new") == ["mine/one", "mine/two", "mine/three"]
    with study(there) as other:
        import_rows(other, "mine", exported)
        met(other, "mine")
    assert there.ids("is:new") == ["mine/two", "mine/three"]


def test_rows_that_speak_of_other_decks_touch_none_of_them(shell: Shell, tmp_path: Path) -> None:
    there = home(tmp_path, "there")
    with study(there) as other:
        write(other.log, 0, review("else/card", 4))
        (theirs,) = rows(other.log.conn)
        before = known(other)["else/card"]
    with study(shell) as here:
        write(here.log, 0, review("mine/one", 4))
        (row,) = export_rows(here, "mine")

    def made(number: int, **changes: object) -> dict[str, object]:
        return dict(row) | {"uid": f"{number:032x}"} | changes

    hostile = [
        row,
        made(1, card="else/card", grade=0),
        made(2, card="else/card", kind="reset", grade=None, seconds=None),
        made(3, kind="adopt", grade=None, seconds=None, data={"former": "else/card"}),
        made(4, kind="undo", grade=None, seconds=None, data={"undone": theirs.uid}),
        made(5, card="", kind="rule", grade=None, seconds=None, data={"interval_cap": 1}),
        made(6, card="else/card", kind="adopt", grade=None, data={"former": "mine/one"}),
    ]
    with study(there) as other:
        words = import_rows(other, "mine", hostile)
        assert words == "1 row of its log brought in; 6 rows beyond this deck were left out"
        assert known(other)["else/card"] == before
        assert known(other)["mine/one"].memory.due is not None


def test_a_bad_row_leaves_the_home_as_it_was(shell: Shell) -> None:
    with study(shell) as here:
        write(here.log, 0, review("mine/one", 4))
        row = dict(export_rows(here, "mine")[0])
        with pytest.raises(UserError, match="row 2 of the log"):
            import_rows(here, "mine", [row | {"uid": "0" * 32}, row | {"kind": "quiz"}])
        assert len(rows(here.log.conn)) == 1


# What another program knew


def test_s51_a_schedule_comes_in_with_its_ease_its_interval_and_its_day(shell: Shell) -> None:
    history = History(states=(state("n1", "2026-03-09"),))
    with study(shell) as here:
        words = carry(here, "mine", IDS, history)
        assert known(here) == {
            "mine/one": CardState("mine/one", Memory(235, 3, 12, 1, date(2026, 3, 9)), rows=1)
        }
    assert words.startswith("schedule of 1 card and 0 answers brought in")
    assert shell.ids("is:new") == ["mine/two", "mine/three"]


def test_answers_keep_their_day_their_time_and_their_grade(shell: Shell) -> None:
    history = History(
        answers=(
            answer("n1", "2026-02-03T03:59:59.999", 3, seconds=75),
            answer("n1", "2026-02-01T12:00:00.250", 4, seconds=7.5),
            answer("n1", "2026-02-03T04:00:00", 1, seconds=-1),
        )
    )
    with study(shell) as here:
        words = carry(here, "mine", IDS, history)
        found = rows(here.log.conn)
        assert [(row.day.isoformat(), row.grade, row.seconds, row.at) for row in found] == [
            ("2026-02-01", 4, 7.5, "2026-02-01T12:00:00.250+00:00"),
            ("2026-02-02", 3, 60, "2026-02-03T03:59:59.999+00:00"),
            ("2026-02-03", 1, 0, "2026-02-03T04:00:00.000+00:00"),
        ]
        assert here.log.state("mine/one").memory == Memory(236, 0, 1, 1, date(2026, 2, 4))
    assert words.startswith("schedule of 0 cards and 3 answers brought in")


@pytest.mark.parametrize(
    ("now", "changes", "days"),
    [
        ("2026-03-04T12:00:00+09:00", {}, ["2026-02-02", "2026-02-02"]),
        ("2026-03-04T12:00:00-08:00", {}, ["2026-02-01", "2026-02-01"]),
        (None, {"TZ": "Europe/Berlin"}, ["2026-02-01", "2026-02-02"]),
    ],
)
def test_the_learners_zone_and_hour_say_which_study_day_an_answer_counts_for(
    shell: Shell,
    monkeypatch: pytest.MonkeyPatch,
    now: str | None,
    changes: dict[str, str],
    days: list[str],
) -> None:
    import time

    history = History(
        answers=(answer("n1", "2026-02-02T02:30:00"), answer("n2", "2026-02-02T03:30:00"))
    )
    for name, value in changes.items():
        monkeypatch.setenv(name, value)
    time.tzset()
    try:
        with World(shell.environ({"ATTN_STUDY_NOW": now})).open(write=True) as here:
            carry(here, "mine", IDS, history)
            assert [row.day.isoformat() for row in rows(here.log.conn)] == days
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_zone_of_summer_holds_for_answers_of_summer(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    import time

    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        with World(shell.environ({"ATTN_STUDY_NOW": None})).open(write=True) as here:
            carry(
                here,
                "mine",
                IDS,
                History(
                    answers=(
                        answer("n1", "2025-01-02T02:30:00"),
                        answer("n2", "2025-07-02T02:30:00"),
                    )
                ),
            )
            found = [(row.day.isoformat(), row.offset) for row in rows(here.log.conn)]
            assert found == [("2025-01-01", 60), ("2025-07-02", 120)]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_schedule_has_the_last_word_over_the_answers(shell: Shell) -> None:
    history = History(
        states=(state("n1"),),
        answers=tuple(answer("n1", f"2026-03-0{day}T11:00:00") for day in (4, 2, 3)),
    )
    with study(shell) as here:
        carry(here, "mine", IDS, history)
        assert here.log.state("mine/one").memory == Memory(235, 3, 12, 1, date(2026, 3, 20))
        assert here.log.state("mine/one").review_day == date(2026, 3, 4)
        assert known(here)["mine/one"].rows == 4
        here.log.write([review("mine/one", 4)], noon(18))  # the day it is due
        assert here.log.state("mine/one").memory == Memory(235, 4, 29, 1, date(2026, 4, 18))


def test_parts_of_a_note_are_cards_of_their_own(shell: Shell) -> None:
    history = History(
        states=(State("n1", ":reverse", 250, 4, 2, 0, date(2026, 3, 9)),),
        answers=(answer("n1", "2026-03-01T12:00:00", part=":c2"),),
    )
    with study(shell) as here:
        carry(here, "mine", IDS, history)
        assert set(known(here)) == {"mine/one:reverse", "mine/one:c2"}


def test_a_suspended_card_is_suspended_and_one_made_new_again_is_new(shell: Shell) -> None:
    history = History(
        states=(
            state("n1", suspended=True),
            state("n2", None),
            state("n3", None, suspended=True),
        ),
        answers=(answer("n2", "2026-03-01T12:00:00"),),
    )
    with study(shell) as here:
        carry(here, "mine", IDS, history)
        kept = known(here)
    assert (kept["mine/one"].suspended, kept["mine/one"].memory.interval) == (True, 12)
    assert (kept["mine/two"].is_new, kept["mine/two"].rows) == (True, 2)
    assert (kept["mine/three"].is_new, kept["mine/three"].suspended) == (True, True)


def test_s49_a_second_import_touches_nothing(shell: Shell) -> None:
    history = History(
        states=(state("n1"), state("n2", None, suspended=True)),
        answers=(answer("n1", "2026-03-01T12:00:00"), answer("n3", "2026-03-01T12:00:00")),
    )
    later = History(history.states, (*history.answers, answer("n1", "2026-03-02T12:00:00")))
    with study(shell) as here:
        carry(here, "mine", IDS, history)
        before = rows(here.log.conn), known(here)
        words = carry(here, "mine", IDS, later)
        assert (rows(here.log.conn), known(here)) == before
    assert words == "no schedule brought in; 3 cards with a history here were left alone"


def test_a_card_with_a_history_here_keeps_it(shell: Shell) -> None:
    history = History(
        states=(state("n1"), state("n2"), state("n3")),
        answers=(answer("n1", "2026-03-01T12:00:00"), answer("n2", "2026-03-01T12:00:00")),
    )
    with study(shell) as here:
        write(here.log, 0, review("mine/one", 1))
        write(here.log, 0, review("old/x", 1), adopt("old/x", "mine/three"))
        before = {card: here.log.state(card) for card in ("mine/one", "mine/three")}
        words = carry(here, "mine", IDS, history)
        assert {card: here.log.state(card) for card in before} == before
        assert here.log.state("mine/two").memory.interval == 12
    assert words == (
        "schedule of 1 card and 1 answer brought in, which `attn-study undo` takes back; "
        "2 cards with a history here were left alone"
    )


def test_one_undo_takes_the_whole_import_back_and_it_may_come_again(shell: Shell) -> None:
    history = History(
        states=(state("n1"), state("n2", suspended=True)),
        answers=(answer("n1", "2026-03-01T12:00:00"), answer("n3", "2026-03-01T12:00:00")),
    )
    with study(shell) as here:
        write(here.log, 0, review("mine/other", 4))
        carry(here, "mine", IDS, history)
        first = {card: here.log.state(card).memory for card in IDS.values()}
    shell.done("undo")
    assert shell.ids("is:new") == ["mine/one", "mine/two", "mine/three"]
    with study(shell) as here:
        assert not here.log.state("mine/two").suspended
        assert not here.log.state("mine/other").is_new
        carry(here, "mine", IDS, history)
        assert {card: here.log.state(card).memory for card in IDS.values()} == first


def test_notes_that_were_not_brought_in_leave_no_row(shell: Shell) -> None:
    history = History(states=(state("n9"),), answers=(answer("n8", "2026-03-01T12:00:00"),))
    with study(shell) as here:
        assert carry(here, "mine", IDS, history) == "no schedule brought in"
        assert rows(here.log.conn) == []


@pytest.mark.parametrize("milliseconds", [at("2026-03-05T12:00:00+00:00"), 10**18, -(10**18)])
def test_answers_of_a_wrong_clock_are_left_out_and_counted(shell: Shell, milliseconds: int) -> None:
    wrong = Answered("n1", "", "k", milliseconds, 4, 1)
    with study(shell) as here:
        words = carry(here, "mine", IDS, History(answers=(wrong,)))
        assert rows(here.log.conn) == []
    assert words.endswith("1 answer with a date that cannot be was left out")


def test_ten_thousand_answers_are_one_batch_and_fold_as_a_replay_does(shell: Shell) -> None:
    ids = {f"n{number}": f"mine/c{number}" for number in range(2_000)}
    days = [f"2026-02-{day:02}T12:00:00" for day in (1, 2, 8, 20, 27)]
    history = History(
        states=tuple(state(note) for note in ids),
        answers=tuple(answer(note, day) for day in days for note in ids),
    )
    with study(shell) as here:
        words = carry(here, "mine", ids, history)
        assert words.startswith("schedule of 2,000 cards and 10,000 answers brought in")
        assert len(known(here)) == 2_000
        assert len({row.batch for row in rows(here.log.conn)}) == 1
        here.log.undo(noon(2))
        assert all(one.is_new for one in known(here).values())


def test_answers_are_written_as_this_devices_own(shell: Shell) -> None:
    with study(shell) as here:
        carry(here, "mine", IDS, History(answers=(answer("n1", "2026-03-01T12:00:00"),)))
        (row,) = rows(here.log.conn)
        assert (row.device, row.grade, row.kind) == (here.log.device, Grade.HESITANT, "review")
        assert datetime.fromisoformat(row.at) == datetime(2026, 3, 1, 12, tzinfo=UTC)
