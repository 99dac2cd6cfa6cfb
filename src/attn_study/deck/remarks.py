"""Mistakes written into a deck's text above their lines, and taken out again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.deck.lines import apart, line_end, lines_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.deck.complaint import Complaint

HEAD = "these lines go by themselves; leave the text unchanged to stop here"


@dataclass(frozen=True, slots=True)
class Remarked:
    """A text with remarks. `mark` begins each of them, and no line of the text itself."""

    text: str
    mark: str

    def without(self, text: str) -> str:
        """Return `text`, which was made from this one, without the remarks left in it."""
        remark = _pattern(self.mark)
        mark, body = apart(text)
        return mark + "".join(line for line in lines_of(body) if not remark.match(line))


def remarked(text: str, complaints: Sequence[Complaint]) -> Remarked:
    """Return the text with a comment above each line that is complained about.

    Lines are counted as in `text`. A complaint about the whole file stands at the top.
    """
    bom, body = apart(text)
    lines = lines_of(body)
    mark = "#!"
    while any(_pattern(mark).match(line) for line in lines):
        mark += "!"
    above: dict[int, list[str]] = {}
    for one in complaints:
        at = min(one.line, len(lines))
        above.setdefault(max(at - 1, 0), []).append(_remark(mark, one, lines))
    end = line_end(body)
    written = [f"{mark} file: {HEAD}{end}"]
    for number, line in enumerate(lines or [""]):
        written += [f"{remark}{end}" for remark in above.get(number, ())]
        written.append(line)
    return Remarked(bom + "".join(written), mark)


def _pattern(mark: str) -> re.Pattern[str]:
    return re.compile(rf"[ \t]*{mark} (?:line \d+|file): ")


def _remark(mark: str, one: Complaint, lines: Sequence[str]) -> str:
    """A comment that stands as far in as the line it is about."""
    where = f"line {one.line}" if one.line else "file"
    said = " ".join(f"{one.what}; {one.hint}".removesuffix("; ").split())
    about = lines[one.line - 1] if 0 < one.line <= len(lines) else ""
    margin = about[: len(about) - len(about.lstrip(" "))]
    return f"{margin}{mark} {where}: {said}"
