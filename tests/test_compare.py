"""A mistake beside the right way: where they part, and a row that shows it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from attn_study.attention import examples
from attn_study.attention.heads import attend
from attn_study.attention.mistakes import MISTAKES, method_of
from attn_study.demos.compare import brief, compare, meaning, place, telling
from attn_study.demos.setup import ONE_HEAD, TWO_HEADS, Start, attended
from attn_study.demos.working import Focus, Working
from lessons import ALL, lesson, text


def worked(mistake: str = "", start: Start = ONE_HEAD) -> Working:
    return Working(attended(start, mistake), "", "")


def crossed(mistake: str = "") -> Working:
    trace = attend(
        examples.Y,
        examples.X,
        examples.HEAD_1,
        query_labels=examples.TARGET_TOKENS,
        key_labels=examples.TOKENS,
        method=method_of(mistake),
    )
    return Working(trace, "", "")


@pytest.mark.parametrize(
    ("mistake", "first", "query", "right", "wrong"),
    [
        ("no-scale", "scaled_scores", 2, "0.0743", "0.0351"),
        ("scale-d-k", "scaled_scores", 2, "0.0743", "0.1220"),
        ("no-mask", "masked_scores", 1, "0.9717", "0.8703"),
        ("mask-zero-before", "masked_scores", 1, "0.9717", "0.9189"),
        ("mask-zero-after", "masked_scores", 1, "0.9717", "0.8703"),
        ("softmax-columns", "row_sum", 1, "0.9717", "0.5000"),
        ("swap-q-k", "query", 2, "0.6200", "0.1400"),
        ("no-softmax", "exp", 2, "0.6200", "0.5000"),
        ("values-are-keys", "value", 2, "2.3143", "1.5457"),
        ("mask-wrong-side", "masked_scores", 1, "0.9717", "0.8930"),
    ],
)
def test_the_worked_example_shows_each_mistake(
    mistake: str, first: str, query: int, right: str, wrong: str
) -> None:
    said = text(compare(worked(), worked(mistake), mistake, Focus(query)))
    assert said.startswith(f" {mistake}: {meaning(mistake)[:30]}")
    assert f"The first step that differs is {first}:" in said
    rows = said[said.rindex(" asks") :].splitlines()
    assert any("✓" in row and right in row for row in rows)
    assert any("✗" in row and wrong in row for row in rows)


def test_where_another_row_than_usual_asks_it_is_said_why() -> None:
    moved = "The row of “it” is the same in both, so “chicken” asks here."
    right, wrong = worked(), worked("no-mask")
    assert moved in text(compare(right, wrong, "no-mask", telling(right, wrong, Focus(1))))
    usual = text(compare(right, worked("no-scale"), "no-scale", Focus(1)))
    assert "asks here" not in usual, "its usual row would show this mistake too"
    assert "asks here" not in text(compare(right, wrong, "no-mask", Focus(2)))


def test_sums_that_differ_stand_with_their_own_pattern_alone() -> None:
    lines = text(compare(worked(), worked("softmax-columns"), "softmax-columns", Focus(2)))
    assert "✓ right: each row sums to 1" in lines
    assert "✗ wrong: each column sums to 1" in lines
    assert lines.count("sums to 1") == 2
    alike = text(compare(worked(), worked("no-scale"), "no-scale", Focus(2)))
    assert alike.count("each row sums to 1") == 1
    assert "right: each" not in alike


def test_shapes_that_differ_are_marked_as_right_and_wrong() -> None:
    said = " ".join(
        text(compare(crossed(), crossed("swap-sources"), "swap-sources", Focus(0))).split()
    )
    assert "✓ [2×4] queries × d_model ✗ [3×4] queries × d_model." in said


def test_a_row_that_repeats_the_one_before_is_left_out() -> None:
    said = text(compare(worked(), worked("no-scale"), "no-scale", Focus(2)))
    assert [line.split()[0] for line in said.splitlines() if "✓  " in line[:22]] == [
        "scaled_scores",
        "weights",
        "head_output",
        "output",
        "residual",
    ]


def test_a_row_that_is_the_same_in_both_is_left_out() -> None:
    said = text(compare(worked(), worked("values-are-keys"), "values-are-keys", Focus(2)))
    rows = [line.split()[0] for line in said.splitlines() if "✓  " in line[:22]]
    assert rows == ["head_output", "output", "residual"]


def test_averaged_heads_differ_from_the_weights_on() -> None:
    right, wrong = worked(start=TWO_HEADS), worked("average-heads", TWO_HEADS)
    said = text(compare(right, wrong, "average-heads", Focus(2)))
    assert "The first step that differs is weights" in said
    assert "✗  0.3251" in " ".join(said.split("\n")).replace("   ", "  ")
    assert "4.7052" in said


@pytest.mark.parametrize(
    ("mistake", "asked", "told"),
    [("no-mask", 2, 0), ("mask-zero-after", -1, 0), ("no-scale", 2, 2), ("no-scale", 0, 1)],
)
def test_a_row_that_cannot_show_the_mistake_gives_way_to_one_that_can(
    mistake: str, asked: int, told: int
) -> None:
    assert telling(worked(), worked(mistake), Focus(asked)).query == told


def test_the_row_that_is_right_under_every_mask_says_so() -> None:
    said = text(compare(worked(), worked("no-mask"), "no-mask", Focus(2)))
    assert "“it” asks: its row is the same in both" in said


def test_shapes_that_disagree_are_both_said() -> None:
    said = text(compare(crossed(), crossed("swap-sources"), "swap-sources", Focus()))
    assert "right [1×2×3], wrong [1×3×2]" in said
    assert "no longer lines up" in said


def test_a_mistake_without_effect_says_that_nothing_differs() -> None:
    same = crossed("no-mask")
    assert "Nothing differs here" in text(compare(crossed(), same, "no-mask", Focus()))


def test_the_wrong_pattern_says_what_its_sums_are() -> None:
    said = text(compare(worked(), worked("softmax-columns"), "softmax-columns", Focus(1)))
    assert "✗ wrong: each column sums to 1" in said
    turned = Focus(1, columns=True)
    said = text(compare(worked(), worked("softmax-columns"), "softmax-columns", turned))
    assert "✗ wrong: each row sums to 1" in said


@pytest.mark.parametrize(
    ("mistake", "step"),
    [
        ("no-scale", "scaled_scores"),
        ("no-mask", "masked_scores"),
        ("softmax-columns", "row_sum"),
        ("swap-q-k", "query"),
        ("values-are-keys", "value"),
        ("average-heads", "weights"),
        ("rows and columns mixed up", ""),
    ],
)
def test_a_mistake_has_a_place_in_the_working(mistake: str, step: str) -> None:
    assert place(mistake, worked().trace) == step


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_list_of_mistakes_says_each_in_a_few_words(mistake: str) -> None:
    assert meaning(mistake).endswith(brief(mistake))
    assert not brief(mistake).startswith("what comes out")


def test_a_mistake_of_one_question_alone_is_named_as_it_stands() -> None:
    assert meaning("rows and columns mixed up") == "rows and columns mixed up"


def test_a_demo_may_name_the_steps_that_are_shown() -> None:
    shown = lesson("head")
    few = replace(shown, demo=replace(shown.demo, steps=("weights", "scores", "nowhere")))
    assert few.stages == ("weights", "scores")
    assert shown.stages == shown.working.trace.names


@pytest.mark.parametrize("name", ALL)
def test_every_lesson_compares_every_mistake_that_it_names(name: str) -> None:
    shown = lesson(name)
    for mistake in shown.demo.mistakes:
        wrong = shown.wrong(mistake)
        focus = telling(shown.working, wrong, shown.demo.focus)
        said = text(shown.compared(mistake, wrong, focus))
        layer = shown.working.knobs.get("layer")
        place = f"Made in all heads of layer {layer}, from" if layer else "The first step that"
        assert place in said, mistake
        assert max(map(len, said.splitlines())) <= 80
