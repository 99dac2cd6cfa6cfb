"""`stats --compare` on a real log, beside measures worked out here from the file alone.

The recall is asked of the package `fsrs` with cards of its own; the bins are those that the
benchmark of the authors of FSRS publishes; AUC is counted from all pairs.
"""

from __future__ import annotations

import math
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import fsrs
import numpy as np
import pytest

from cli_helpers import Shell
from test_real_log import ANSWERS, LOG, ZONE, Answer

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


class Guess(NamedTuple):
    recall: float
    passed: int
    bin: tuple[float, float, float]


def counted_bin(elapsed: int, nth: int, lapses: int) -> tuple[float, float, float]:
    """The bin of a review, the present one counted in `nth`."""
    lapsed = 1.65 * 1.73 ** math.floor(math.log(lapses, 1.73)) if lapses else 0.0
    return (
        round(2.48 * 3.62 ** math.floor(math.log(elapsed, 3.62)), 2),
        round(1.99 * 1.89 ** math.floor(math.log(nth, 1.89)), 0),
        round(lapsed, 0),
    )


def guesses() -> list[Guess]:
    """What FSRS foretold of each review of a day, but for the first of a card."""
    model = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    by_card: dict[str, list[Answer]] = defaultdict(list)
    for answer in ANSWERS:
        if answer.sort != "drill":
            by_card[answer.card].append(answer)
    found = []
    for answers in by_card.values():
        card, lapses = fsrs.Card(card_id=1), 0
        for nth, answer in enumerate(answers, start=1):
            at = datetime(answer.day.year, answer.day.month, answer.day.day, tzinfo=UTC)
            if nth > 1:
                elapsed = (answer.day - answers[nth - 2].day).days
                recall = model.get_card_retrievability(card, at)
                place = counted_bin(elapsed, nth, lapses)
                found.append(Guess(recall, int(answer.quality >= 3), place))
                lapses += answer.quality < 3
            card, _ = model.review_card(card, fsrs.Rating(max(1, answer.quality - 1)), at)
    return found


def measures(found: list[Guess]) -> tuple[float, float, float]:
    recall = np.array([guess.recall for guess in found])
    passed = np.array([guess.passed for guess in found])
    loss = -np.mean(np.where(passed, np.log(recall), np.log(1 - recall)))
    bins: dict[tuple[float, float, float], list[Guess]] = defaultdict(list)
    for guess in found:
        bins[guess.bin].append(guess)
    squares = [
        len(alike) * np.mean([guess.recall - guess.passed for guess in alike]) ** 2
        for alike in bins.values()
    ]
    won, lost = recall[passed == 1][:, None], recall[passed == 0][None, :]
    auc = np.mean((won > lost) + 0.5 * (won == lost))
    return float(loss), math.sqrt(sum(squares) / len(found)), float(auc)


def test_the_measures_are_those_of_an_independent_count(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    last = max(answer.day for answer in ANSWERS)
    shell.now = f"{last + timedelta(days=1)}T12:00:00+08:00"
    shell.done("log", "import", str(LOG), "--deck", "real", "--zone", ZONE)
    report = shell.done("stats", "--compare", "--json").json
    found = guesses()
    average = sum(guess.passed for guess in found) / len(found)
    assert report["foretold"] == len(found)
    assert report["average"] == pytest.approx(average)
    for name, own in (("fsrs", found), ("constant", [g._replace(recall=average) for g in found])):
        loss, rmse, auc = measures(own)
        assert report[name]["log_loss"] == pytest.approx(loss)
        assert report[name]["rmse"] == pytest.approx(rmse)
        assert report[name]["auc"] == pytest.approx(auc)
