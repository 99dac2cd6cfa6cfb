"""The copies of a study, one a line, or two where the screen is narrow."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from attn_study.render.text import cells, safe, wrap
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

NONE = "No copies yet: one is made by itself on each study day with something new."


def backup_lines(copies: Sequence[dict[str, Any]], folder: str, columns: int | None) -> list[Text]:
    """Return when each copy was made, what it holds and where it is, the newest first."""
    width = columns or 10_000
    if not copies:
        return [Text(line) for line in wrap(NONE, width)]
    told = [_told(copy) for copy in copies]
    widths = [max(map(len, column)) for column in zip(*told, strict=True)]
    lines = [Text(line) for line in wrap(f"Copies in {safe(folder)}", width)]
    for copy, cells_of in zip(copies, told, strict=True):
        name = _name(copy, folder)
        when, size, rows, day = (
            text.rjust(room) if at in (1, 2) else text.ljust(room)
            for at, (text, room) in enumerate(zip(cells_of, widths, strict=True))
        )
        what = safe(copy["wrong"]) if copy["wrong"] else f"{rows}  {day}"
        row = f"{when}  {size}  {what}".rstrip()
        style = "red" if copy["wrong"] else ""
        if cells(row) + cells(name) + 2 <= width:
            lines.append(Text.assemble((row, style), f"  {name}"))
        else:
            lines += [Text(line, style) for line in wrap(row, width)]
            lines += [Text(f"  {line}", "dim") for line in wrap(name, max(1, width - 2))]
    put_back = "`attn-study backup --restore FILE` puts one back; the present study is kept."
    return [*lines, *(Text(line, "dim") for line in wrap(put_back, width))]


def _told(copy: dict[str, Any]) -> tuple[str, str, str, str]:
    rows = "" if copy["rows"] is None else counted(copy["rows"], "row(|s)")
    day = f"to {copy['newest_day']}" if copy["newest_day"] else ""
    return copy["made"][:16].replace("T", " "), _size(copy["bytes"]), rows, day


def _size(count: int) -> str:
    if count < 1_000_000:
        return f"{-(-count // 1_000):,} kB"
    return f"{count / 1_000_000:,.1f} MB"


def _name(copy: dict[str, Any], folder: str) -> str:
    """The file's name alone where it is in the folder of the backups, else all of its path."""
    file = Path(copy["file"])
    return safe(file.name if file.parent == Path(folder) else str(file))
