"""Random numbers that are the same on every platform and with every NumPy.

They come from the raw 64-bit output of PCG64, which NumPy keeps for ever; the streams of its
`Generator` may change between versions. What follows is integer arithmetic, or one exact
multiplication, except for `normals`, whose last digits are those of the machine's logarithm.
"""

from __future__ import annotations

import unicodedata
from hashlib import blake2b
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import PCG64

from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array

SEED_END = 2**63


def checked_seed(seed: int) -> int:
    """Return the seed, if it is one: a whole number from 0 to 2^63 - 1."""
    if not 0 <= seed < SEED_END:
        raise UserError(f"the seed {seed} is out of range", hint="a whole number from 0, such as 0")
    return seed


def stream(purpose: str, name: str, seed: int) -> PCG64:
    """Return a bit generator that depends on these three alone, not on the process."""
    text = "\0".join((purpose, unicodedata.normalize("NFC", name), str(checked_seed(seed))))
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return PCG64(int.from_bytes(digest, "big"))


def hundredths(bits: PCG64, shape: tuple[int, ...], d_in: int = 1) -> Array:
    """Return numbers with two decimals, all equally likely, of variance close to 1 / d_in.

    They run from -h to h hundredths with h = ⌊100 √(3 / d_in)⌋, at least 1: a uniform variable
    of that variance ends at √(3 / d_in). Each takes the upper 32 bits of one raw output u and is
    ⌊u (2h + 1) / 2^32⌋ - h.
    """
    half = max(1, isqrt(30_000 // d_in))
    upper = bits.random_raw(shape) >> np.uint64(32)
    steps = (upper * np.uint64(2 * half + 1)) >> np.uint64(32)
    return (steps.astype(np.float64) - half) / 100


def normals(bits: PCG64, shape: tuple[int, ...]) -> Array:
    """Return standard normal numbers, two from each pair of raw outputs (Box and Muller).

    With u, v the upper 53 bits as fractions, u in (0, 1]: √(-2 ln u) cos 2πv and … sin 2πv.
    """
    n = int(np.prod(shape))
    raw = bits.random_raw((2, (n + 1) // 2)) >> np.uint64(11)
    u, v = (raw[0] + np.uint64(1)) * 2.0**-53, raw[1] * 2.0**-53
    radius, angle = np.sqrt(-2.0 * np.log(u)), 2.0 * np.pi * v
    both = np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])
    return both[:n].reshape(shape)
