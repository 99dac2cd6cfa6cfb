"""Random toy weights: a vector for any word, projections of any size, the same everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.arrays import Array, frozen
from attn_study.attention.dice import hundredths, stream
from attn_study.attention.projections import Projections
from attn_study.attention.tokens import LIMIT, Tokens, tokens
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LIMIT", "Sizes", "Tokens", "projections", "sizes", "tokens", "vector", "vectors"]

LARGEST = {"heads": 64, "d_model": 512, "d_k": 512, "d_v": 512}
WIDEST_CONCAT = 1024  # heads · d_v; the terms of one sum are tokens² times as many


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many heads, and how wide the vectors are."""

    heads: int
    d_model: int
    d_k: int
    d_v: int


def sizes(
    heads: int = 1, d_model: int = 8, d_k: int | None = None, d_v: int | None = None
) -> Sizes:
    """Return the sizes, filling d_k and d_v with d_model / heads.

    `UserError` names the values and a valid choice: a size below 1 or beyond `LARGEST`, heads
    that do not divide d_model when d_k or d_v is to be found, heads · d_v beyond
    `WIDEST_CONCAT`.
    """
    given = {"heads": heads, "d_model": d_model, "d_k": d_k, "d_v": d_v}
    for name, size in given.items():
        if size is not None and not 1 <= size <= LARGEST[name]:
            raise UserError(f"{name}={size} is out of range", hint=f"from 1 to {LARGEST[name]}")
    if (d_k is None or d_v is None) and d_model % heads:
        raise UserError(
            f"d_model={d_model} does not split into heads={heads}", hint=split_hint(heads, d_model)
        )
    width = d_model // heads
    found = Sizes(heads, d_model, d_k or width, d_v or width)
    if heads * found.d_v > WIDEST_CONCAT:
        raise UserError(
            f"heads={heads} times d_v={found.d_v} is {heads * found.d_v} numbers a token",
            hint=f"at most {WIDEST_CONCAT}: d_v={WIDEST_CONCAT // heads} would do",
        )
    return found


def split_hint(heads: int, d_model: int) -> str:
    """Return which numbers of heads would divide d_model, the nearest ones."""
    fitting = [n for n in range(1, LARGEST["heads"] + 1) if d_model % n == 0]
    nearest = sorted(fitting, key=lambda n: (abs(n - heads), n))[:3]
    hint = "heads=" + " or ".join(str(n) for n in sorted(nearest)) + f" would, for {d_model}"
    above = -(-d_model // heads) * heads
    return hint + (f"; so would d_model={above}" if above <= LARGEST["d_model"] else "")


def vector(word: str, d_model: int, seed: int) -> Array:
    """Return the vector of a word, (d_model,): two decimals, variance about 1, mean about 0.

    It depends on the word as typed (é is one letter however it is coded), d_model and seed
    alone: not on the process, the platform, the other words or where the word stands.
    """
    width = sizes(d_model=d_model).d_model
    return frozen(hundredths(stream(f"vector {width}", word, seed), (width,)))


def vectors(words: Sequence[str], d_model: int, seed: int) -> Array:
    """Return one row a word, (tokens, d_model); the same word has the same row everywhere."""
    return frozen(np.stack([vector(word, d_model, seed) for word in words]))


def projections(heads: int, d_model: int, d_k: int, d_v: int, seed: int) -> Projections:
    """Return random projections with two decimals.

    Their variance is about 1 / the width that goes in, so queries, keys, values and outputs have
    a variance of about 1, and the scores one of about d_k.
    """
    size = sizes(heads, d_model, d_k, d_v)
    shapes = {
        "w_q": (heads, d_model, size.d_k),
        "w_k": (heads, d_model, size.d_k),
        "w_v": (heads, d_model, size.d_v),
        "w_o": (heads * size.d_v, d_model),
    }
    sized = f"projections {heads} {d_model} {d_k} {d_v}"
    return Projections(
        **{
            name: hundredths(stream(sized, name, seed), shape, d_in=shape[-2])
            for name, shape in shapes.items()
        }
    )
