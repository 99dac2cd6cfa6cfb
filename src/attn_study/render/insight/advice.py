"""Cards that are hard to keep, each with what can be done about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.cells import cells
from attn_study.render.safe import safe
from attn_study.render.wrapping import NO_BREAK, wrap
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.memory.insight.record import Known

GATHERED = 10  # cards of each sort that are looked into
LONG = 280  # characters: an answer that is longer asks for more than one thing


@dataclass(frozen=True, slots=True)
class Advice:
    """One card with what is known of it; `demo` is its lesson, "" where it has none.

    `length` counts the characters of its answer.
    """

    known: Known
    demo: str = ""
    length: int = 0

    @property
    def ways(self) -> list[tuple[str, str]]:
        """What to do, each with the command that does it, the first to try first."""
        edit = f"attn-study card edit {self.known.card}"
        why = "split it (long)" if self.length > LONG else "rewrite it"
        demo = [("see it computed", f"attn-study demo {self.demo}")] if self.demo else []
        return [(why, edit), *demo]


def advice_lines(found: Sequence[Advice], columns: int) -> list[Text]:
    """Return each card with its lapses and what to do."""
    return [line for each in found for line in _card(each, columns)]


def facts(advice: Advice) -> str:
    """Return what makes a card hard: how often it was forgotten, and its ease.

    A card of FSRS has a difficulty in place of an ease.
    """
    known = advice.known
    how = (
        f"difficulty {known.difficulty:.1f}" if known.difficulty else f"ease {known.ease / 100:.2f}"
    )
    said = [counted(known.lapses, "lapse(|s)"), how]
    if known.suspended:
        said.append("suspended")
    return ", ".join(said)


def _card(advice: Advice, columns: int) -> list[Text]:
    width = max(8, columns - 2)
    said = ", ".join(fact.replace(" ", NO_BREAK) for fact in facts(advice).split(", "))
    head = f"{safe(advice.known.card)}   {said}"
    lines = [Text(f" {line}") for line in wrap(head, width)]
    for why, command in advice.ways:
        said = f"   {why + ':':<17} {safe(command)}"
        if cells(said) >= columns:
            said = f"   {safe(command)}"
        lines += [Text(line, "cyan") for line in wrap(said, max(8, columns - 1))]
    return lines
