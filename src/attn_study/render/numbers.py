"""Numbers and vectors as text, rounded the same way everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MASKED = "·"
WHOLE = 1e-9  # a number nearer than this to a whole one is shown as whole
LARGE = 100_000  # from here on thousands are set apart, and decimals mean nothing
EIGHTHS = " ▏▎▍▌▋▊▉█"


def number(value: float | None, digits: int | None) -> str:
    """Return a number with `digits` decimals, or as a whole number where that is None.

    Large ones with decimals are written to the nearest whole number, huge ones as `1.234e+12`.
    """
    if value is None:
        return MASKED
    if digits is None:
        return f"{round(value):,}" if abs(value) >= LARGE else str(round(value))
    if abs(value) >= LARGE:
        return f"{value:,.0f}" if abs(value) < LARGE**2 else f"{value:.3e}"
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def digits_for(values: Iterable[float | None], digits: int) -> int | None:
    """Return None when all values are whole, else `digits`: a row is written in one way."""
    whole = all(value is None or abs(value - round(value)) < WHOLE for value in values)
    return None if whole else digits


def longest(rows: Sequence[Sequence[float]], digits: int | None) -> int:
    """Return the length of the longest of many numbers, with few of them written out.

    Of numbers that are written in one way, one farther from 0 is never shorter.
    """
    rows = [row for row in rows if row]
    if not rows:
        return 1
    ends = [min(map(min, rows)), max(map(max, rows))]
    if max(map(abs, ends)) >= LARGE:
        for least, most in ((0, LARGE), (LARGE, LARGE**2)):  # what is larger still is in `ends`
            band = [value for row in rows for value in row if least <= abs(value) < most]
            ends += [min(band), max(band)] if band else []
    return max(len(number(value, digits)) for value in ends)


def bar(share: float, width: int) -> str:
    """Return a bar of `width` cells for 1, in eighths of a cell; a small share still shows."""
    eighths = round(max(0.0, min(share, 1.0)) * width * 8)
    if share > 0 and eighths == 0:
        eighths = 1
    full, rest = divmod(eighths, 8)
    return ("█" * full + (EIGHTHS[rest] if rest else ""))[:width]


def flat(values: Iterable[float | tuple[float, ...] | str | None]) -> list[float | None]:
    """Return the numbers among the values of a row, vectors taken apart."""
    numbers: list[float | None] = []
    for value in values:
        if isinstance(value, tuple):
            numbers.extend(value)
        elif not isinstance(value, str):
            numbers.append(value)
    return numbers


def window(size: int, room: int, focus: int | None) -> range:
    """Return which of `size` columns to show where only `room` fit: those up to the focus."""
    if size <= room:
        return range(size)
    end = min(size, max(room, (size if focus is None else focus + 1)))
    return range(end - room, end)


def shape(values: Sequence[Sequence[object]]) -> str:
    """Return the shape of a matrix: `[3×4]`."""
    return f"[{len(values)}×{len(values[0]) if values else 0}]"
