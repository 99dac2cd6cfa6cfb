"""A note as lines of a deck file, which read back as the same note."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attn_study.deck.quoting import STEP, listed, scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.deck.spelling import Value

WIDEST = 90  # characters of a list that stands on one line


def item(fields: Mapping[str, Value], dash: int, keys: int) -> str:
    r"""Return one note as an item of a list, lines ended by `\n`; an empty list stays empty.

    Its dash stands `dash` spaces in, its keys `keys`. Raises UserError for invisible characters.
    """
    margin = " " * dash + "-" + " " * (keys - dash - 1)
    written = []
    for key, value in fields.items():
        written.append(f"{margin}{key}:{behind(value, keys)}\n")
        margin = " " * keys
    return "".join(written)


def behind(value: Value, indent: int) -> str:
    """Return what stands behind a key that is `indent` spaces in, with the blank before it."""
    if isinstance(value, str):
        return f" {scalar(value, indent)}"
    if isinstance(value, Mapping):
        margin = " " * (indent + STEP)
        lines = (f"\n{margin}{key}:{behind(one, indent + STEP)}" for key, one in value.items())
        return "".join(lines)
    return _list(value, indent)


def _list(values: Sequence[Value], indent: int) -> str:
    """A list on one line where it is short and its texts are; else an item a line."""
    texts = [value for value in values if isinstance(value, str) and "\n" not in value]
    if len(texts) == len(values):
        line = listed(texts)
        if len(line) <= WIDEST:
            return f" {line}"
    margin = " " * (indent + STEP)
    written = []
    for value in values:
        if isinstance(value, Mapping):
            fields = item(value, indent + STEP, indent + 2 * STEP)
            written.append(f"\n{fields.removesuffix(chr(10))}")
        else:
            written.append(f"\n{margin}-{behind(value, indent + STEP)}")
    return "".join(written)
