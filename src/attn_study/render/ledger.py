"""A calculation line by line: what, how, a value for each token, and the sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.numbers import bar, digits_for, flat, number
from attn_study.render.shades import of_role
from attn_study.render.text import cells, cut, pad, safe, wrap

if TYPE_CHECKING:
    from attn_study.demos.panels import Ledger, Row, Value

LEAST = 7  # cells a column takes
MOST = 13
LONGEST_BAR = 10


def draw_ledger(panel: Ledger, columns: int) -> list[Text]:
    """Return the ledger; where the columns do not fit beside one another, in several bands."""
    lines = [_Line(row) for row in panel.rows]
    plan = _plan(panel, lines, columns)
    count = max([len(panel.columns), *(len(row.values) for row in panel.rows), 1])
    fits = max(1, (columns - plan.left - 1) // plan.size)
    found: list[Text] = []
    for start in range(0, count, fits):
        found += _band(panel, lines, range(start, min(count, start + fits)), plan)
    return found


@dataclass(frozen=True, slots=True)
class _Plan:
    """How wide each part is: of names, of all before the values, of one value, of the screen.

    `stacked` has each name on a line of its own, over its values.
    """

    name: int
    left: int
    size: int
    columns: int
    lead: int
    stacked: bool


class _Line:
    """One row with its values written; numbers are set so that their points can line up."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.digits = digits_for(flat(row.values), row.digits)
        self.stacks = [self._stack(value) for value in row.values]

    def _stack(self, value: Value) -> list[str]:
        """Return a value in lines: a vector stands upright."""
        if isinstance(value, str):
            return [safe(value)]
        parts = value if isinstance(value, tuple) else (value,)
        return [number(part, self.digits) for part in parts]

    def is_vector(self, at: int) -> bool:
        return isinstance(self.row.values[at], tuple)

    @property
    def lead(self) -> int:
        """The cells before the decimal point, at most, and a bracket where there are vectors."""
        numbers = [
            cells(text.partition(".")[0])
            for at, stack in enumerate(self.stacks)
            if not isinstance(self.row.values[at], str)
            for text in stack
        ]
        return max(numbers, default=0)

    def text(self, at: int, level: int, lead: int) -> str:
        """Return one line of a value, its decimal point after `lead` cells and a bracket's."""
        stack = self.stacks[at] if at < len(self.stacks) else []
        if level >= len(stack):
            return ""
        text = stack[level]
        if isinstance(self.row.values[at], str):
            return text if cells(text) > lead else " " * (lead - 1) + text
        indent = " " * (lead - cells(text.partition(".")[0]))
        if not self.is_vector(at):
            return indent + text
        opening = "(" if level == 0 else " "
        closing = ")" if level == len(stack) - 1 else ""
        return f"{opening}{indent[1:]}{text}{closing}"


def _plan(panel: Ledger, lines: list[_Line], columns: int) -> _Plan:
    name = max((cells(safe(row.name)) for row in panel.rows), default=0) + 2
    how = max((cells(safe(row.how)) for row in panel.rows), default=0)
    left = name + how + (2 if how else 0)
    if cells(safe(panel.title)) + 2 <= columns // 2:
        left = max(left, cells(safe(panel.title)) + 2)
    brackets = any(line.is_vector(at) for line in lines for at in range(len(line.row.values)))
    lead = max((line.lead for line in lines), default=0) + (1 if brackets else 0)
    texts = [
        line.text(at, level, lead)
        for line in lines
        for at, stack in enumerate(line.stacks)
        for level in range(len(stack))
    ]
    longest = max(map(cells, texts), default=0) + 1
    stacked = columns - left - 1 < max(LEAST, longest)
    left = 2 if stacked else left
    room = max(1, columns - left - 1)
    lead = max(0, lead - max(0, longest - 1 - room))  # points need not line up where nothing fits
    wishes = [(room - _remark(row)) // len(row.values) for row in panel.rows if row.values]
    names = max((min(cells(safe(name)), MOST) for name in panel.columns), default=0) + 1
    size = min(room, max(LEAST, names, longest, min([MOST, *wishes])))
    return _Plan(name, left, size, columns, lead, stacked)


def _remark(row: Row) -> int:
    return cells(safe(row.remark)) + 2 if row.remark else 0


def _band(panel: Ledger, lines: list[_Line], part: range, plan: _Plan) -> list[Text]:
    """Return the rows with the columns of one part; later parts leave out what has none there."""
    heads = "".join(
        pad(cut(safe(panel.columns[at]), plan.size - 1), plan.size)
        for at in part
        if at < len(panel.columns)
    )
    heads = " " * max(0, plan.lead - 1) + heads if heads else ""
    found = _heading(safe(panel.title), heads, plan) if part.start == 0 or heads else []
    for line in lines:
        if part.start == 0 or len(line.row.values) > part.start:
            found += _row(line, part, plan)
    return found


def _heading(title: str, heads: str, plan: _Plan) -> list[Text]:
    heads = cut(heads.rstrip(), max(0, plan.columns - plan.left - 1))
    if cells(title) + 2 <= plan.left + 1:
        line = Text.assemble((pad(f" {title}", plan.left + 1), "bold"), heads)
        return [trimmed(line)] if title or heads else []
    above = [Text(f" {line}", "bold") for line in wrap(title, max(1, plan.columns - 2))]
    return [*above, Text(" " * (plan.left + 1) + heads)] if heads else above


def _row(line: _Line, part: range, plan: _Plan) -> list[Text]:
    row = line.row
    here = [at for at in part if at < len(row.values)]
    head = f" {pad(safe(row.name), plan.name)}{safe(row.how)}"
    found: list[Text] = []
    if plan.stacked:
        found += [Text(f" {each}") for each in wrap(head.strip(), max(1, plan.columns - 2))]
        head = ""
    height = max((len(line.stacks[at]) for at in here), default=0 if plan.stacked else 1)
    for level in range(height):
        drawn = Text(pad(head if level == 0 else "", plan.left + 1))
        for at in here:
            drawn.append(pad(line.text(at, level, plan.lead), plan.size), of_role(row.role))
        found.append(trimmed(drawn))
    is_last = part.stop >= len(row.values)
    if row.remark and is_last:
        found = _with_remark(found, len(found) - height, safe(row.remark), plan.columns)
    if row.bars:
        drawn = Text(" " * (plan.left + plan.lead))
        room = plan.columns - plan.left - plan.lead - plan.size * (len(here) - 1)
        longest = max(1, min(LONGEST_BAR, plan.size - 1, room))
        for at in here:
            value = row.values[at]
            weight = value if isinstance(value, float) else 0.0
            drawn.append(pad(bar(weight, longest), plan.size), "blue")
        found.append(trimmed(drawn))
    return found


def _with_remark(found: list[Text], at: int, remark: str, columns: int) -> list[Text]:
    """Put the remark at the right of the values' first line, or on lines of its own."""
    if at < len(found):
        gap = columns - found[at].cell_len - cells(remark) - 1
        if gap >= 2:
            found[at].append(" " * min(gap, 40) + remark, "dim")
            return found
    return [*found, *(Text(f"   {line}", "dim") for line in wrap(remark, max(1, columns - 4)))]


def trimmed(line: Text) -> Text:
    """Return the line without the blanks at its end."""
    line.rstrip()
    return line
