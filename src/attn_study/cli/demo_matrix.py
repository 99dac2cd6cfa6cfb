"""The learner's own X and projections, read from a YAML or .npz file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attn_study.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.demos.setup import Start

NEEDED = ("x", "w_q", "w_k", "w_v", "w_o")
MAY = ("tokens", "heads")
MOST_BYTES = 5_000_000
MOST_TOKENS = 32
HINT = "x and w_q, w_k, w_v, w_o as lists of rows; tokens and heads if you like"


def read_matrices(path: Path) -> Start:
    """Return what a lesson starts from, out of a file.

    `x` is (tokens, d_model), `w_q` and `w_k` are (d_model, heads · d_k), `w_v` is
    (d_model, heads · d_v), `w_o` is (heads · d_v, d_model); `tokens` names the rows of x, `heads`
    is 1 unless it is given. Pickled objects are never loaded. Raises UserError naming the file
    for what is missing, no number, or of a shape that does not fit.
    """
    try:
        return _start(_content(path), path.name)
    except UserError as error:
        raise UserError(error.what, where=str(path), hint=error.hint or HINT) from error


def _content(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UserError(f"larger than {MOST_BYTES:,} bytes")
        return _npz(path) if path.suffix.lower() == ".npz" else _yaml(path)
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror or error}") from error


def _yaml(path: Path) -> dict[str, Any]:
    import yaml

    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        said = " ".join(str(error).split())
        raise UserError(f"not readable as YAML: {said[:120]}") from error
    if not isinstance(found, dict):
        raise UserError("this is no map of names to matrices")
    return found


def _npz(path: Path) -> dict[str, Any]:
    from zipfile import BadZipFile

    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name].tolist() for name in arrays.files}
    except (ValueError, BadZipFile, EOFError, KeyError) as error:
        raise UserError(f"not readable as .npz: {error}") from error


def _start(found: dict[str, Any], name: str) -> Start:
    from attn_study.attention.arrays import finite
    from attn_study.attention.projections import Projections
    from attn_study.demos.setup import Start

    for key in found:
        if key not in NEEDED + MAY:
            raise UserError(f"{key!r} is no name a file may have")
    missing = [key for key in NEEDED if found.get(key) is None]
    if missing:
        raise UserError(f"{', '.join(missing)} missing")
    x = finite("x", found["x"], 2)
    heads = found.get("heads", 1)
    if isinstance(heads, bool) or not isinstance(heads, int):
        raise UserError(f"heads is {heads!r}, not a whole number")
    w_q, w_k, w_v, w_o = (found[key] for key in NEEDED[1:])
    projections = Projections.from_matrices(w_q, w_k, w_v, w_o, heads=heads)
    if x.shape[1] != projections.d_model:
        raise UserError(f"x is {x.shape[1]} wide, but w_q takes {projections.d_model}")
    if not 1 <= len(x) <= MOST_TOKENS:
        raise UserError(f"x has {len(x)} rows", hint=f"from 1 to {MOST_TOKENS} tokens")
    return Start(_tokens(found.get("tokens"), len(x)), x, projections, f"own matrices, {name}")


def _tokens(given: object, count: int) -> tuple[str, ...]:
    if given is None:
        return tuple(f"t{number}" for number in range(1, count + 1))
    if not isinstance(given, list) or len(given) != count:
        size = len(given) if isinstance(given, list) else "no list"
        raise UserError(f"tokens is {size}, but x has {count} rows")
    return tuple(str(token) for token in given)
