"""A learner's real log, 12,580 answers of 1,205 cards: what the program makes of it, by two routes.

What is expected is worked out here from the file alone: with the `csv` module, zones of the
standard library, and SM-2 in fractions. The log is that of `data/real-review-log.LICENSE`.
"""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import duckdb
import pytest

from attn_study.memory.replaying import replayed
from cli_helpers import Shell
from memory_helpers import log_in_memory, log_on_disk, rows, states

if TYPE_CHECKING:
    from attn_study.memory.event import Event
    from attn_study.memory.fold import CardState

README = Path(__file__).parents[1] / "README.md"
LOG = Path(__file__).parent / "data" / "real-review-log.csv"
ZONE, ROLLOVER = "Asia/Shanghai", 4  # o'clock
QUALITY = {"1": 1, "2": 3, "3": 4, "4": 5}
MATURE = 21  # days
LAST = date(2024, 10, 10)


@dataclass
class Answer:
    """One answer, as the file has it, and what SM-2 knew of the card before it."""

    card: str
    at: datetime
    day: date
    quality: int
    seconds: float
    sort: str = "drill"


@dataclass
class Learned:
    """SM-2 as its author described it: EF an exact fraction, a list of what happened."""

    ef: Fraction = Fraction(5, 2)
    n: int = 0
    interval: int = 0
    lapses: int = 0
    days: list[date] = field(default_factory=list)

    def answer(self, q: int, day: date) -> str:
        """Take an answer; return whether the card was new, young or mature, or just drilled."""
        if day in self.days:
            return "drill"
        sort = "mature" if self.interval >= MATURE else "young"
        sort = sort if self.days else "new"
        self.days.append(day)
        if q < 3:
            self.lapses += self.n > 0
            self.n, self.interval = 0, 1
            return sort
        change = Fraction(1, 10) - (5 - q) * (Fraction(8, 100) + (5 - q) * Fraction(2, 100))
        self.ef = max(Fraction(13, 10), self.ef + change)
        self.n += 1
        if self.n == 1:
            self.interval = 1
        elif self.n == 2:
            self.interval = 6
        else:
            self.interval = math.ceil(self.interval * self.ef)
        return sort


def from_file() -> tuple[list[Answer], dict[str, Learned]]:
    """Read the file, in the order of time, and learn every card."""
    with LOG.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    answers: list[Answer] = []
    cards: dict[str, Learned] = {}
    for row in sorted(table, key=lambda row: datetime.fromisoformat(row["review_time"])):
        at = datetime.fromisoformat(row["review_time"])
        wall = at.astimezone(ZoneInfo(ZONE))
        day = wall.date() - timedelta(days=wall.hour < ROLLOVER)
        quality = QUALITY[row["review_rating"]]
        seconds = min(int(row["review_duration"]) / 1000, 60)
        sort = cards.setdefault(row["card_id"], Learned()).answer(quality, day)
        answers.append(Answer(row["card_id"], at, day, quality, seconds, sort))
    return answers, cards


ANSWERS, CARDS = from_file()


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A home into which the real log was brought."""
    made = Shell(tmp_path_factory.mktemp("real"))
    made.now = f"{LAST}T12:00:00+08:00"
    said = made.done("log", "import", str(LOG), "--deck", "biology", "--zone", ZONE)
    days = {one.day for one in ANSWERS}
    span = f"on {len(days)} days from {min(days)} to {max(days)}"
    assert said.lines == [
        f"brought in 12,580 answers of 1,205 cards, {span}",
        "  under the deck biology",
        "  1,205 cards are in no deck; their rows are kept and counted all the same",
        "`attn-study undo` takes all of it back",
    ]
    return made


@pytest.fixture(scope="module")
def kept(shell: Shell) -> tuple[list[Event], dict[str, CardState]]:
    """The rows of that home, and the states it keeps."""
    with log_on_disk(shell.home, write=False) as log:
        return rows(log.conn), states(log.conn)


def test_every_answer_is_a_row_with_its_grade_day_instant_and_seconds(
    kept: tuple[list[Event], dict[str, CardState]],
) -> None:
    found = [(row.card, row.at, row.day, row.grade, row.seconds) for row in kept[0]]
    assert found == [
        (
            f"biology/{one.card}",
            one.at.astimezone(UTC).isoformat(timespec="milliseconds"),
            one.day,
            one.quality,
            one.seconds,
        )
        for one in ANSWERS
    ]
    assert {(row.kind, row.offset) for row in kept[0]} == {("review", 480)}


def test_every_card_is_where_sm2_in_fractions_leaves_it(
    kept: tuple[list[Event], dict[str, CardState]],
) -> None:
    found = {
        card: (
            Fraction(state.memory.ease, 100),
            state.memory.repetitions,
            state.memory.interval,
            state.memory.lapses,
            state.memory.due,
            state.first_day,
        )
        for card, state in kept[1].items()
    }
    assert found == {
        f"biology/{card}": (
            one.ef,
            one.n,
            one.interval,
            one.lapses,
            one.days[-1] + timedelta(days=one.interval),
            one.days[0],
        )
        for card, one in CARDS.items()
    }


def test_a_replay_of_the_whole_log_gives_the_states_that_the_import_left(
    shell: Shell, kept: tuple[list[Event], dict[str, CardState]]
) -> None:
    with log_on_disk(shell.home, write=False) as log:
        assert {state.card: state for state in replayed(log)} == kept[1]


@pytest.mark.parametrize("size", [pytest.param(1, marks=pytest.mark.slow), 97, 5_000])
def test_rows_taken_in_one_by_one_or_by_many_lead_to_the_same_states(
    kept: tuple[list[Event], dict[str, CardState]], size: int
) -> None:
    with log_in_memory() as log:
        for start in range(0, len(kept[0]), size):
            with log.writing():
                log.take_in(kept[0][start : start + size])
        assert states(log.conn) == kept[1]


def test_the_newest_answers_first_lead_to_the_same_states(
    kept: tuple[list[Event], dict[str, CardState]],
) -> None:
    with log_in_memory() as log:
        for start in range(0, len(kept[0]), 1_000):
            with log.writing():
                log.take_in(kept[0][::-1][start : start + 1_000])
        assert states(log.conn) == kept[1]


@pytest.mark.slow
def test_an_undo_takes_all_of_it_back_and_it_may_come_again(
    shell: Shell, kept: tuple[list[Event], dict[str, CardState]], tmp_path: Path
) -> None:
    other = Shell(tmp_path)
    other.now = shell.now
    words = ("log", "import", str(LOG), "--deck", "biology", "--zone", ZONE)
    other.done(*words)
    assert other.done("undo").lines[-1].startswith("and 12,560 more that were done together")
    with log_on_disk(other.home, write=False) as log:
        assert {state.memory.due for state in states(log.conn).values()} == {None}
    assert other.done(*words).lines[0].startswith("brought in 12,580 answers")
    with log_on_disk(other.home, write=False) as log:
        again = {card: (one.memory, one.first_day) for card, one in states(log.conn).items()}
    assert again == {card: (one.memory, one.first_day) for card, one in kept[1].items()}


def test_its_own_export_brings_all_of_it_to_another_home(
    shell: Shell, kept: tuple[list[Event], dict[str, CardState]], tmp_path: Path
) -> None:
    other = Shell(tmp_path)
    shell.done("log", "export", "-o", str(tmp_path / "all.jsonl"))
    other.done("log", "import", "all.jsonl")
    with log_on_disk(other.home, write=False) as log:
        assert (rows(log.conn), states(log.conn)) == kept


def test_the_query_of_the_readme_counts_a_class_as_the_files_do(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Shell(tmp_path)
    times = ("2024-08-01T12", "2024-08-02T12", "2024-08-02T13", "2024-09-01T12", "2024-09-02T12")
    ratings = (1, 3, 1, 1, 3)  # new, passed, drilled, forgotten, and one that is taken back
    table = [f"x,{r},{at}:00:00+00:00\n" for at, r in zip(times, ratings, strict=True)]
    for name, part in (("kept", table[:4]), ("undone", table)):
        other.file(f"{name}.csv", "card_id,review_rating,review_time\n" + "".join(part))
        other.done("log", "import", f"{name}.csv", "--deck", "a", "--zone", "UTC")
    assert other.done("undo").lines[0].startswith("took back: a/x good")
    for learner, name in ((shell, "ann"), (other, "bob")):
        path = tmp_path / "class" / f"{name}.parquet"
        learner.done("log", "export", "-o", str(path), "--anonymous")

    known = [(one.day, one.quality) for one in ANSWERS if one.sort in ("young", "mature")]
    known += [(date(2024, 8, 2), 4), (date(2024, 9, 1), 1)]
    expected = []
    for month in sorted({day.replace(day=1) for day, _ in known}):
        passed = [quality >= 3 for day, quality in known if day.replace(day=1) == month]
        learners = 2 if month in (date(2024, 8, 1), date(2024, 9, 1)) else 1
        percent = pytest.approx(100 * sum(passed) / len(passed), abs=0.051)
        expected.append((month, learners, len(passed), percent))
    query = re.search(r"^```sql\n(.*?)^```$", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert query
    monkeypatch.chdir(tmp_path)
    with duckdb.connect() as conn:
        assert conn.execute(query[1]).fetchall() == expected


# What the statistics say, against a count of the file


@pytest.fixture(scope="module")
def counted(shell: Shell) -> dict[str, Any]:
    """What `stats` says of that log."""
    return shell.done("stats", "--json").json


def test_reviews_drill_and_time_of_each_day_are_those_of_the_file(counted: dict[str, Any]) -> None:
    reviews = Counter(str(one.day) for one in ANSWERS if one.sort != "drill")
    new = Counter(str(one.day) for one in ANSWERS if one.sort == "new")
    drill = Counter(str(one.day) for one in ANSWERS if one.sort == "drill")
    seconds: Counter[str] = Counter()
    for one in ANSWERS:
        seconds[str(one.day)] += one.seconds  # type: ignore[assignment]
    found = {row["day"]: row for row in counted["days"]}
    assert found.keys() == reviews.keys()
    for day, row in found.items():
        assert (row["reviews"], row["new"], row["drill"]) == (reviews[day], new[day], drill[day])
        assert row["seconds"] == pytest.approx(seconds[day])
    assert (counted["reviews"], counted["drill"]) == (reviews.total(), drill.total())
    assert counted["reviews"] + counted["drill"] == 12_580


def test_grades_and_hours_are_those_of_the_file(counted: dict[str, Any]) -> None:
    for sort, grades in counted["grades"].items():
        expected = Counter(str(one.quality) for one in ANSWERS if one.sort == sort)
        assert {grade: count for grade, count in grades.items() if count} == expected
    assert set(counted["grades"]) == {one.sort for one in ANSWERS}
    hours = Counter(one.at.astimezone(ZoneInfo(ZONE)).hour for one in ANSWERS)
    assert counted["hours"] == [hours[hour] for hour in range(24)]


def test_retention_young_and_mature_is_that_of_the_file(counted: dict[str, Any]) -> None:
    for stretch in counted["retention"]:
        days = stretch["days"]
        since = date.min if days is None else LAST - timedelta(days=days - 1)
        for sort in ("young", "mature"):
            asked = [one for one in ANSWERS if one.sort == sort and one.day >= since]
            passed = sum(one.quality >= 3 for one in asked)
            share = pytest.approx(passed / len(asked)) if asked else None
            found = {"passed": passed, "reviews": len(asked), "retention": share}
            assert stretch[sort] == found, stretch["stretch"]
    assert stretch["mature"]["reviews"] > 300  # the border lies within the log


def test_cards_that_no_deck_holds_are_counted(counted: dict[str, Any]) -> None:
    assert (counted["cards"], counted["in_no_deck"]) == (0, 1_205)
