"""Lines that grow, side by side: columns of blocks, with room for what is still to come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.ledger import trimmed
from attn_study.render.numbers import number
from attn_study.render.shaded import BARS
from attn_study.render.shades import of_role
from attn_study.render.text import cells, cut, pad, safe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.demos.panels import Curve, Curves

BETWEEN = 3  # cells between two curves
NARROWEST, WIDEST = 22, 44  # cells of a curve with its scale
TO_COME = "·"


def draw_curves(panel: Curves, columns: int) -> list[Text]:
    """Return the curves beside one another, as many as fit, and the others under them."""
    room = max(1, columns - 2)
    beside = min(len(panel.curves), max(1, (room + BETWEEN) // (NARROWEST + BETWEEN)))
    width = min(WIDEST, (room + BETWEEN) // beside - BETWEEN)
    lines: list[Text] = []
    for start in range(0, len(panel.curves), beside):
        drawn = [_drawn(one, panel, width) for one in panel.curves[start : start + beside]]
        lines += [_joined(parts, width) for parts in zip(*drawn, strict=True)]
    return lines


def _joined(parts: Sequence[Text], width: int) -> Text:
    line = Text(" ")
    for at, part in enumerate(parts):
        line.append(" " * BETWEEN if at else "").append_text(part)
        line.append(" " * (width - part.cell_len))
    return trimmed(line)


def _drawn(curve: Curve, panel: Curves, width: int) -> list[Text]:
    """Return a title, the rows of the curve beside its scale, and what stands under its ends."""
    scale = [number(curve.top, curve.digits), *[""] * (panel.height - 2), "0"]
    margin = max(map(cells, scale)) + 1
    room = max(1, width - margin)
    levels = [_level(curve, at, panel.height) for at in _places(curve.length, room)]
    style = of_role(curve.role) or "green"
    lines = [Text(cut(safe(curve.title), width), "bold")]
    for row, label in zip(range(panel.height - 1, -1, -1), scale, strict=True):
        line = Text(label.rjust(margin - 1) + " ", "dim", end="")
        drawn = Text()
        drawn.append_text(line)
        for level in levels:
            block = TO_COME if level is None and row == 0 else BARS[_filled(level, row)]
            drawn.append(block, "dim" if level is None else style)
        lines.append(drawn)
    gap = room - cells(panel.first) - cells(panel.last)
    ends = f"{panel.first}{' ' * max(1, gap)}{panel.last}"
    return [*lines, Text(pad("", margin) + cut(ends, room), "dim")]


def _places(length: int, room: int) -> list[int]:
    """Return which value each cell of the line stands for, the first and the last included."""
    return [round(cell * (length - 1) / max(1, room - 1)) for cell in range(room)]


def _level(curve: Curve, at: int, height: int) -> int | None:
    """Return the eighths of a row that a value reaches up to, at least one; None if to come."""
    if at >= len(curve.values):
        return None
    share = max(0.0, min(curve.values[at] / curve.top if curve.top else 0.0, 1.0))
    return max(1, round(share * height * 8))


def _filled(level: int | None, row: int) -> int:
    return 0 if level is None else max(0, min(level - 8 * row, 8))
