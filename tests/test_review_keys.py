"""The review's screen with scripted keys: which frame a key answers, and what it does there."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_study.screen.keys import Press
from learner import Study, basic, typed
from memory_helpers import log_in_memory, log_on_disk, noon, review
from sitting_helpers import sit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


GRADELESS = [Press("burst", "33"), Press("paste", "3"), Press("resize"), Press("resume"), None]


@pytest.fixture
def study() -> Iterator[Study]:
    with log_in_memory() as log:
        study = Study(log)
        study.shelve(basic("c1"), basic("c2"), typed("c3"))
        yield study


def test_what_was_typed_ahead_is_dropped_when_each_new_frame_stands(study: Study) -> None:
    keys, done = sit(study, "space", "3", "space", "3", *"word c3", "enter", "3", "q")
    whats = ["Question c1?", "Reply c1", "Question c2?", "Reply c2", "Question c3?", "3 good"]
    assert len(keys.dropped) == len(whats) + 1
    for what, frame in zip(whats, keys.dropped, strict=False):
        assert what in frame
    assert "Done: 3 new" in keys.dropped[-1]
    assert [answer.grade for answer in done.answers] == [4, 4, 4]


@pytest.mark.parametrize(
    "key", [*"123450x", "tab", "escape", "unknown", "left", *GRADELESS, Press("burst", " 3")]
)
def test_before_the_answer_no_key_grades_and_only_space_and_enter_reveal(
    study: Study, key: Press | str | None
) -> None:
    keys, done = sit(study, key, "x")
    assert not any("Reply" in frame for frame in keys.seen)
    assert done.answers == ()


@pytest.mark.parametrize(
    "key", [*"50x", "space", "enter", "tab", "escape", "unknown", "down", *GRADELESS]
)
def test_after_the_answer_only_the_four_grades_grade(study: Study, key: Press | str | None) -> None:
    keys, done = sit(study, "space", key, "x")
    assert "Reply c1" in keys.seen[-1]
    assert done.answers == ()


def test_in_the_drill_only_its_two_keys_grade(study: Study) -> None:
    study.new = 1
    keys, done = sit(study, "space", "1", "space", "2", "4", "1", "space", "3", "q")
    assert "only these grade: 1 not yet 3 got it" in keys.seen[4]
    assert [(answer.grade, answer.drill) for answer in done.answers] == [
        (1, False),
        (1, True),
        (4, True),
    ]


@pytest.mark.parametrize(
    "aside",
    [["i", "x"], ["?", "x"], ["f", "n", "o", "escape"], ["f", "n", "o", "enter"]],
    ids=["the history", "the help", "a report thought better of", "a report"],
)
def test_time_spent_beside_the_card_is_no_time_to_answer(study: Study, aside: list[str]) -> None:
    sit(study, *aside, "space", "3", pause=10)
    seconds = study.log.conn.execute("SELECT seconds FROM log WHERE kind = 'review'").fetchall()
    assert seconds == [(20.0,)]


def test_an_answer_that_was_not_saved_says_so_beside_its_card(tmp_path: Path) -> None:
    with log_on_disk(tmp_path) as log, log_on_disk(tmp_path) as other:
        study = Study(log)
        study.shelve(basic("c1"))
        log.conn.execute("PRAGMA busy_timeout = 1")
        other.conn.execute("BEGIN IMMEDIATE")
        keys, done = sit(study, "space", "3")
    assert "not saved:" in keys.seen[-1]
    assert "Reply c1" in keys.seen[-1]
    assert done.answers == ()


def test_a_word_said_stays_for_one_key(study: Study) -> None:
    keys, _ = sit(study, "3", "x", "x")
    said = ["the answer first" in frame for frame in keys.seen]
    assert said == [False, True, False, False]


def test_the_sentence_for_beginners_is_shown_until_the_first_grade(study: Study) -> None:
    keys, _ = sit(study, "space", "?", "x", "3", "space")
    said = ["The first step is one day" in frame for frame in keys.seen]
    assert said == [False, True, False, True, False, False]


def test_paging_through_a_long_answer_leaves_no_line_out(study: Study) -> None:
    numbered = [f"line {number:03}" for number in range(60)]
    study.shelve(basic("c1", note="\n".join(numbered)))
    for columns, rows in ((80, 24), (40, 24), (20, 24), (40, 12)):
        keys, _ = sit(study, "space", *["pagedown"] * 120, columns=columns, rows=rows)
        shown = "".join(keys.seen)
        assert [line for line in numbered if line not in shown] == []
        assert "↓" not in keys.seen[-1]


def test_the_last_screen_names_every_missed_card_whole(study: Study) -> None:
    names = [f"a-rather-long-name-{number}" for number in range(4)]
    study.shelve(*map(basic, names))
    keys, _ = sit(study, *["space", "1"] * 4, *["space", "3"] * 4, columns=40)
    assert "Done: 4 new" in keys.seen[-1]
    assert [name for name in names if name not in keys.seen[-1]] == []


def test_the_history_is_shown_with_ease_and_interval(study: Study) -> None:
    study.log.write([review("mine/c1", 4)], noon(-7))
    study.log.write([review("mine/c1", 3)], noon(-6))
    keys, _ = sit(study, "i", "x")
    assert "ease 2.50 → 2.36  interval 1 → 6 d" in keys.seen[1]
    assert f"due {date(2026, 3, 2)}" in keys.seen[1]
    assert "Question c1?" in keys.seen[2]


presses = st.one_of(
    st.sampled_from([*"1234", "space", "enter", "escape", *"ubsifxy?", "up", "pagedown"]),
    st.sampled_from([Press("burst", "33"), Press("paste", "3\n3"), Press("resize"), None]),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(presses, max_size=25), st.sampled_from([(80, 24), (30, 9), (20, 5), (1, 1)]))
def test_whatever_is_pressed_each_grade_answers_a_shown_answer(
    pressed: list[Press | str | None], size: tuple[int, int]
) -> None:
    with log_in_memory() as log:
        study = Study(log)
        study.shelve(basic("c1"), typed("c2"), basic("c3"))
        keys, _ = sit(study, *pressed, columns=size[0], rows=size[1])
        assert len(keys.dropped) <= len(keys.seen)
        graded = sum(grade is not None for _, _, grade in study.grades())
        assert graded <= sum(press in {"1", "2", "3", "4"} for press in pressed)
        if size == (80, 24):
            offered = sum("1 again" in f or "1 not yet" in f for f in keys.dropped)
            assert graded <= offered
