"""The study day: which date an instant counts for, wherever the learner is."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.memory.day import moment
from memory_helpers import LAW, replay, review, told

BERLIN = ZoneInfo("Europe/Berlin")
TOKYO = ZoneInfo("Asia/Tokyo")
LOS_ANGELES = ZoneInfo("America/Los_Angeles")


def local(text: str, zone: ZoneInfo = BERLIN, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold)


def day_of(
    text: str,
    zone: ZoneInfo = BERLIN,
    *,
    fold: int = 0,
    rollover: int = 4,
    newest: str = "",
) -> str:
    known = date.fromisoformat(newest) if newest else None
    return str(moment(local(text, zone, fold), rollover, known).day)


@pytest.mark.parametrize(
    ("wall", "rollover", "day"),
    [
        ("2026-03-02T23:50", 4, "2026-03-02"),
        ("2026-03-03T01:30", 4, "2026-03-02"),
        ("2026-03-03T03:59:59", 4, "2026-03-02"),
        ("2026-03-03T04:00", 4, "2026-03-03"),
        ("2026-03-03T04:01", 4, "2026-03-03"),
        ("2026-03-02T23:59", 0, "2026-03-02"),
        ("2026-03-03T00:00", 0, "2026-03-03"),
        ("2026-03-03T22:59", 23, "2026-03-02"),
        ("2026-03-03T23:00", 23, "2026-03-03"),
        ("2028-03-01T03:00", 4, "2028-02-29"),
        ("2027-01-01T02:00", 4, "2026-12-31"),
    ],
)
def test_the_day_turns_at_the_rollover_hour(wall: str, rollover: int, day: str) -> None:
    assert day_of(wall, rollover=rollover) == day


def test_cards_answered_on_both_sides_of_midnight_come_due_together_at_the_rollover() -> None:
    evening, night = (day_of(wall) for wall in ("2026-03-02T23:50", "2026-03-03T01:30"))
    assert evening == night == "2026-03-02"
    due = replay(told((0, review("a/x", 4))))["a/x"].memory.due
    assert day_of("2026-03-03T03:59") < str(due) == day_of("2026-03-03T04:01")


@pytest.mark.parametrize(
    ("wall", "fold", "rollover", "day"),
    [
        ("2026-10-25T23:28", 0, 4, "2026-10-25"),
        ("2026-03-29T00:28", 0, 4, "2026-03-28"),
        ("2026-03-29T01:59", 0, 2, "2026-03-28"),
        ("2026-03-29T03:00", 0, 2, "2026-03-29"),
        ("2026-03-29T01:59", 0, 3, "2026-03-28"),
        ("2026-03-29T03:00", 0, 3, "2026-03-29"),
        ("2026-10-25T01:59", 0, 2, "2026-10-24"),
        ("2026-10-25T02:30", 0, 2, "2026-10-25"),
        ("2026-10-25T02:30", 1, 2, "2026-10-25"),
        ("2026-10-25T02:30", 0, 3, "2026-10-24"),
        ("2026-10-25T02:30", 1, 3, "2026-10-24"),
        ("2026-10-25T03:00", 0, 3, "2026-10-25"),
    ],
)
def test_a_clock_change_moves_no_study_day(wall: str, fold: int, rollover: int, day: str) -> None:
    assert day_of(wall, fold=fold, rollover=rollover) == day


@pytest.mark.parametrize("rollover", [0, 1, 2, 3, 4, 23])
@pytest.mark.parametrize(
    ("zone", "odd_days"),
    [
        ("Europe/Berlin", {46: 1, 50: 1}),
        ("America/Havana", {46: 1, 50: 1}),
        ("America/St_Johns", {46: 1, 50: 1}),
        ("Australia/Lord_Howe", {47: 1, 49: 1}),
        ("Asia/Kolkata", {}),
    ],
)
def test_over_a_year_no_day_is_skipped_or_doubled(
    zone: str, odd_days: dict[int, int], rollover: int
) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    half_hours = (start + timedelta(minutes=30) * n for n in range(48 * 366))
    days = [moment(t.astimezone(ZoneInfo(zone)), rollover, None).day for t in half_hours]
    assert {later - sooner for sooner, later in pairwise(days)} == {timedelta(0), timedelta(days=1)}
    whole = list(Counter(days).values())[1:-1]
    assert Counter(length for length in whole if length != 48) == odd_days


def test_a_card_of_one_day_answered_before_a_clock_change_is_due_the_next_calendar_day() -> None:
    for night, morning in [
        ("2026-03-28T23:28", "2026-03-29T04:00"),
        ("2026-10-24T23:28", "2026-10-25T04:00"),
    ]:
        answered = date.fromisoformat(day_of(night))
        assert day_of(morning) == str(answered + timedelta(days=1))


@pytest.mark.parametrize(
    ("wall", "zone", "newest", "day"),
    [
        ("2026-03-02T20:00", TOKYO, "", "2026-03-02"),
        ("2026-03-02T20:00", LOS_ANGELES, "2026-03-02", "2026-03-02"),
        ("2026-03-04T20:00", TOKYO, "2026-03-02", "2026-03-04"),
        ("2026-03-03T08:00", TOKYO, "2026-03-02", "2026-03-03"),
        ("2026-03-02T16:00", LOS_ANGELES, "2026-03-03", "2026-03-03"),
        ("2026-03-03T10:00", LOS_ANGELES, "2026-03-03", "2026-03-03"),
        ("2026-03-04T05:00", LOS_ANGELES, "2026-03-03", "2026-03-04"),
    ],
    ids=[
        "Tokyo",
        "the same evening in Los Angeles",
        "back in Tokyo",
        "a morning in Tokyo",
        "landed the day before",
        "the same date once more",
        "and the next",
    ],
)
def test_a_day_already_studied_goes_on_after_a_flight_west(
    wall: str, zone: ZoneInfo, newest: str, day: str
) -> None:
    assert day_of(wall, zone, newest=newest) == day


@LAW
@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(-10 * 4, 13 * 4)), min_size=1, max_size=12),
    st.integers(0, 23),
)
def test_whoever_studies_at_every_stop_never_meets_a_day_again(
    stops: list[tuple[int, int]], rollover: int
) -> None:
    at = datetime(2026, 3, 2, 12, tzinfo=UTC)
    newest: date | None = None
    for hours, quarters in stops:
        at += timedelta(hours=hours)
        here = at.astimezone(timezone(timedelta(minutes=15 * quarters)))
        own = moment(here, rollover, None).day
        today = moment(here, rollover, newest).day
        assert today == max(own, newest or own)
        newest = today


@pytest.mark.parametrize(
    ("newest", "day"),
    [
        ("2025-12-01", "2026-03-02"),
        ("2026-03-01", "2026-03-02"),
        ("2026-03-03", "2026-03-03"),
        ("2026-03-04", "2026-03-02"),
        ("2026-06-30", "2026-03-02"),
        ("2034-01-01", "2026-03-02"),
    ],
)
def test_a_log_written_under_a_wrong_clock_does_not_hold_the_learner_back(
    newest: str, day: str
) -> None:
    assert day_of("2026-03-02T12:00", newest=newest) == day


@pytest.mark.parametrize(
    ("rollover", "newest", "day"),
    [(4, "2026-03-02", "2026-03-02"), (0, "2026-03-02", "2026-03-03")],
)
def test_a_changed_rollover_holds_from_now_on(rollover: int, newest: str, day: str) -> None:
    assert day_of("2026-03-03T00:30", rollover=rollover, newest=newest) == day


def test_a_later_rollover_does_not_give_a_day_that_has_begun_back() -> None:
    begun = day_of("2026-03-03T00:10", rollover=0)
    assert day_of("2026-03-03T00:30", rollover=4, newest=begun) == begun


@pytest.mark.parametrize(
    ("wall", "zone", "utc", "offset"),
    [
        ("2026-03-02T12:00", "Europe/Berlin", "2026-03-02T11:00:00.000+00:00", 60),
        ("2026-03-02T12:00", "Asia/Kolkata", "2026-03-02T06:30:00.000+00:00", 330),
        ("2026-03-02T12:00", "Asia/Kathmandu", "2026-03-02T06:15:00.000+00:00", 345),
        ("2026-03-02T12:00", "America/St_Johns", "2026-03-02T15:30:00.000+00:00", -210),
        ("2026-03-02T12:00:00.0625", "UTC", "2026-03-02T12:00:00.062+00:00", 0),
    ],
)
def test_a_moment_keeps_the_instant_in_utc_and_the_offset_in_minutes(
    wall: str, zone: str, utc: str, offset: int
) -> None:
    now = moment(local(wall, ZoneInfo(zone)), 4, None)
    assert (now.utc, now.offset) == (utc, offset)


def test_the_repeated_hour_gives_two_instants_of_one_day() -> None:
    first, second = (moment(local("2026-10-25T02:30", fold=n), 4, None) for n in (0, 1))
    assert first.day == second.day
    assert (first.utc[:16], second.utc[:16]) == ("2026-10-25T00:30", "2026-10-25T01:30")
