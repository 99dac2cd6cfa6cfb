"""The options of the training: seeds, and where a trial with another recipe may be written."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace

import options
import pytest
import train

from attn_study.errors import UserError


@pytest.mark.parametrize("text", ["", "x", "3-", "-1", "1.5", "3-1", "0-99999999", "1,,2", "٣"])
def test_seeds_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="0-11"):
        options.seeds(text)


def test_seeds_are_numbers_and_ranges_each_once() -> None:
    assert options.seeds("7, 2-4,3") == [7, 2, 3, 4]


def given(monkeypatch: pytest.MonkeyPatch, *words: object) -> Namespace:
    monkeypatch.setattr(sys, "argv", ["train.py", *map(str, words)])
    return options.options("")


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        ((), "--model and --card"),
        (("choose",), "--model"),
        (("card",), "--card"),
        (("--model", "other.npz"), "--card"),
    ],
)
@pytest.mark.parametrize("option", ["--steps", "--texts"])
def test_a_trial_does_not_replace_what_ships(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], missing: str, option: str
) -> None:
    with pytest.raises(UserError, match="not those of the model that ships") as refused:
        train.check(given(monkeypatch, *words, option, "64"))
    assert refused.value.hint == f"name other files with {missing}"


def test_a_trial_goes_where_it_is_told_and_the_recipe_itself_may_ship(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    train.check(given(monkeypatch, "--steps", 64, "--model", "a.npz", "--card", "a.md"))
    train.check(given(monkeypatch, "train", "--steps", 64))
    train.check(given(monkeypatch))
