"""How much the tests try: what keeps a run short, or with ATTN_STUDY_FULL=1 all there is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

FULL = os.environ.get("ATTN_STUDY_FULL") == "1"


def ends(numbers: Iterable[int]) -> list[int]:
    """The first and last of some numbers, where mistakes are likeliest; at full size all."""
    every = list(numbers)
    return every if FULL else sorted({every[0], every[-1]})
