"""The tokens across the top: who asks, which key is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.explorer.targets import target
from attn_study.render.text import cells, cut, safe

if TYPE_CHECKING:
    from collections.abc import Sequence

ASKS, ANSWERS = "▸", "▾"
LONGEST = 16  # cells of a token; a longer one is cut


def strip(
    title: str, tokens: Sequence[str], columns: int, *, query: int | None, key: int | None
) -> Text:
    """Return tokens in one line with the one that asks and the one that answers marked.

    Where there is no room for all, those around the first one marked are shown. A click chooses
    the query, or the key where no query is marked here.
    """
    shown = [cut(safe(token), LONGEST) for token in tokens]
    marked = query if query is not None else key
    begin, end = _window([cells(token) + 2 for token in shown], marked or 0, columns - 12)
    line = Text().append(f" {title:<8}", "dim")
    line.append("… " if begin else "  ", "dim")
    for at in range(begin, end):
        mark = ASKS if at == query else ANSWERS if at == key else " "
        style = "bold cyan" if at == query else "bold" if at == key else ""
        means = f"query {at}" if query is not None else f"key {at}"
        line.append(f"{mark}{shown[at]}", target(means, style)).append(" ")
    line.append("…" if end < len(shown) else "", "dim")
    line.rstrip()
    return line


def _window(sizes: list[int], marked: int, room: int) -> tuple[int, int]:
    """Return the first token shown and the one after the last: as many around one as fit."""
    begin, end, used = marked, marked + 1, sizes[marked] if sizes else 0
    while True:
        before = sizes[begin - 1] if begin else 0
        after = sizes[end] if end < len(sizes) else 0
        if after and used + after <= room:
            end, used = end + 1, used + after
        elif before and used + before <= room:
            begin, used = begin - 1, used + before
        else:
            return begin, min(end, len(sizes))
