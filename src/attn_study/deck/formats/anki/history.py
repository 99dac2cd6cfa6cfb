"""What Anki knows of the cards that were read: states and answers in our units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.deck.formats.anki.collection import day, day_of
from attn_study.deck.formats.exchange import Answered, State

if TYPE_CHECKING:
    from datetime import date

    from attn_study.deck.formats.anki.collection import CardRow, Collection, ReviewRow

NEW, REVIEW = 0, 2  # types of cards; between and above them are those being learned
SUSPENDED = -1  # a queue
CRAMMED = 3  # this type of answer and those above it did not schedule
GRADES = {1: 1, 2: 3, 3: 4, 4: 5}  # of SM-2, by the ratings Again, Hard, Good, Easy
EASE = 250  # of a card that has none yet
STAMP = 100_000_000  # a due number above it is seconds since 1970, not days
FURTHEST = 100_000  # days


def is_known(card: CardRow) -> bool:
    """Return whether Anki knows more of the card than that it exists."""
    return card.type != NEW or card.queue == SUSPENDED


def state(collection: Collection, card: CardRow, part: str) -> State | None:
    """Return the state of a card that `is_known`; None where its numbers make no sense."""
    due = None if card.type == NEW else _due(collection, card)
    is_sound = (
        (due is not None or card.type == NEW)
        and -FURTHEST < card.interval < FURTHEST
        and (card.factor == 0 or 1000 <= card.factor < 100_000)
        and 0 <= card.lapses <= card.reps < FURTHEST
    )
    if not is_sound:
        return None
    return State(
        note=str(card.note),
        part=part,
        ease=round(card.factor / 10) or EASE,
        interval=max(card.interval, 0),  # one below 0 counts seconds
        # Of a card that is being learned again no pass counts yet
        repetitions=card.reps if card.type == REVIEW else 0,
        lapses=card.lapses,
        due=due,
        suspended=card.queue == SUSPENDED,
    )


def _due(collection: Collection, card: CardRow) -> date | None:
    """The day a card is due; a card that visits a filtered deck has its own day kept."""
    number = card.due_at_home if card.home and card.due_at_home else card.due
    try:
        return day_of(collection, number) if number > STAMP else day(collection, number)
    except (OverflowError, ValueError, OSError):
        return None


def answered(review: ReviewRow, note: int, part: str) -> Answered | None:
    """Return one answer; None for what was set by hand or did not schedule."""
    if review.ease not in GRADES or not 0 <= review.type < CRAMMED:
        return None
    return Answered(
        note=str(note),
        part=part,
        key=str(review.id),
        at=review.id,
        grade=GRADES[review.ease],
        seconds=max(review.milliseconds, 0) / 1000,
    )
