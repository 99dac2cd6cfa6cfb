"""A calculation line by line: what, how, a value for each token, and the sum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.numbers import bar, digits_for, flat, number
from attn_study.render.shades import of_role
from attn_study.render.text import cells, cut, pad, safe

if TYPE_CHECKING:
    from attn_study.demos.panels import Ledger, Row, Value

LEAST = 9  # cells a column takes
MOST = 13


def draw_ledger(panel: Ledger, columns: int) -> list[Text]:
    """Return the ledger; where the columns do not fit beside one another, in several bands."""
    name = max((cells(safe(row.name)) for row in panel.rows), default=0) + 2
    how = max((cells(safe(row.how)) for row in panel.rows), default=0)
    left = max(name + how + (2 if how else 0), min(cells(safe(panel.title)) + 2, 26))
    room = max(LEAST, columns - left - 1)
    count = max(len(panel.columns), *(len(row.values) for row in panel.rows), 1)
    rooms = (_room(row, room) for row in panel.rows if row.values)
    size = max(LEAST, min(MOST, *rooms, MOST))
    fits = max(1, room // size)
    if count > fits:
        size = LEAST
        fits = max(1, room // size)
    lines: list[Text] = []
    for start in range(0, max(1, count), fits):
        part = range(start, min(count, start + fits))
        lines += _band(panel, part, (name, left, size), columns, last=part.stop >= count)
    return lines


def _room(row: Row, room: int) -> int:
    """Return the cells a column of this row may take beside its remark."""
    remark = cells(safe(row.remark)) + 2 if row.remark else 0
    return (room - remark) // len(row.values)


def _band(
    panel: Ledger, part: range, sizes: tuple[int, int, int], columns: int, *, last: bool
) -> list[Text]:
    _, left, size = sizes
    heads = "".join(
        pad(cut(safe(panel.columns[index]), size - 1), size)
        for index in part
        if index < len(panel.columns)
    )
    lines = []
    if panel.title or heads:
        lines.append(Text.assemble((pad(f" {safe(panel.title)}", left + 1), "bold"), heads))
    for row in panel.rows:
        lines += _row(row, part, sizes, columns, last=last)
    return lines


def _row(
    row: Row, part: range, sizes: tuple[int, int, int], columns: int, *, last: bool
) -> list[Text]:
    name, left, size = sizes
    digits = digits_for(flat(row.values), row.digits)
    stacks = [_stack(row.values[i], digits) for i in part if i < len(row.values)]
    height = max((len(stack) for stack in stacks), default=1)
    lines = []
    for level in range(height):
        head = f" {pad(safe(row.name), name)}{safe(row.how)}" if level == 0 else ""
        line = Text(pad(head, left + 1))
        for stack in stacks:
            text = stack[level] if level < len(stack) else ""
            line.append(pad(text, size), of_role(row.role))
        if level == 0 and last and row.remark:
            line = _with_remark(line, safe(row.remark), columns)
        lines.append(_trimmed(line))
    if row.bars:
        drawn = Text(" " * (left + 1))
        for value in (row.values[i] for i in part if i < len(row.values)):
            weight = value if isinstance(value, float) else 0.0
            drawn.append(pad(bar(weight, min(10, size - 1)), size), "blue")
        lines.append(_trimmed(drawn))
    return lines


def _stack(value: Value, digits: int | None) -> list[str]:
    """Return a value in lines: a vector stands upright, in brackets."""
    if isinstance(value, str):
        return [safe(value)]
    if not isinstance(value, tuple):
        return [number(value, digits)]
    texts = [number(part, digits) for part in value]
    wide = max(map(len, texts), default=0)
    texts = [text.rjust(wide) for text in texts]
    ends = [")" if index == len(texts) - 1 else "" for index in range(len(texts))]
    return [
        f"{'(' if index == 0 else ' '}{text}{end}"
        for index, (text, end) in enumerate(zip(texts, ends, strict=True))
    ]


def _with_remark(line: Text, remark: str, columns: int) -> Text:
    """Put the remark at the right, or straight behind the values where it is long."""
    line = _trimmed(line)
    gap = max(2, columns - line.cell_len - cells(remark) - 1)
    line.append(" " * min(gap, 40) + remark, "dim")
    return line


def _trimmed(line: Text) -> Text:
    line.rstrip()
    return line
