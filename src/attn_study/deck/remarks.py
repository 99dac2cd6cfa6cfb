"""Mistakes written into a deck's text above their lines, and taken out again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.deck.complaint import Complaint

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
HEAD = "these lines go by themselves; leave the text unchanged to stop here"


@dataclass(frozen=True, slots=True)
class Remarked:
    """A text with remarks. `mark` begins each of them, and no line of the text itself."""

    text: str
    mark: str

    def without(self, text: str) -> str:
        """Return `text`, which was made from this one, without the remarks left in it."""
        remark = _pattern(self.mark)
        bom, body = _apart(text)
        return bom + "".join(line for line in LINE.findall(body) if not remark.match(line))


def remarked(text: str, complaints: Sequence[Complaint]) -> Remarked:
    """Return the text with a comment above each line that is complained about.

    Lines are counted as in `text`. A complaint about the whole file stands at the top.
    """
    bom, body = _apart(text)
    lines = LINE.findall(body)[:-1]
    mark = "#!"
    while any(_pattern(mark).match(line) for line in lines):
        mark += "!"
    above: dict[int, list[str]] = {}
    for one in complaints:
        at = min(one.line, len(lines))
        above.setdefault(max(at - 1, 0), []).append(_remark(mark, one, lines))
    end = next((line[len(line.rstrip("\r\n")) :] for line in lines), "") or "\n"
    written = [f"{mark} file: {HEAD}{end}"]
    for number, line in enumerate(lines or [""]):
        written += [f"{remark}{end}" for remark in above.get(number, ())]
        written.append(line)
    return Remarked(bom + "".join(written), mark)


def _apart(text: str) -> tuple[str, str]:
    """A byte order mark, if there is one, and the text behind it."""
    body = text.removeprefix("\ufeff")
    return text[: len(text) - len(body)], body


def _pattern(mark: str) -> re.Pattern[str]:
    return re.compile(rf"[ \t]*{mark} (?:line \d+|file): ")


def _remark(mark: str, one: Complaint, lines: Sequence[str]) -> str:
    """A comment that stands as far in as the line it is about."""
    where = f"line {one.line}" if one.line else "file"
    said = " ".join(f"{one.what}; {one.hint}".removesuffix("; ").split())
    about = lines[one.line - 1] if 0 < one.line <= len(lines) else ""
    margin = about[: len(about) - len(about.lstrip(" "))]
    return f"{margin}{mark} {where}: {said}"
