"""One computation with its working, and what of it is looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.attention.trace import Trace


@dataclass(frozen=True, slots=True)
class Working:
    """One computation with its working, ready to be shown.

    `weights` says what the projections are, such as `toy weights, set by hand` or
    `random, seed 0`; `notice` is the one sentence of what to see; `knobs` are the values used;
    `look` is where to look first, where that hangs on them.
    """

    trace: Trace
    weights: str
    notice: str
    knobs: Mapping[str, int | float | str | None] = field(default_factory=dict)
    look: Focus | None = None


@dataclass(frozen=True, slots=True)
class Focus:
    """What is drawn large: positions of a query and of a head, counted from 0.

    `columns` puts the queries into columns, as the video does; papers have them in rows. `key` is
    the one that a formula is about; where it is None, the one that the query weighs most.
    """

    query: int = 0
    head: int = 0
    columns: bool = False
    key: int | None = None
