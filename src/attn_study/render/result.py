"""The result of a quiz: how much was right, what was missed, and what to revise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.numbers import bar
from attn_study.render.plain import ENDLESS, card_lines
from attn_study.render.summary import minutes
from attn_study.render.text import cells, pad, safe, shortened, wrap

if TYPE_CHECKING:
    from attn_study.quiz import Reply, Result

BAR = 10  # cells of a bar where all is right
NAME = 40  # cells of a name before its numbers, at most
LEAST = 8  # the same, at least, beside a bar
HANG = "    "  # before the lines that follow on from a card missed
PART = "   "  # between its parts, where they fit one line


def result_lines(result: Result, columns: int | None) -> list[Text]:
    """Return what stays on the screen after a quiz; lines for a pipe are never wrapped."""
    width = max(1, columns or ENDLESS)
    lines = _wrapped(_summary(result), width, style="bold")
    parts = _parts(result)
    if len(parts) > 1:
        lines += [Text(), *_bars(parts, width)]
    if result.missed:
        missed = [line for answer in result.missed for line in _missed(answer, width)]
        commands = [line for typed in result.revise for line in _wrapped(f"  {typed}", width)]
        lines += [Text(), Text("Missed", "bold"), *missed]
        lines += [Text(), Text("To revise", "bold"), *commands]
    again = f"seed {result.seed}: `{result.again}` asks the same"
    return [*lines, Text(), *_wrapped(again, width)]


def _summary(result: Result) -> str:
    answered, left = len(result.answers), result.of - len(result.answers)
    if not answered:
        return f"Nothing answered; {left} not asked."
    if left:
        return f"{result.right} of {answered} answered right; {left} not asked."
    spent = minutes(sum(answer.seconds for answer in result.answers))
    return f"{result.right} of {answered} right, {spent}."


def _parts(result: Result) -> dict[str, list[bool]]:
    """Return what was right by section, or by tag where all cards are of one section."""
    parts: dict[str, list[bool]] = {}
    for answer in result.answers:
        parts.setdefault(_place(answer, result), []).append(answer.right)
    if len(parts) > 1:
        return parts
    tags: dict[str, list[bool]] = {}
    for answer in result.answers:
        for tag in answer.turn.card.tags:
            tags.setdefault(tag, []).append(answer.right)
    return tags


def _place(answer: Reply, result: Result) -> str:
    """Return the section of a card, with its deck where there are several."""
    card = answer.turn.card
    if card.section and len({one.turn.card.deck for one in result.answers}) == 1:
        return card.section
    return " › ".join(part for part in (card.deck, card.section) if part)


def _bars(parts: dict[str, list[bool]], width: int) -> list[Text]:
    """Return a line a part: how many of its answers were right, as numbers and as a bar."""
    counts = {name: f"{sum(right)} of {len(right)}" for name, right in parts.items()}
    widest = max(map(len, counts.values()))
    room = width - widest - 4
    size = BAR if room - BAR - 2 >= LEAST else 0  # in a narrow window the numbers say it
    longest = min(max(cells(safe(name)) for name in parts), NAME, room - size - 2 * bool(size))
    lines = []
    for name, right in parts.items():
        shown = shortened(safe(name), longest)
        drawn = bar(sum(right) / len(right), size) if size else ""
        head = f"  {pad(shown, longest)}  {counts[name]:<{widest}}"
        lines.append(Text.assemble(head, (f"  {drawn}" if drawn else "", "cyan")))
    return lines


def _missed(answer: Reply, width: int) -> list[Text]:
    """Return a card that was missed, what was given, what is right, and its demo."""
    turn = answer.turn
    given = _row(turn.given or "", ascii=turn.ascii) or "nothing"
    right = _row(answer.expected, ascii=turn.ascii)
    parts = [f"✗ {safe(turn.card.id)}", f"you: {given}", f"right: {right}"]
    parts += [f"demo {turn.demo}"] if turn.demo else []
    line = Text(f"  {PART.join(parts)}")
    if line.cell_len <= width:
        return [line]
    head, *rest = (_wrapped(part, width - len(HANG)) for part in parts)
    return [
        *(Text("  ") + row for row in head),
        *(Text(HANG) + row for part in rest for row in part),
    ]


def _row(text: str, *, ascii: bool) -> str:
    """Return the text of an answer in one row."""
    return " ".join(line.plain for line in card_lines(text, ascii=ascii))


def _wrapped(words: str, width: int, style: str = "") -> list[Text]:
    return [Text(line, style) for line in wrap(safe(words), max(1, width))]
