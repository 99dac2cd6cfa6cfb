"""A review that is killed at any moment loses no grade that it acknowledged."""

from __future__ import annotations

import os
import random
import re
import subprocess
from itertools import islice
from tempfile import TemporaryFile
from time import sleep
from typing import TYPE_CHECKING, Self

import pytest

from memory_helpers import log_on_disk, replay, rows, states

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import PutDeck, Run

pytestmark = pytest.mark.slow

FULL = os.environ.get("ATTN_STUDY_FULL") == "1"
LIVES = 10 if FULL else 1  # homes, each with its own history
KILLS = 30 if FULL else 12  # in each life
FIRST_STARTS = 60 if FULL else 5
MOST = 8  # answers before a kill
LATEST = 0.004  # seconds after the last grade was sent: within its transaction, or just behind it
START = 0.5  # seconds of a first start
QUESTION = re.compile(rb"Question (\d+)\?")  # of the card c1, c2 and so on
GRADES = {"1": 1, "2": 3, "3": 4, "4": 5}


def seeded() -> random.Random:
    """Dice whose seed is printed, so that a failure can be thrown again."""
    seed = int(os.environ.get("ATTN_STUDY_SEED") or random.SystemRandom().randrange(10**9))
    print(f"ATTN_STUDY_SEED={seed}")
    return random.Random(seed)


class Victim:
    """A review on pipes; `acknowledged` has each (card, grade) that the next question followed."""

    def __init__(self, command: list[str], environ: dict[str, str], new: int) -> None:
        self._said = TemporaryFile()  # noqa: SIM115 - closed when the block ends
        self._review = subprocess.Popen(
            [*command, "review", "--plain", "--new", str(new)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=environ,
            bufsize=0,
        )
        self.acknowledged: list[tuple[str, int]] = []

    def question(self) -> str:
        """Wait for a question; return its card."""
        assert self._review.stdout
        for line in self._review.stdout:
            if match := QUESTION.match(line):
                return f"mine/c{match[1].decode()}"
        self._said.seek(0)
        raise AssertionError(f"the review ended by itself: {self._said.read().decode()}")

    def grade(self, key: str) -> None:
        """Send a grade, whether or not anybody lives to read it."""
        assert self._review.stdin
        self._review.stdin.write(f"\n{key}\n".encode())

    def answer(self, keys: list[str]) -> None:
        """Answer cards; each grade is acknowledged by the question after it."""
        card = self.question()
        for key in keys:
            self.grade(key)
            following = self.question()
            self.acknowledged.append((card, GRADES[key]))
            card = following

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the program without a chance to do anything."""
        self._review.kill()
        self._review.wait()
        for stream in (self._review.stdin, self._review.stdout, self._said):
            assert stream
            stream.close()


def answers(home: Path) -> list[tuple[str, int]]:
    """Check the study that was left behind, and return its answers in the order they came."""
    with log_on_disk(home, write=False) as log:
        assert log.conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        events = rows(log.conn)
        assert states(log.conn) == replay(events)
        return [(event.card, event.grade) for event in events if event.grade is not None]


@pytest.mark.parametrize("life", range(LIVES))
def test_every_acknowledged_grade_outlives_a_kill(
    command: list[str], environ: dict[str, str], home: Path, put_deck: PutDeck, run: Run, life: int
) -> None:
    dice = seeded()
    put_deck(KILLS * (MOST + 1) + 1)
    kept: list[tuple[str, int]] = []
    for number in range(KILLS):
        last = dice.choice("1234")
        with Victim(command, environ, new=len(kept) + MOST + 2) as victim:
            victim.answer(dice.choices("1234", k=dice.randint(0, MOST)))
            victim.grade(last)
            sleep(dice.uniform(0, LATEST))
        found = answers(home)
        sure = [*kept, *victim.acknowledged]
        assert found[: len(sure)] == sure, number
        assert [grade for _, grade in islice(found, len(sure), None)] in ([], [GRADES[last]])
        kept = found
    assert run("today", "--count").code == 0
    assert run("review", "--new", str(len(kept) + 1), given="\n3\n").code == 0
    assert len(answers(home)) == len(kept) + 1


def test_a_first_start_that_is_killed_leaves_a_home_that_works(
    command: list[str], environ: dict[str, str], tmp_path: Path, run: Run
) -> None:
    dice = seeded()
    for number in range(FIRST_STARTS):
        home = tmp_path / f"home{number}"
        with Victim(command, environ | {"ATTN_STUDY_HOME": str(home)}, new=10):
            sleep(dice.uniform(0, START))
        ran = run("review", given="\n3\n", ATTN_STUDY_HOME=str(home))
        assert (ran.code, ran.err.count("Traceback")) == (0, 0), ran.err
        assert [grade for _, grade in answers(home)] == [4]
