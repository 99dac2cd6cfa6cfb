"""The score of a quiz: how much was right, what was missed, and what to revise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.numbers import bar
from attn_study.render.plain import ENDLESS, card_lines
from attn_study.render.summary import minutes
from attn_study.render.text import cells, cut, pad, safe, wrap

if TYPE_CHECKING:
    from attn_study.quiz import Answer, Score

BAR = 10  # cells of a bar where all is right
NAME = 40  # cells of a name before its numbers, at most
LEAST = 8  # the same, at least, beside a bar
HANG = "    "  # before the lines that follow on from a card missed


def score_lines(score: Score, columns: int | None) -> list[Text]:
    """Return what stays on the screen after a quiz; lines for a pipe are never wrapped."""
    width = max(1, columns or ENDLESS)
    lines = _wrapped(_result(score), width, style="bold")
    parts = _parts(score)
    if len(parts) > 1:
        lines += [Text(), *_bars(parts, width)]
    if score.missed:
        missed = [line for answer in score.missed for line in _missed(answer, width)]
        commands = [line for typed in score.revise for line in _wrapped(f"  {typed}", width)]
        lines += [Text(), Text("Missed", "bold"), *missed]
        lines += [Text(), Text("To revise", "bold"), *commands]
    again = f"seed {score.seed}: `{score.again}` asks the same"
    return [*lines, Text(), *_wrapped(again, width)]


def _result(score: Score) -> str:
    answered, left = len(score.answers), score.of - len(score.answers)
    if not answered:
        return f"Nothing answered; {left} not asked."
    if left:
        return f"{score.right} of {answered} answered right; {left} not asked."
    spent = minutes(sum(answer.seconds for answer in score.answers))
    return f"{score.right} of {answered} right, {spent}."


def _parts(score: Score) -> dict[str, list[bool]]:
    """Return what was right by section, or by tag where all cards are of one section."""
    parts: dict[str, list[bool]] = {}
    for answer in score.answers:
        parts.setdefault(_place(answer, score), []).append(answer.right)
    if len(parts) > 1:
        return parts
    tags: dict[str, list[bool]] = {}
    for answer in score.answers:
        for tag in answer.turn.card.tags:
            tags.setdefault(tag, []).append(answer.right)
    return tags


def _place(answer: Answer, score: Score) -> str:
    """Return the section of a card, with its deck where there are several."""
    card = answer.turn.card
    if card.section and len({one.turn.card.deck for one in score.answers}) == 1:
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
        shown = safe(name)
        shown = shown if cells(shown) <= longest else f"{cut(shown, longest - 1)}…"
        drawn = bar(sum(right) / len(right), size) if size else ""
        head = f"  {pad(shown, longest)}  {counts[name]:<{widest}}"
        lines.append(Text.assemble(head, (f"  {drawn}" if drawn else "", "cyan")))
    return lines


def _missed(answer: Answer, width: int) -> list[Text]:
    """Return a card that was missed, what was given, what is right, and its demo."""
    turn = answer.turn
    given = _row(turn.given or "", ascii=turn.ascii) or "nothing"
    right = _row(answer.expected, ascii=turn.ascii)
    demo = f"   demo {turn.demo}" if turn.demo else ""
    said = f"✗ {safe(turn.card.id)}   you: {given}   right: {right}{demo}"
    first, *rest = _wrapped(said, width - len(HANG)) if width > 2 * len(HANG) else [Text(said)]
    return [Text("  ") + first, *(Text(HANG) + line for line in rest)]


def _row(text: str, *, ascii: bool) -> str:
    """Return the text of an answer in one row."""
    return " ".join(line.plain for line in card_lines(text, ascii=ascii))


def _wrapped(words: str, width: int, style: str = "") -> list[Text]:
    return [Text(line, style) for line in wrap(safe(words), max(1, width))]
