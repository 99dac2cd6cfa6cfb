"""What a look over the study found: what is sound, what is wrong, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.text import safe, wrap
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from attn_study.memory.health.finding import Check, Finding


WIDEST = 100  # cells of a line of words


def doctor_lines(
    checks: Sequence[Check], about: str, done: Iterable[str], columns: int | None, end: str = ""
) -> list[Text]:
    """Return a line a check, and under it what was found, where, and what to do; `end` is last."""
    width = min(columns or 10_000, WIDEST) if columns else 10_000
    lines = _wrapped("", about, width, "bold")
    for words in done:
        lines += _wrapped("+ ", words, width, "green")
    for check in checks:
        if not check.findings:
            lines += _wrapped("✓ ", check.sound, width, "")
        for found in check.findings:
            lines += _finding(found, width)
    findings = [found for check in checks for found in check.findings]
    faults = sum(found.is_fault for found in findings)
    notes = len(findings) - faults
    said = counted(faults, "fault(|s)") if faults else "Nothing is wrong"
    if notes:
        said += f", {counted(notes, 'note(|s)')}"
    return [*lines, *_wrapped("", f"{said}.\n{end}".rstrip(), width, "bold")]


def _finding(found: Finding, width: int) -> list[Text]:
    mark, style = ("✗ ", "bold red") if found.is_fault else ("• ", "")
    lines = _wrapped(mark, found.what, width, style)
    if found.where:
        lines += _wrapped("    ", found.where, width, "")
    for line in found.remedy.splitlines():
        lines += _wrapped("    → ", line, width, "dim")
    return lines


def _wrapped(lead: str, words: str, width: int, style: str) -> list[Text]:
    """Return words after a lead; further lines stand under the first word."""
    rows = [row for line in safe(words).splitlines() for row in wrap(line, width - len(lead))]
    indent = " " * len(lead)
    return [Text((indent if at else lead) + row, style) for at, row in enumerate(rows)]
