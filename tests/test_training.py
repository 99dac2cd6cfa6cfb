"""The training command, reduced: it goes on where it was, chooses, stores and writes the card."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import checkpoint
import numpy as np
import pytest
import train
from options import options

from attn_study.attention.model.stored import as_shipped, load
from attn_study.errors import UserError
from terminal import Window

ROOT = Path(__file__).parents[1]
TRAIN = (sys.executable, str(ROOT / "training" / "train.py"))
REDUCED = ("--steps", "48", "--texts", "640", "--every", "4", "--sentences", "24")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"}


class Bench:
    """A folder with runs, a stored model and its card, and the command that makes them."""

    def __init__(self, folder: Path) -> None:
        self.runs, self.model, self.card = folder / "runs", folder / "t.npz", folder / "card.md"

    def command(self, *words: str) -> tuple[str, ...]:
        paths = ("--runs", self.runs, "--model", self.model, "--card", self.card)
        return (*TRAIN, *REDUCED, *map(str, paths), *words)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*words),
            env=ENVIRONMENT,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def begun(self, *words: str) -> subprocess.Popen[str]:
        """The command, when it has just said that it keeps its second checkpoint."""
        child = subprocess.Popen(
            self.command(*words),
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        assert child.stdout
        assert any("step 8" in line for line in child.stdout)
        return child

    def learned(self, seed: int) -> dict[str, object]:
        with np.load(self.runs / f"seed-{seed}.npz") as found:
            return {name: found[name].tolist() for name in ("flat", "mean", "square")}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Everything, made by one command that nobody stopped."""
    bench = Bench(tmp_path_factory.mktemp("whole"))
    said = bench.run("--seeds", "3,5")
    assert said.returncode == 0, said.stderr
    return bench


def test_one_command_trains_chooses_and_stores_a_model_that_can_be_read(whole: Bench) -> None:
    record = load(whole.model).record
    scores = {each["seed"]: each["legibility"] for each in record["tried"]}
    assert sorted(scores) == [3, 5]
    assert scores[record["seed"]] == max(scores.values())
    assert record["recipe"]["steps"] == record["steps"] == 48


def test_the_stored_numbers_are_those_of_the_chosen_run_as_they_ship(whole: Bench) -> None:
    stored = load(whole.model)
    learned = whole.learned(stored.record["seed"])["flat"]
    assert np.array_equal(stored.parameters.flat, as_shipped(np.array(learned)))


def test_the_record_has_a_head_and_a_result_for_every_kind(whole: Bench) -> None:
    record = load(whole.model).record
    kinds = {(family, kind) for family, heads in record["heads"].items() for kind in heads}
    assert {(row["family"], row["kind"]) for row in record["results"]} <= kinds
    assert len({family for family, _ in kinds}) == 8
    for row in record["results"]:
        assert row["head"] == record["heads"][row["family"]][row["kind"]]
        assert 0 <= row["target"] + row["rival"] <= 1


def test_the_card_names_the_file_by_its_checksum_and_every_seed(whole: Bench) -> None:
    card = whole.card.read_text(encoding="utf-8")
    assert whole.model.with_suffix(".sha256").read_text().split()[0] in card
    assert "the chicken did not cross the road because it was too tired so the | chicken" in card
    rows = [line for line in card.splitlines() if line.startswith(("| repeat | repeat", "| coref"))]
    assert [row.split(" | ")[0] for row in rows if row.endswith("| – |")] == ["| repeat"]
    last = card.rpartition("| seed |")[2]
    assert {line.split(" ")[1].strip("*") for line in last.splitlines()[2:]} == {"3", "5"}


@pytest.mark.slow
def test_a_killed_run_goes_on_and_ends_with_the_same_numbers(bench: Bench, whole: Bench) -> None:
    child = bench.begun("train", "--seeds", "3")
    child.kill()
    child.communicate()
    assert bench.learned(3) != whole.learned(3)
    assert bench.run("train", "--seeds", "3").returncode == 0
    assert bench.learned(3) == whole.learned(3)


def test_what_is_trained_already_is_not_trained_again(whole: Bench) -> None:
    before = (whole.runs / "seed-3.npz").stat().st_mtime_ns
    said = whole.run("train", "--seeds", "3")
    assert (said.returncode, said.stdout) == (0, "")
    assert (whole.runs / "seed-3.npz").stat().st_mtime_ns == before


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
def test_ctrl_c_ends_with_one_line_and_a_checkpoint_that_is_good(bench: Bench) -> None:
    child = bench.begun("train", "--seeds", "3")
    child.send_signal(signal.SIGINT)
    _, error = child.communicate()
    assert (child.returncode, len(error.splitlines())) == (130, 1), error
    assert bench.run("train", "--seeds", "3").returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
def test_ctrl_c_leaves_the_terminal_with_its_cursor_and_its_echo(bench: Bench) -> None:
    environ = ENVIRONMENT | {"TERM": "xterm-256color"}
    window = Window(bench.command("train", "--seeds", "3"), environ, columns=100)
    window.see("seed 3", "loss 5", "/48")
    assert b"\x1b[?25l" in window.raw
    window.send("\x03")
    assert window.end() == 130
    assert window.raw.rfind(b"\x1b[?25h") > window.raw.rfind(b"\x1b[?25l")
    assert "stopped; the same command goes on" in window.text
    assert window.echoes


def test_a_run_of_another_recipe_is_refused_and_kept(bench: Bench, whole: Bench) -> None:
    damaged(bench, whole, 3)
    kept = bench.learned(3)
    said = bench.run("train", "--seeds", "3", "--texts", "641")
    assert said.returncode == 2
    assert "another recipe" in said.stderr
    assert bench.learned(3) == kept


def test_an_unfinished_run_is_not_chosen(bench: Bench) -> None:
    child = bench.begun("train", "--seeds", "3")
    child.kill()
    child.communicate()
    said = bench.run("choose")
    assert (said.returncode, said.stdout) == (2, "")
    assert "of 48 steps are done" in said.stderr
    assert not bench.model.exists()


def test_numbers_whose_recipe_nobody_knows_are_not_chosen(bench: Bench, whole: Bench) -> None:
    bench.runs.mkdir()
    flat = np.array(whole.learned(5)["flat"], np.float32)
    np.savez(bench.runs / "other-7.npz", flat=flat)
    said = bench.run("choose")
    assert said.returncode == 2
    assert "other-7.npz: not a run of the training: it does not say by which recipe" in said.stderr
    assert not bench.model.exists()


def damaged(bench: Bench, whole: Bench, seed: int, **arrays: object) -> None:
    """A finished run with some of its arrays, or none, replaced."""
    bench.runs.mkdir(exist_ok=True)
    with np.load(whole.runs / "seed-3.npz") as found:
        np.savez(bench.runs / f"seed-{seed}.npz", **{**found, **arrays})


def test_a_run_with_a_number_that_is_not_finite_is_named_and_left_out(
    bench: Bench, whole: Bench
) -> None:
    flat = np.array(whole.learned(3)["flat"], np.float32)
    for seed, number in ((1, np.nan), (2, 1e30)):  # the second is too large for a float16
        damaged(bench, whole, seed, flat=np.append(flat[:-1], np.float32(number)))
    said = bench.run("choose")
    assert (said.returncode, "no runs" in said.stderr) == (2, True)
    damaged(bench, whole, 3)
    said = bench.run("choose")
    assert (said.returncode, said.stderr) == (0, "")
    assert [line.split("  ")[1][:8] for line in said.stdout.splitlines()[:2]] == ["left out"] * 2
    assert [each["seed"] for each in load(bench.model).record["tried"]] == [3]


def test_a_loss_that_is_not_finite_ends_the_run_with_its_step(bench: Bench, whole: Bench) -> None:
    with np.load(whole.runs / "seed-3.npz") as found:
        about = json.loads(found["about"].tobytes()) | {"steps": 40}
    flat = np.full(len(np.array(whole.learned(3)["flat"])), np.nan, np.float32)
    packed = np.frombuffer(json.dumps(about).encode(), np.uint8)
    damaged(bench, whole, 3, flat=flat, about=packed)
    said = bench.run("train", "--seeds", "3")
    assert (said.returncode, said.stdout) == (2, "")
    assert "seed-3.npz: the loss of step 41 is nan" in said.stderr
    assert "Traceback" not in said.stderr


@pytest.mark.parametrize(
    "arrays",
    [
        {"flat": np.zeros(3, np.float32)},
        {"mean": np.zeros((2, 2), np.float32)},
        {"square": np.array(["a"])},
        {"flat": np.float32(1)},
        {"about": np.frombuffer(b"[]", np.uint8)},
        {"about": np.frombuffer(b'{"recipe": {}, "steps": "x", "seconds": 1}', np.uint8)},
    ],
    ids=["too short", "another shape", "words", "one number", "a list", "another recipe"],
)
def test_a_checkpoint_of_something_else_is_named_with_what_to_do(
    bench: Bench, whole: Bench, arrays: dict[str, object]
) -> None:
    damaged(bench, whole, 3, **arrays)
    with pytest.raises(UserError) as refused:
        checkpoint.read(bench.runs / "seed-3.npz")
    assert refused.value.where.endswith("seed-3.npz")
    assert refused.value.hint == "delete it to begin anew"


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"not a run"])
def test_a_file_that_is_no_run_is_named(bench: Bench, content: bytes) -> None:
    bench.runs.mkdir()
    (bench.runs / "seed-1.npz").write_bytes(content)
    for part in ("train", "choose"):
        said = bench.run(part, "--seeds", "1")
        assert said.returncode == 2
        assert "seed-1.npz" in said.stderr
        assert "Traceback" not in said.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--seeds", "3-1"),
        ("--steps", "0"),
        ("--every", "-1"),
        ("--every", "0"),
        ("--sentences", "0"),
        ("--texts", "0"),
        ("--texts", "63"),
        ("--texts", "99999999"),
    ],
    ids=" ".join,
)
def test_an_option_that_makes_no_sense_is_refused_before_anything_is_trained(
    bench: Bench, words: tuple[str, str]
) -> None:
    said = bench.run(*words)
    assert (said.returncode, said.stdout) == (2, "")
    assert words[0] in said.stderr.splitlines()[0]
    assert len(said.stderr.splitlines()) <= 2  # the second is a hint
    assert not bench.runs.exists()


def test_runs_of_a_trial_are_not_chosen_for_what_ships(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, whole: Bench
) -> None:
    words = ("train.py", "choose", "--sentences", "24", "--runs", str(whole.runs))
    monkeypatch.setattr(sys, "argv", [*words])
    monkeypatch.setattr(train, "MODEL", tmp_path / "ships.npz")
    with pytest.raises(UserError, match="48 steps and 640 texts are not those of the model"):
        train.choose(options(""))
    assert not [*tmp_path.iterdir()]
