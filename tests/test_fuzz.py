"""Damaged deck and import files: refused by file and place, or read, in bounded time and memory.

What was read goes on as in the program: it becomes a deck file, its log is judged, and the deck
goes out in another format.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from attn_study.deck.formats import FORMATS, File
from cli_helpers import SOURCES
from fuzzing import Report, made

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="limits are set and read as Linux has them"),
]

FULL = os.environ.get("ATTN_STUDY_FULL") == "1"
FILES = 120_000 if FULL else 4_000
BATCH = 4_000 if FULL else 1_000  # files that one worker reads
WORKERS = 2
MOST_BYTES = 300_000_000  # resident, of one worker with all its libraries
PATIENCE = 3_600  # seconds; a worker that sleeps would wait for ever
SEED = int(os.environ.get("ATTN_STUDY_SEED", "20261130"))
HERE = Path(__file__).parent


class Batch(NamedTuple):
    """How one worker ended: its exit code, its report, and the file it was at."""

    code: int
    report: dict[str, Any]
    at: int
    said: str


def run(folder: Path, first: int) -> Batch:
    progress = folder / f"at-{first}"
    words = [str(SEED), str(first), str(min(BATCH, FILES - first)), str(progress)]
    done = subprocess.run(
        [sys.executable, str(HERE / "fuzzing.py"), *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(SOURCES), str(HERE)))},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    at = int(progress.read_text()) if progress.exists() else first
    return Batch(done.returncode, json.loads(done.stdout or "{}"), at, done.stderr[-2_000:])


@pytest.fixture(scope="module")
def batches(tmp_path_factory: pytest.TempPathFactory) -> list[Batch]:
    folder = tmp_path_factory.mktemp("fuzz")
    with ThreadPoolExecutor(WORKERS) as pool:
        found = list(pool.map(lambda first: run(folder, first), range(0, FILES, BATCH)))
    counts = sum((Counter(one.report.get("counts", {})) for one in found), Counter[str]())
    peak = max(one.report.get("peak", 0) for one in found)
    print(f"\nseed {SEED}, peak {peak / 1e6:.0f} MB, {dict(counts.most_common())}")
    return found


def test_no_damaged_file_ends_the_process(batches: list[Batch]) -> None:
    ended = [(one.code, f"made({SEED}, {one.at})", one.said) for one in batches if one.code]
    assert not ended


def test_every_file_was_read_or_refused_and_no_refusal_lacks_its_file(
    batches: list[Batch],
) -> None:
    assert sum(one.report.get("counts", {}).get("files", 0) for one in batches) == FILES
    faults = [fault for one in batches for fault in one.report.get("faults", [])]
    assert not faults, "\n".join(f"made({SEED}, {number}): {what}" for number, what in faults[:20])


def test_most_refusals_of_text_name_a_line(batches: list[Batch]) -> None:
    counts = sum((Counter(one.report.get("counts", {})) for one in batches), Counter[str]())
    assert counts["refused with a line"] > counts["refused"] / 2


def test_no_worker_takes_more_memory_than_promised(batches: list[Batch]) -> None:
    assert max(one.report.get("peak", MOST_BYTES) for one in batches) < MOST_BYTES


def test_what_a_worker_took_is_not_what_the_process_took_that_started_it() -> None:
    """The one in between grows to more than any worker may have before it starts another."""
    alone = "import fuzzing; print(fuzzing.most_bytes())"
    grown = (
        f"import subprocess, sys; kept = b'x' * {2 * MOST_BYTES}; "
        f"subprocess.run([sys.executable, '-c', {alone!r}], check=True)"
    )
    path = os.pathsep.join((str(SOURCES), str(HERE)))
    said = subprocess.run(
        [sys.executable, "-c", grown],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert 1_000_000 < int(said.stdout) < MOST_BYTES


def test_every_format_was_met_sound_and_damaged(batches: list[Batch]) -> None:
    counts = sum((Counter(one.report.get("counts", {})) for one in batches), Counter[str]())
    names = ("yaml", "json", "csv", "tsv", "quizlet", "anki-text", "markdown", "apkg")
    assert not [name for name in names if not counts[f"read as {name}"]]
    assert counts["not recognised"] > 0


def test_what_was_read_became_decks_that_went_out_in_every_format(batches: list[Batch]) -> None:
    counts = sum((Counter(one.report.get("counts", {})) for one in batches), Counter[str]())
    assert counts["merged"] > 10 * counts["not merged"]
    written = [name for name, form in FORMATS.items() if form.writes]
    assert not [name for name in written if not counts[f"sent as {name}"]]
    assert counts["logs believed"] > 0 < counts["logs refused"]


# What earlier runs found, in short
FOUND = {
    "hints.yaml": "front: a\n" + "\x85" * 100_000 + "\nx",
    "notes.md": '<!-- attn-study {"\\ud800": 1} -->\nQ: a\nA: b\n\nQ: c\nA: d\n',
    "directive.txt": "#separator:" + "x" * 100_000 + "\na\tb\n",
}


@pytest.mark.parametrize("name", FOUND)
def test_what_earlier_runs_found_stays_mended(name: str) -> None:
    report = Report()
    assert report.wrong(File(Path(name), FOUND[name].encode())) == ""


def test_a_damaged_file_is_the_same_each_time_it_is_made() -> None:
    assert made(SEED, 7)[0] == made(SEED, 7)[0] != made(SEED, 8)[0]
