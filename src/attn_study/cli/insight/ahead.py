"""Gathering what `stats --ahead` shows: cards, limits and habits, simulated for a few limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.cli.insight.gathering import read_record
from attn_study.cli.showing import Report
from attn_study.memory.insight.forecast import Cards, Question, workload
from attn_study.memory.insight.habits import DAYS, PRIOR, SECONDS, WEIGHT, Grades, habits
from attn_study.memory.limits import done_on
from attn_study.memory.scope import IN_SCOPE
from attn_study.render.insight.ahead import Ahead, ahead_lines, plain_ahead_lines
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Collection, Sequence
    from datetime import date

    from attn_study.cli.study import Study
    from attn_study.memory.insight.forecast import Workload
    from attn_study.memory.insight.record import Known, Record
    from attn_study.memory.scope import Scope

INSTEAD_OF_NONE = (0, 5, 10)  # new cards a day, where the limit is none


def ahead_report(
    study: Study, decks: list[str], days: int, new: int | None, seed: int | None
) -> Report:
    """Return the workload of the coming `days` for several limits on new cards.

    Raises UserError for an unknown deck.
    """
    ahead = simulated(study, decks, days, new, seed)
    return Report(
        "stats-ahead",
        fields=lambda: fields(ahead),
        page=lambda columns: ahead_lines(ahead, columns),
        facts=lambda: plain_ahead_lines(ahead),
    )


def simulated(
    study: Study, decks: list[str], days: int, new: int | None, seed: int | None
) -> Ahead:
    """Return the workload for the limit `new`, the present one, and some beside it."""
    scope = study.scope(decks)
    today = study.moment().day
    found = read_record(study, decks)
    limits = study.limits()
    present = limits.total.new
    chosen = present if new is None else new
    seed = today.toordinal() if seed is None else seed
    query = f"SELECT c.card FROM cache.card c WHERE {IN_SCOPE}"
    held = {row[0] for row in study.log.conn.execute(query, scope.values)}
    known = [card for card in found.cards if card.card in held and not card.suspended]
    own = habits(found, today)
    done = done_on(study.log.conn, today)
    question = Question(
        known=Cards.of([_row(card, today) for card in known]),
        n_new=_new_cards(study, held, found),
        reviews_a_day=limits.total.reviews,
        days=days,
        cap=study.log.rules().cap,
        seed=seed,
        done=(_within(scope, done.reviews), _within(scope, done.new)),
        used=(done.reviews.total(), done.new.total()),
    )
    tried = compared(chosen, present) if question.n_new else [chosen]
    return Ahead(
        today=today,
        days=days,
        seed=seed,
        decks=scope.decks,
        known=len(known),
        new=question.n_new,
        reviews_a_day=limits.total.reviews,
        chosen=chosen,
        present=present,
        habits=own,
        workloads=[workload(question, own, limit) for limit in tried],
        notes=_notes(study, known),
    )


def compared(chosen: int, present: int) -> list[int]:
    """Return the limits to set side by side: the chosen one, its half and double, the present."""
    beside = INSTEAD_OF_NONE if chosen == 0 else (chosen // 2, chosen * 2)
    return sorted({chosen, present, *beside})


def _row(card: Known, today: date) -> tuple[int, int, int, int]:
    return card.ease, card.repetitions, card.interval, (card.due - today).days


def _within(scope: Scope, done: Counter[str]) -> int:
    """Return how many of the cards counted by deck are of the decks asked about."""
    return sum(done[deck] for deck in scope.decks) if scope.decks else done.total()


def _new_cards(study: Study, held: Collection[str], found: Record) -> int:
    """Count the cards of the decks that were never learned and are not put away."""
    learned = {card.card for card in found.cards}
    query = "SELECT card FROM card_state WHERE suspended = 1"
    away = {row[0] for row in study.log.conn.execute(query)}
    return sum(card not in learned and card not in away for card in held)


def _notes(study: Study, known: Sequence[Known]) -> list[str]:
    """Return what the simulation leaves out."""
    rules = study.log.rules()
    others = sum(not rules.is_sm2(card.card) for card in known)
    prior = Grades(PRIOR, 0).passing * 100
    leaning = f"{prior:.0f} % and {SECONDS:.0f} seconds, which weigh as much as {WEIGHT} answers"
    said = [
        f"passing and seconds are those of the last {DAYS} days, leaning on {leaning}",
        "every day is studied; suspended cards rest; cards of one note may meet on a day",
    ]
    if others:
        said.append(f"{counted(others, 'card(|s)')} of FSRS simulated as SM-2 would ask them")
    if study.world.settings.deck:
        said.append("limits of single decks are left out")
    return said


def fields(ahead: Ahead) -> dict[str, object]:
    """Return what `--json` says. Shares from 0 to 1."""
    own = ahead.habits
    sorts = {"new": own.new, "young": own.young, "mature": own.mature}
    return {
        "study_day": ahead.today,
        "days": ahead.days,
        "seed": ahead.seed,
        "decks": list(ahead.decks),
        "known": ahead.known,
        "new": ahead.new,
        "reviews_a_day": ahead.reviews_a_day,
        "present_limit": ahead.present,
        "passing": {
            name: {"share": round(grades.passing, 6), "answers": grades.answers}
            for name, grades in sorts.items()
        },
        "limits": [_load(ahead, load) for load in ahead.workloads],
        "notes": list(ahead.notes),
    }


def _load(ahead: Ahead, load: Workload) -> dict[str, object]:
    return {
        "new_a_day": load.limit,
        "reviews": list(load.reviews),
        "new": list(load.new),
        "waiting": list(load.waiting),
        "seconds": [round(seconds, 3) for seconds in load.seconds],
        "last_new_day": None if load.last_new is None else ahead.on(load.last_new),
    }
