"""Own matrices: a file is read as it is meant, or refused with both values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import yaml

from attn_study.attention import examples
from attn_study.cli.demo_matrix import read_matrices
from attn_study.demos import load
from attn_study.errors import UserError
from cli_helpers import Shell

if TYPE_CHECKING:
    from pathlib import Path

GOOD: dict[str, Any] = {
    "tokens": list(examples.TOKENS),
    "x": examples.X.tolist(),
    "w_q": examples.HEAD_1.w_q[0].tolist(),
    "w_k": examples.HEAD_1.w_k[0].tolist(),
    "w_v": examples.HEAD_1.w_v[0].tolist(),
    "w_o": examples.HEAD_1.w_o.tolist(),
}


def written(folder: Path, **changes: object) -> Path:
    """Write the worked example with changes; None leaves a name out."""
    path = folder / "own.yaml"
    given = {name: value for name, value in (GOOD | changes).items() if value is not None}
    path.write_text(yaml.safe_dump(given), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["head", "mask", "qkv", "multihead"])
def test_the_worked_example_from_a_file_gives_the_numbers_of_the_worked_example(
    tmp_path: Path, name: str
) -> None:
    own = load(name).compute(matrix=read_matrices(written(tmp_path))).trace
    known = load("head").compute().trace
    for step in ("scores", "weights", "head_output", "residual"):
        assert np.array_equal(own[step].values, known[step].values)


def test_an_npz_file_says_the_same_as_a_yaml_file(tmp_path: Path) -> None:
    path = tmp_path / "own.npz"
    arrays: dict[str, Any] = {name: np.array(value) for name, value in GOOD.items()}
    np.savez(path, **arrays)
    own = read_matrices(path)
    assert own.labels == examples.TOKENS
    assert np.array_equal(own.projections.w_v, examples.HEAD_1.w_v)


def test_rows_without_names_are_numbered(tmp_path: Path) -> None:
    assert read_matrices(written(tmp_path, tokens=None)).labels == ("t1", "t2", "t3")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"w_v": None}, "w_v missing"),
        ({"w_z": [[1]]}, "'w_z' is no name"),
        ({"x": [[1, 2, 3]] * 3}, "x is 3 wide, but w_q takes 4"),
        ({"w_k": [[1], [0], [1], [0]]}, "d_k is 2 in w_q but 1 in w_k"),
        ({"w_o": [[1, 0, 0, 0]]}, "w_o has 1 rows"),
        ({"x": [[1, 0, 0, float("nan")]] * 3}, "x"),
        ({"x": [["a", 0, 0, 0]] * 3}, "x"),
        ({"x": [[1, 0, 0], [1, 0, 0, 0]]}, "x"),
        ({"tokens": ["The"]}, "tokens is 1, but x has 3 rows"),
        ({"heads": "two"}, "heads is 'two'"),
        ({"heads": 3}, "do not split into 3 heads"),
        ({"x": [[0, 0, 0, 0]] * 33, "tokens": None}, "x has 33 rows"),
    ],
)
def test_what_does_not_fit_is_named_with_its_file(
    tmp_path: Path, changes: dict[str, object], says: str
) -> None:
    path = written(tmp_path, **changes)
    with pytest.raises(UserError) as refused:
        read_matrices(path)
    assert says in refused.value.what
    assert refused.value.where == str(path)
    assert refused.value.hint


@pytest.mark.parametrize(
    "content",
    [b"", b"- 1\n", b"x: [1, 2", b"\xff\xfe\xff", b"[" * 5000, b"x: !!python/object:a.b {}"],
)
@pytest.mark.parametrize("suffix", [".yaml", ".npz"])
def test_what_is_no_such_file_is_refused(tmp_path: Path, content: bytes, suffix: str) -> None:
    path = tmp_path / f"own{suffix}"
    path.write_bytes(content)
    with pytest.raises(UserError):
        read_matrices(path)


def test_pickled_objects_are_never_loaded(tmp_path: Path) -> None:
    path = tmp_path / "own.npz"
    np.savez(path, x=np.array([object()], dtype=object))
    with pytest.raises(UserError, match="not readable"):
        read_matrices(path)


def test_a_file_brings_its_own_sizes(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    path = str(written(tmp_path))
    shell.done("demo", "head", "--matrix", path)
    both = shell.attn("demo", "head", "--matrix", path, "--text", "other words")
    assert (both.code, both.notices[0]) == (2, "own matrices bring their own words and sizes")
    gone = shell.attn("demo", "head", "--matrix", str(tmp_path / "gone.yaml"))
    assert gone.code == 2
    assert "gone.yaml" in gone.err
