"""A table of reviews, one a row: card_id, review_rating, review_time, review_duration."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from attn_study.cli.logs import tables
from attn_study.cli.logs.answers import Answer, Answers, seconds
from attn_study.cli.logs.faults import Fault, quoted
from attn_study.cli.logs.instants import EARLIEST, NEVER, instant
from attn_study.cli.logs.recognise import REVIEWS
from attn_study.deck.formats.anki.history import GRADES
from attn_study.memory.sm2 import Grade

if TYPE_CHECKING:
    from pathlib import Path

CARD = re.compile(r"~?[a-z0-9][a-z0-9._-]{0,200}(?::[a-z0-9]{1,20})?")
STAMP = re.compile(r"\d{1,15}")  # milliseconds since 1970
DURATION = re.compile(r"\d{1,12}(?:\.\d{1,12})?")
DURATIONS = "review_duration"  # the one column that may be absent


class _WrongError(ValueError):
    """What is wrong with a row."""


def read_reviews(path: Path, deck: str) -> Answers:
    """Read the answers of a table; its cards are filed under `deck`.

    Times are ISO 8601 with an offset, or milliseconds since 1970; durations are in milliseconds
    and may be absent. Raises UserError for what is no such table.
    """
    found = Answers([])
    form = tables.Form(sorted(REVIEWS), REVIEWS | {DURATIONS}, _is_review)
    for line, cells in tables.rows(path, form):
        if isinstance(cells, Fault):
            found.faults.append(Fault(line, cells.what))
            continue
        try:
            found.answers.append(_answer(cells, deck, line))
        except _WrongError as wrong:
            found.faults.append(Fault(line, str(wrong)))
    return found


def _is_review(cells: dict[str, str]) -> bool:
    try:
        _answer(cells, "deck", 0)
    except _WrongError:
        return False
    return True


def _answer(cells: dict[str, str], deck: str, line: int) -> Answer:
    card, rating = cells["card_id"].strip(), cells["review_rating"].strip()
    if not CARD.fullmatch(card):
        fit = "small letters, digits and . _ -"
        raise _WrongError(f"card_id {quoted(card)} cannot be a card: {fit}")
    if rating not in map(str, GRADES):
        raise _WrongError(f"review_rating is {quoted(rating)}, not 1, 2, 3 or 4")
    return Answer(
        card=f"{deck}/{card}",
        at=_at(cells["review_time"].strip()),
        grade=Grade(GRADES[int(rating)]),
        seconds=_seconds(cells.get(DURATIONS, "").strip()),
        line=line,
    )


def _at(text: str) -> datetime:
    if STAMP.fullmatch(text):
        if found := instant(int(text)):
            return found
        unit = "a number counts milliseconds since 1970"
        raise _WrongError(f"review_time is {quoted(text)}: {NEVER}; {unit}")
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        what = "a time with its offset, as in 2026-03-01T09:00:00+00:00"
        raise _WrongError(f"review_time is {quoted(text)}, not {what}")
    if at < EARLIEST:
        raise _WrongError(f"review_time is {quoted(text)}: {NEVER}")
    return at


def _seconds(text: str) -> float | None:
    if not text:
        return None
    if not DURATION.fullmatch(text):
        raise _WrongError(f"review_duration is {quoted(text)}, not a number of milliseconds")
    return seconds(float(text))
