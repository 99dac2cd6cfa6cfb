"""Histories on their way in and out of the log: a deck's own rows, and what others kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from attn_study.cli.logs.instants import instant
from attn_study.memory.day import Moment, moment
from attn_study.memory.event import LONGEST_ANSWER, Draft
from attn_study.memory.exchange.merge import carded, merge, of_deck, rows_of
from attn_study.memory.sm2 import Grade
from attn_study.wording import cards, counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from attn_study.cli.study import Study
    from attn_study.deck.formats import Answered, History, State


class _Past(NamedTuple):
    """An answer given elsewhere: the card it is about, when, and what is to be written."""

    card: str
    moment: Moment
    draft: Draft


def export_rows(study: Study, deck: str) -> tuple[Mapping[str, object], ...]:
    """Return every row that counts for the cards of a deck, in replay order, with every rule."""
    return tuple(rows_of(study.log, deck))


def import_rows(study: Study, deck: str, rows: Sequence[Mapping[str, object]]) -> str:
    """Take in the log rows of a deck that another home gave out; return words for the learner.

    Those that are here already are left alone, and so is every other deck. Raises UserError, with
    nothing written, when one of them cannot be a row of the log.
    """
    own = of_deck(study.log, deck, rows)
    merged = merge(study.log, own)
    parts = [f"{counted(merged.added, 'row(|s)')} of its log brought in"] if merged.added else []
    if others := len(rows) - len(own):
        parts.append(counted(others, "row(|s) beyond this deck (was|were) left out"))
    return "; ".join(parts)


def carry(study: Study, deck: str, ids: Mapping[str, str], history: History) -> str:
    """Bring in what another program knows of a deck's cards; return words for the learner.

    `ids` gives our id of each note by its name in `history`. A card that has live rows here keeps
    them alone, so a second import adds nothing; one that was taken back may come again. The rows
    are one batch of this device: a single undo takes all of them back.
    """
    log, now = study.log, study.moment()
    with log.writing():
        own = carded(log, deck)
        past, misdated = _answers(study, ids, history.answers, own, now)
        standing = _standings(ids, history.states, own, {one.card for one in past})
        rows = [(one.draft, one.moment) for one in past] + [(draft, now) for draft in standing]
        if rows:
            log.add(rows)
    named = {_card(ids, state) for state in history.states}
    named |= {_card(ids, answer) for answer in history.answers}
    return _words(
        scheduled=len({draft.card for draft in standing}),
        answers=len(past),
        kept=len(named & own),
        misdated=misdated,
    )


def _card(ids: Mapping[str, str], one: State | Answered) -> str:
    """Return the card that is meant, nothing where its note was not brought in."""
    note = ids.get(one.note)
    return f"{note}{one.part}" if note else ""


def _answers(
    study: Study, ids: Mapping[str, str], answers: Iterable[Answered], own: set[str], now: Moment
) -> tuple[list[_Past], int]:
    """Return the answers to write, the oldest first; and how many have a date that cannot be."""
    found: list[_Past] = []
    misdated = 0
    for one in sorted(answers, key=lambda one: (one.at, one.key)):
        card = _card(ids, one)
        if not card or card in own:
            continue
        then = _moment(study, one.at)
        if then is None or then.day > now.day:
            misdated += 1
            continue
        seconds = min(max(one.seconds, 0.0), LONGEST_ANSWER)
        found.append(_Past(card, then, Draft(card, "review", Grade(one.grade), seconds)))
    return found, misdated


def _moment(study: Study, at: int) -> Moment | None:
    """Return the instant, in milliseconds since 1970, with its study day by the learner's zone.

    A clock that stands says which zone counts; None for an instant that no calendar has.
    """
    frozen = study.world.frozen
    then = instant(at)
    if then is None:
        return None
    try:
        there = then.astimezone(frozen.tzinfo if frozen else None)
        return moment(there, study.world.settings.rollover, None)
    except (OverflowError, ValueError, OSError):
        return None


def _standings(
    ids: Mapping[str, str], states: Iterable[State], own: set[str], answered: set[str]
) -> list[Draft]:
    """Return the rows that have the last word over the answers: they are written after them."""
    drafts = []
    for state in states:
        card = _card(ids, state)
        if not card or card in own:
            continue
        if state.due is not None:
            drafts.append(Draft(card, "set", data=_memory(state)))
        elif card in answered:  # it was made new again elsewhere
            drafts.append(Draft(card, "reset"))
        if state.suspended:
            drafts.append(Draft(card, "suspend"))
    return drafts


def _memory(state: State) -> dict[str, object]:
    return {
        "ease": state.ease,
        "interval": state.interval,
        "repetitions": state.repetitions,
        "lapses": state.lapses,
        "due": str(state.due),
    }


def met(study: Study, deck: str) -> None:
    """Let the catalogue know that the cards of a deck may no longer be new."""
    study.catalogue.saw(study.catalogue.texts(deck))
    study.catalogue.mend_hints()


def _words(*, scheduled: int, answers: int, kept: int, misdated: int) -> str:
    parts = []
    if scheduled or answers:
        what = f"schedule of {cards(scheduled)} and {counted(answers, 'answer(|s)')}"
        parts.append(f"{what} brought in, which `attn-study undo` takes back")
    else:
        parts.append("no schedule brought in")
    if kept:
        parts.append(counted(kept, "card(|s) with a history here (was|were) left alone"))
    if misdated:
        parts.append(counted(misdated, "answer(|s) with a date that cannot be (was|were) left out"))
    return "; ".join(parts)
