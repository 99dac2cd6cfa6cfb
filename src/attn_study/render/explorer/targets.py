"""Text that a click can be meant for: what it means goes along with its style."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text

from attn_study.render.text import cells, clusters

if TYPE_CHECKING:
    from collections.abc import Iterable

MEANT = "press"
GAP = 2  # cells between two keys


@lru_cache(maxsize=4096)
def target(means: str, style: str = "") -> Style:
    """Return a style under which text means `means` when it is clicked on."""
    return Style.parse(style) + Style(meta={MEANT: means})


def meant(line: Text, cell: int) -> str:
    """Return what a click on a cell of a line means, from 0; empty where it means nothing."""
    at = used = 0
    for piece in clusters(line.plain):
        used += cells(piece)
        if cell < used:
            break
        at += len(piece)
    else:
        return ""
    found = (span.style for span in reversed(line.spans) if span.start <= at < span.end)
    return next(
        (style.meta[MEANT] for style in found if isinstance(style, Style) and MEANT in style.meta),
        "",
    )


def key_lines(keys: Iterable[tuple[str, str, str]], columns: int) -> list[Text]:
    """Return lines that name keys and can be clicked; a key is (shown, does, sends)."""
    lines = [Text(" ")]
    for shown, does, sends in keys:
        if lines[-1].plain.strip():
            lines[-1].append(" " * GAP)
        if lines[-1].cell_len + cells(f"{shown} {does}") > columns:
            lines[-1].rstrip()
            lines.append(Text(" "))
        style = target(sends, "bold cyan") if sends else "bold cyan"
        lines[-1].append(shown, style).append(f" {does}", target(sends) if sends else "")
    return lines
