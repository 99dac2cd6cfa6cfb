"""What the card commands write to the log, and the words they answer with."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from attn_study.errors import UserError, near
from attn_study.memory.event import Draft, Kind
from attn_study.memory.leech import mark_words, new_mark
from attn_study.memory.log import StaleError
from attn_study.memory.words import described

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from attn_study.cli.study import Study
    from attn_study.memory.catalogue import Entry
    from attn_study.memory.event import Event
    from attn_study.memory.fold import CardState
    from attn_study.memory.sm2 import Grade

DONE = {
    "suspend": "suspended",
    "resume": "back",
    "bury": "rests until the next study day",
    "reset": "new again",
}


def grade_card(study: Study, entry: Entry, grade: Grade) -> str:
    """Write a grade; return what it led to, and whether the card was due at all."""
    now = study.moment()
    before = study.log.state(entry.card)
    try:
        events = study.log.write([Draft(entry.card, "review", grade)], now, expecting=before)
    except StaleError as error:
        what = f"{entry.card} was answered elsewhere at this very moment; nothing was added"
        raise UserError(what, hint="`attn-study log` shows it") from error
    study.catalogue.saw([entry.card])
    after = study.log.state(entry.card)
    words = f"{described(events[0])}: due {after.memory.due}, interval {after.memory.interval} d"
    remarks = _overtaken(study, events) or _remarks(before, now.day)
    return "\n".join([words, *remarks, *_leech(study, entry, before, after)])


def _leech(study: Study, entry: Entry, before: CardState, after: CardState) -> list[str]:
    """Say so when a grade made a leech of its card."""
    lapses = after.memory.lapses
    if not new_mark(before.memory.lapses, lapses):
        return []
    from attn_study.posed import demo_of

    return [mark_words(entry.card, lapses, demo_of(study.text(entry)))]


def _remarks(before: CardState, day: date) -> list[str]:
    due = before.memory.due
    if before.review_day == day:
        return ["it had its review today; this answer counts as drill and changes no date"]
    if due is not None and due > day:
        return [f"it was due on {due} only; it is scheduled anew from today"]
    return []


def _overtaken(study: Study, events: Sequence[Event]) -> list[str]:
    """Say of which cards a row from a clock that was ahead has the last word."""
    days = {event.card: study.log.overtaken(event) for event in events}
    return [
        f"but {card} has rows dated {day}, later than today, and those count last; "
        "`attn-study undo`, often enough, on the device that wrote them, takes them back"
        for card, day in days.items()
        if day
    ]


def act(study: Study, cards: list[str], kind: str) -> str:
    """Write one row for each card, undone together; return a line for each."""
    events = study.log.write([Draft(card, cast("Kind", kind)) for card in cards], study.moment())
    study.catalogue.mend_hints()
    done = [f"{card} {DONE[kind]}" for card in cards]
    return "\n".join([*done, *_overtaken(study, events)])


def adopt_card(study: Study, old: str, new: str) -> str:
    """Let the rows of `old` count for `new`; raises UserError when the log knows no such card."""
    if study.log.canonical(old) == new:
        return f"{new} has the history of {old} already"
    known = [row[0] for row in study.log.conn.execute("SELECT card FROM card_state")]
    if study.log.state(old).rows == 0:
        raise UserError(f"the log knows no card {old!r}", hint=near(old, known))
    study.log.write([Draft(new, "adopt", data={"former": old})], study.moment())
    study.catalogue.saw([new])
    study.catalogue.mend_hints()
    return f"{new} has the history of {old}; `attn-study undo` takes it back"


def offer_histories(study: Study) -> None:
    """Ask in a terminal, for each card that is gone, whether its likely successor has its history.

    A no is remembered; where nobody can be asked nothing is.
    """
    world = study.world
    if world.quiet or not (world.stdin.isatty() and world.stdout.isatty()):
        return
    from attn_study.memory.vanished import turn_down, waiting

    for old, new in waiting(study.log.conn):
        if world.agrees(f"{new} reads nearly like {old}, which is gone. Keep its history?"):
            world.say(adopt_card(study, old, new))
        else:
            turn_down(study.log.conn, old)
