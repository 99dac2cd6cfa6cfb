"""What a review says in lines: verdict, figure, history, and the summary at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.deck.card import Figure
from attn_study.memory.event import Draft
from attn_study.memory.fold import CardState, past
from attn_study.memory.overview import Counts
from attn_study.memory.rules import Rules
from attn_study.memory.sm2 import Grade, Memory
from attn_study.render.figure import figure
from attn_study.render.history import history, standing
from attn_study.render.summary import closing, minutes, summary
from attn_study.render.text import cells
from attn_study.render.verdict import verdict
from attn_study.sitting import Answer, Summary
from learner import face_of, typed
from memory_helpers import after, day, drill, review, told, undo

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from rich.text import Text

TODAY = day(0)


def plain(lines: Iterable[Text]) -> list[str]:
    return [line.plain.rstrip() for line in lines]


@pytest.mark.parametrize(
    ("given_text", "heading", "lines"),
    [
        ("word c", "right", ["you    word c"]),
        ("Word  c", "right", ["you    Word  c"]),
        ("", "nothing typed", ["right  word c"]),
        ("  ", "nothing typed", ["right  word c"]),
        ("wrd c", "not quite", ["you    wrd c", "        ‸", "right  word c"]),
        ("woord c", "not quite", ["you    woord c", "        ^", "right  word c"]),
        ("word d", "not quite", ["you    word d", "            ^", "right  word c"]),
        ("注 word c", "not quite", ["you    注 word c", "       ^^^", "right  word c"]),
    ],
)
def test_a_typed_answer_is_compared_letter_by_letter(
    given_text: str, heading: str, lines: list[str]
) -> None:
    found, shown = verdict(face_of(typed("c"), given_text), 60)
    assert found == heading
    assert plain(shown) == [*lines, ""]


@pytest.mark.parametrize("width", [1, 8, 20, 60])
def test_a_long_typed_answer_is_wrapped_and_loses_nothing(width: int) -> None:
    words = "".join(f" w{number}" for number in range(40))
    _, shown = verdict(face_of(typed("c"), words), width)
    given_back = "".join(line.removeprefix("you") for line in plain(shown))
    assert given_back.replace(" ", "").startswith(words.replace(" ", ""))
    if width > 12:
        assert all(line.cell_len <= width for line in shown)


letters = st.sampled_from(["a", "Q", "注", "👩‍💻", "e\u0301", "🇳🇱", "[x]"])
tokens = st.lists(letters, min_size=1, max_size=5).map("".join)


@given(st.lists(st.tuples(tokens, st.floats(0, 1)), min_size=1, max_size=9), st.integers(24, 80))
def test_every_number_of_a_figure_stands_under_its_word(
    weighed: list[tuple[str, float]], width: int
) -> None:
    words, weights = zip(*weighed, strict=True)
    lines = figure(Figure(words, weights, words[0]), width)
    said = next(place for place, line in enumerate(lines) if line.plain.startswith("“"))
    rows = lines[:said]
    starts: list[str] = []
    for upper, bars, numbers in zip(rows[::3], rows[1::3], rows[2::3], strict=True):
        assert cells(upper.plain) == cells(bars.plain) == cells(numbers.plain)
        assert cells(upper.plain.rstrip()) <= width
        starts += numbers.plain.split()
    assert starts == [f"{weight:.2f}" for weight in weights]
    assert "illustrative" in " ".join(plain(lines[said:]))


def test_a_figure_without_any_weight_is_drawn_flat() -> None:
    lines = plain(figure(Figure(("a", "b"), (0.0, 0.0), "a"), 40))
    assert lines[:3] == ["a     b", "", "0.00  0.00"]


@pytest.mark.parametrize("width", [18, 34, 74])
def test_no_line_of_a_figure_is_wider_than_its_room(width: int) -> None:
    picture = Figure(("The", "chicken", "it"), (0.1, 0.6, 0.3), "it")
    assert [line for line in plain(figure(picture, width)) if cells(line) > width] == []


STORY = (
    (-7, review("a/x", 4)),
    (-6, review("a/x", 3)),
    (-6, drill("a/x", 4)),
    (0, review("a/x", 1)),
    (0, undo("a/x", 3)),
    (0, Draft("a/x", "flag", data={"words": "typo"})),
)


def test_the_history_has_a_line_a_row_with_what_it_did() -> None:
    lines = history("a/x", after(*STORY), past("a/x", told(*STORY)), 80)
    assert plain(lines) == [
        "",
        " a/x",
        " due 2026-03-02, interval 6 d, ease 2.36, 2 in a row, 0 lapses, reported: typo",
        "",
        " 2026-02-23  review   good           ease 2.50 → 2.50  interval 0 → 1 d",
        " 2026-02-24  review   hard           ease 2.50 → 2.36  interval 1 → 6 d",
        " 2026-02-24  drill    good",
        " 2026-03-02  review   again          taken back",
        " 2026-03-02  flag                    reported: typo",
    ]


def test_the_history_says_of_a_second_answer_of_a_day_that_it_changes_nothing() -> None:
    story = (STORY[0], STORY[0])
    lines = history("a/x", after(*story), past("a/x", told(*story)), 80)
    assert plain(lines)[-1] == " 2026-02-23  review   good           no change"


@pytest.mark.parametrize("columns", [20, 40, 60])
def test_no_line_of_the_history_is_wider_than_the_window(columns: int) -> None:
    lines = history("a/x", after(*STORY), past("a/x", told(*STORY)), columns)
    assert [line for line in plain(lines) if cells(line) > columns] == []


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (CardState("a/x"), "new, never answered"),
        (CardState("a/x", suspended=True), "new, never answered, suspended"),
        (CardState("a/x", flag="typo"), "new, never answered, reported: typo"),
        (
            CardState("a/x", Memory(130, 1, 1, 1, TODAY), suspended=True),
            "due 2026-03-02, interval 1 d, ease 1.30, 1 in a row, 1 lapse, suspended",
        ),
    ],
)
def test_the_standing_of_a_card_is_said_in_words(state: CardState, says: str) -> None:
    assert standing(state) == says


def said(card: str, grade: int, *, new: bool = False, drilled: bool = False) -> Answer:
    return Answer(card, Grade(grade), 3.0, new, drilled)


@pytest.mark.parametrize(
    ("done", "lines"),
    [
        (Summary(), ["Nothing answered."]),
        (Summary(out_of_time=True), ["Time is up."]),
        (
            Summary(earlier=("b", "a")),
            ["Nothing answered.", "Taken back from before: b, a."],
        ),
        (Summary((said("a", 4, new=True),), 59.4), ["Done: 1 new, 59 s."]),
        (
            Summary((said("a", 4), said("b", 3), said("b", 4, drilled=True)), 360),
            ["Done: 2 reviewed, 1 asked again until right, 6 min."],
        ),
        (
            Summary((said("a", 1, new=True), said("b", 0), said("a", 1, drilled=True)), 90, True),
            ["Time is up: 1 new, 1 reviewed, 2 min.", "Missed: a, b."],
        ),
        (
            Summary(tuple(said(f"c{number}", 1) for number in range(7)), 1),
            ["Done: 7 reviewed, 1 s.", "Missed: c0, c1, c2, c3, c4 and 2 more."],
        ),
        (
            Summary((said("a", 1, drilled=True), said("a", 4, drilled=True)), 5),
            ["Done: 1 asked again until right, 5 s."],
        ),
    ],
)
def test_the_summary_says_what_was_done_and_missed(done: Summary, lines: list[str]) -> None:
    assert plain(summary(done)) == lines


@pytest.mark.parametrize(("seconds", "says"), [(0, "0 s"), (59.4, "59 s"), (60, "1 min")])
def test_a_time_is_rounded_for_the_eye(seconds: float, says: str) -> None:
    assert minutes(seconds) == says


def counts(
    due: int = 0, askable: int = 0, new: int = 0, again: int = 0, then: date | None = None
) -> Counts:
    return Counts(due, askable, new, again, 1, then, 3)


DONE = Summary((said("a", 4, new=True),), 60)


@pytest.mark.parametrize(
    ("done", "now", "tomorrow", "last"),
    [
        (DONE, counts(again=1), counts(), "Left for today: 1 again."),
        (DONE, counts(5, 5, 2), counts(), "Left for today: 5 due, 2 new."),
        (DONE, counts(then=day(1)), counts(3, 3, 7), "Tomorrow: 3 due, 7 new."),
        (DONE, counts(then=day(4)), counts(), "In 4 days, on 2026-03-06: 3 due."),
        (DONE, counts(), counts(), "Nothing comes due."),
        (None, counts(then=day(1)), counts(3, 3), "Done for today. Tomorrow: 3 due."),
        (None, counts(9, 0, 0), counts(), "The day's reviews are done; 9 wait."),
    ],
)
def test_the_last_line_says_what_is_left_or_when_to_come_back(
    done: Summary | None, now: Counts, tomorrow: Counts, last: str
) -> None:
    assert plain(closing(done, TODAY, now, tomorrow))[-1] == last


def test_the_history_keeps_to_the_longest_interval_there_may_be() -> None:
    story = told((-20, review("a/x", 4)), (-19, review("a/x", 4)), (-13, review("a/x", 4)))
    lines = plain(history("a/x", after((0, review("a/x", 4))), past("a/x", story, Rules(5)), 80))
    assert [line.rpartition("interval ")[2] for line in lines[4:]] == [
        "0 → 1 d",
        "1 → 5 d",
        "5 → 5 d",
    ]
