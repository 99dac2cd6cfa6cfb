"""Events and states as rows of the database, and back."""

from __future__ import annotations

import json
import math
from datetime import date
from typing import TYPE_CHECKING, Any

from attn_study.memory.event import NO_DATA, Event
from attn_study.memory.fold import CardState
from attn_study.memory.nearest import FIRST_DAY, read
from attn_study.memory.sm2 import INTERVAL_CAP, LEAST_EASE, Grade, Memory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EVENT_COLUMNS = "uid, device, tick, batch, card, kind, grade, day, at, offset, seconds, data"
READ_COLUMNS = read(EVENT_COLUMNS)  # the same for reading: only what can be
STATE_COLUMNS = (
    "card, ease, repetitions, interval, lapses, due, first_day, review_day, "
    "answer_day, answer_grade, answer_tick, suspended, buried, flag, rows, stability, difficulty"
)


def event_row(event: Event) -> tuple[object, ...]:
    """Return the values of `EVENT_COLUMNS`."""
    return (
        event.uid,
        event.device,
        event.tick,
        event.batch,
        event.card,
        event.kind,
        None if event.grade is None else int(event.grade),
        event.day.isoformat(),
        event.at,
        event.offset,
        event.seconds,
        json.dumps(dict(event.data), ensure_ascii=False, allow_nan=False, sort_keys=True),
    )


def event_of(row: Sequence[Any]) -> Event:
    """Return the event that stands in `row`, given as `READ_COLUMNS`."""
    uid, device, tick, batch, card, kind, grade, day, at, offset, seconds, data = row
    return Event(
        uid=uid,
        device=device,
        tick=tick,
        batch=batch,
        card=card,
        kind=kind,
        grade=None if grade is None else Grade(grade),
        day=date.fromisoformat(day),
        at=at,
        offset=offset,
        seconds=seconds,
        data=said(data),
    )


def said(data: str) -> Mapping[str, object]:
    """Return what a row's data says; most rows say nothing, and damaged data neither."""
    if data == "{}":
        return NO_DATA
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return NO_DATA
    return found if isinstance(found, dict) else NO_DATA


def state_row(state: CardState) -> tuple[object, ...]:
    """Return the values of `STATE_COLUMNS`."""
    memory = state.memory
    return (
        state.card,
        memory.ease,
        memory.repetitions,
        memory.interval,
        memory.lapses,
        _text(memory.due),
        _text(state.first_day),
        _text(state.review_day),
        _text(state.answer_day),
        None if state.answer_grade is None else int(state.answer_grade),
        state.answer_tick,
        int(state.suspended),
        _text(state.buried),
        state.flag,
        state.rows,
        memory.stability,
        memory.difficulty,
    )


def state_of(row: Sequence[object]) -> CardState:
    """Return the state that stands in `row`, given as `STATE_COLUMNS`.

    The table is a cache that anyone may have edited: an impossible value is read as the nearest
    possible one, and the next answer writes the true state.
    """
    card, ease, repetitions, interval, lapses, due, first, review, answer = row[:9]
    grade, tick, suspended, buried, flag, rows, stability, difficulty = row[9:]
    return CardState(
        card=str(card),
        memory=Memory(
            ease=_at_least(ease, LEAST_EASE),
            repetitions=_at_least(repetitions, 0),
            interval=min(_at_least(interval, 0), INTERVAL_CAP),
            lapses=_at_least(lapses, 0),
            due=_day(due),
            stability=_real(stability),
            difficulty=_real(difficulty),
        ),
        first_day=_day(first),
        review_day=_day(review),
        answer_day=_day(answer),
        answer_grade=Grade(grade) if isinstance(grade, int) and 0 <= grade <= 5 else None,
        answer_tick=_at_least(tick, 0),
        suspended=bool(suspended),
        buried=_day(buried),
        flag=str(flag),
        rows=_at_least(rows, 0),
    )


def _text(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _day(text: object) -> date | None:
    return None if text is None else day_of(text)


def day_of(text: object) -> date:
    """Return the day that a text names; the first there is when it names none."""
    try:
        return date.fromisoformat(str(text))
    except ValueError:
        return date.fromisoformat(FIRST_DAY)


def _at_least(value: object, least: int) -> int:
    return max(value, least) if isinstance(value, int) else least


def _real(value: object) -> float:
    """Return a finite number from 0 on; 0, which FSRS takes for unknown, where it is none."""
    return value if isinstance(value, float) and 0 <= value < math.inf else 0.0
