"""A stored model comes back as it was; a file that is not one says what to do."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import subprocess
from fractions import Fraction
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import numpy as np
import pytest

from attn_study.attention.model.parameters import Parameters, Size
from attn_study.attention.model.stored import as_shipped, load, save
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = Size(n_words=3, n_positions=4, d_model=4, n_layers=1, n_heads=2, d_hidden=3)
WORDS = ("<start>", "eins", "zwölf")
RECORD: dict[str, Any] = {"seed": 7, "heads": {"coref": {"animal": [2, 3]}}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.npz"
    save(path, Parameters.random(SIZE, 1), WORDS, RECORD)
    return path


def sealed(path: Path, content: bytes) -> Path:
    """Put other content in the file, with the checksum that fits it."""
    path.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    path.with_suffix(".sha256").write_text(f"{digest}  {path.name}\n")
    return path


def with_member(path: Path, name: str, content: bytes | None) -> Path:
    """Replace a member of the file, or leave it out, with a checksum that fits."""
    file = BytesIO()
    with ZipFile(path) as old, ZipFile(file, "w") as new:
        for each in old.namelist():
            if each != name:
                new.writestr(each, old.read(each))
        if content is not None:
            new.writestr(name, content)
    return sealed(path, file.getvalue())


def npy(array: Any, **how: Any) -> bytes:
    file = BytesIO()
    np.save(file, array, **how)
    return file.getvalue()


def about(path: Path, **changes: Any) -> bytes:
    with ZipFile(path) as archive:
        return json.dumps(json.loads(archive.read("model.json")) | changes).encode()


def refused(path: Path) -> UserError:
    with pytest.raises(UserError) as found:
        load(path)
    assert found.value.where == str(path)
    assert "install the program again" in found.value.hint
    assert "\n" not in found.value.what
    return found.value


def rounded(number: float) -> float:
    """The nearest float16 with 7 significant bits, by fractions; a half goes away from 0."""
    half = Fraction(float(np.float16(number)))
    exponent = max(math.frexp(half)[1] - 7, -24 + 4)  # subnormal ones have their last bits alike
    return (
        float(math.copysign(math.floor(abs(half) / Fraction(2) ** exponent + Fraction(1, 2)), half))
        * 2.0**exponent
    )


@pytest.mark.parametrize("scale", [1e-7, 1e-4, 1.0, 300.0])
def test_numbers_ship_with_seven_significant_bits(scale: float) -> None:
    numbers = scale * np.random.default_rng(7).standard_normal(2_000)
    assert as_shipped(numbers).tolist() == [rounded(number) for number in numbers]


def test_what_rounds_beyond_the_largest_is_infinite_and_zeros_keep_their_sign() -> None:
    shipped = as_shipped(np.array([65_504.0, -65_504.0, 1e9, 65_024.0, 0.0, -0.0, np.nan]))
    assert shipped[:4].tolist() == [math.inf, -math.inf, math.inf, 65_024.0]
    assert np.signbit(shipped[4:6]).tolist() == [False, True]
    assert np.isnan(shipped[6])


def test_numbers_come_back_rounded_to_16_bits_with_words_and_record(path: Path) -> None:
    stored = load(path)
    expected = Parameters.random(SIZE, 1)
    assert stored.parameters.size == SIZE
    assert (stored.words, stored.record) == (WORDS, RECORD)
    for name, array in stored.parameters.items():
        assert array.dtype == np.float64
        assert array.tolist() == np.vectorize(rounded)(expected[name]).tolist(), name
    assert load(path, np.float32).parameters.flat.dtype == np.float32


def test_what_is_shared_cannot_be_changed(path: Path) -> None:
    parameters = load(path).parameters
    for array in (parameters.flat, parameters["w_q_1"]):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1


def test_the_same_model_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    again = tmp_path / "again" / "model.npz"
    stored = load(path)
    save(again, stored.parameters, stored.words, stored.record)
    assert again.read_bytes() == path.read_bytes()
    assert again.with_suffix(".sha256").read_bytes() == path.with_suffix(".sha256").read_bytes()


def test_numpy_alone_opens_the_file(path: Path) -> None:
    with np.load(path, allow_pickle=False) as found:
        assert {*found.files} == {*SIZE.shapes(), "model.json"}
        assert found["embedding"].shape == (3, 4)
        assert found["embedding"].dtype == np.float16


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="sha256sum is not installed")
def test_sha256sum_checks_the_checksum(path: Path) -> None:
    command = ["sha256sum", "--check", "model.sha256"]
    said = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout) == (0, "model.npz: OK\n")


@pytest.mark.parametrize("at", [0, 30, -1])
def test_a_changed_byte_is_damage(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)
    assert "damaged" in refused(path).what


def test_a_file_cut_short_is_damage(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])
    assert "damaged" in refused(path).what


@pytest.mark.parametrize("suffix", [".npz", ".sha256"])
def test_a_missing_file_is_said(path: Path, suffix: str) -> None:
    path.with_suffix(suffix).unlink()
    assert "cannot be read" in refused(path).what


def test_an_empty_checksum_is_damage(path: Path) -> None:
    path.with_suffix(".sha256").write_text("")
    assert "damaged" in refused(path).what


def of_size(path: Path, name: str, value: float | None) -> Path:
    """The model said to be of another size."""
    size = {**SIZE.as_json(), name: value}
    return with_member(path, "model.json", about(path, size=size))


def of_record(path: Path, record: object) -> Path:
    """The model with another record."""
    return with_member(path, "model.json", about(path, record=record))


UNUSABLE: dict[str, Callable[[Path], Path]] = {
    "not a zip": lambda path: sealed(path, b"nothing of the kind"),
    "empty": lambda path: sealed(path, b""),
    "no record": lambda path: with_member(path, "model.json", None),
    "no JSON": lambda path: with_member(path, "model.json", b"{"),
    "no object": lambda path: with_member(path, "model.json", b"[]"),
    "another schema": lambda path: with_member(path, "model.json", about(path, schema="x/1")),
    "a size unknown": lambda path: with_member(path, "model.json", about(path, size={"a": 1})),
    "heads that do not split": lambda path: with_member(
        path, "model.json", about(path, size=SIZE.as_json() | {"n_heads": 3})
    ),
    "no heads": lambda path: with_member(
        path, "model.json", about(path, size=SIZE.as_json() | {"n_heads": 0})
    ),
    "more layers": lambda path: with_member(
        path, "model.json", about(path, size=SIZE.as_json() | {"n_layers": 2})
    ),
    **{
        f"{name} of {value}": partial(of_size, name=name, value=value)
        for name, value in (
            ("n_layers", 10**12),
            ("n_layers", -1),
            ("n_layers", True),
            ("n_words", -3),
            ("d_model", 4e300),
            ("d_model", None),
            ("d_hidden", 10**40),
        )
    },
    "nothing for a record": partial(of_record, record=None),
    "a list for a record": partial(of_record, record=[]),
    "a word for a record": partial(of_record, record="x"),
    "fewer words": lambda path: with_member(path, "model.json", about(path, words=["a"])),
    "a matrix missing": lambda path: with_member(path, "w_q_1.npy", None),
    "another shape": lambda path: with_member(path, "w_q_1.npy", npy(np.zeros((4, 5)))),
    "another shape of the same count": lambda path: with_member(
        path, "w_q_1.npy", npy(np.zeros((2, 8)))
    ),
    "text": lambda path: with_member(path, "w_q_1.npy", npy(np.full((4, 4), "a"))),
    "not finite": lambda path: with_member(path, "w_q_1.npy", npy(np.full((4, 4), np.inf))),
    "no array": lambda path: with_member(path, "w_q_1.npy", b"0123"),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_file_that_holds_another_thing_is_refused_in_one_line(path: Path, name: str) -> None:
    refused(UNUSABLE[name](path))


class Opened:
    """An object that says so when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (Path("opened"),)


def test_pickled_objects_are_never_opened(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    content = npy(np.array([[Opened()] * 4] * 4, dtype=object), allow_pickle=True)
    refused(with_member(path, "w_q_1.npy", content))
    assert not Path("opened").exists()


@pytest.mark.parametrize("number", [1e5, np.nan, np.inf])
def test_a_number_that_16_bits_cannot_hold_is_not_stored(tmp_path: Path, number: float) -> None:
    parameters = Parameters.random(SIZE, 1, np.float64)
    parameters["w_v_1"][2, 3] = number
    with pytest.raises(UserError, match="w_v_1"):
        save(tmp_path / "model.npz", parameters, WORDS, RECORD)
    assert not list(tmp_path.iterdir())
