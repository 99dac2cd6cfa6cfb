"""Gathering what `stats` shows: the record, what comes due, and advice on hard cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.memory.coming import coming
from attn_study.memory.record import record
from attn_study.memory.replaying import histories
from attn_study.memory.stats import stats
from attn_study.render.advice import GATHERED, Advice
from attn_study.render.stats import NARROWEST, Page

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from attn_study.cli.study import Study
    from attn_study.memory.record import Known, Record
    from attn_study.memory.retention import Share
    from attn_study.memory.stats import Bar, Stats


def show_stats(study: Study, decks: list[str], *, plain: bool, json: bool) -> None:
    """Print the statistics of some decks, of all where none is named.

    Raises UserError for an unknown deck.
    """
    world = study.world
    page = page_of(study, decks)
    if json:
        world.json("stats", **fields(page))
    elif plain or world.columns is None or world.columns < NARROWEST:
        from attn_study.render.stats_plain import plain_stats_lines

        world.show(plain_stats_lines(page))
    else:
        from attn_study.render.stats import stats_lines

        world.page(stats_lines(page, world.columns))


def page_of(study: Study, decks: list[str]) -> Page:
    """Return the page of some decks, of all where none is named."""
    scope = study.scope(decks)
    day = study.moment().day
    found = stats(read_record(study, decks), day, study.log.rules(), set(study.catalogue.names()))
    return Page(
        stats=found,
        coming=coming(study.log.conn, day, scope),
        decks=scope.decks,
        reviews_a_day=study.limits().total.reviews,
        leeches=advice(study, found.leeches[:GATHERED]),
        hardest=advice(study, found.hardest[:GATHERED]),
        ascii=study.world.ascii or not _draws(study),
    )


def _draws(study: Study) -> bool:
    """Return whether the output knows the shades of the calendar."""
    try:
        "·░▒▓█".encode(getattr(study.world.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def read_record(study: Study, decks: list[str]) -> Record:
    """Return the record of some decks, of all where none is named."""
    return record(histories(study.log), study.log.rules(), decks)


def advice(study: Study, cards: Iterable[Known]) -> tuple[Advice, ...]:
    """Return these cards with what their text says can be done."""
    return tuple(_advised(study, known) for known in cards)


def _advised(study: Study, known: Known) -> Advice:
    from attn_study.posed import demo_of

    entry = study.catalogue.entry(known.card)
    if entry is None:
        return Advice(known)
    card = study.text(entry)
    return Advice(known, demo_of(card), len(card.back))


def fields(page: Page) -> dict[str, object]:
    """Return what `--json` says. Shares from 0 to 1, null of nothing; ease as a factor."""
    found = page.stats
    return {
        "study_day": found.today,
        "decks": list(page.decks),
        "reviews": found.reviews,
        "drill": found.drills,
        "seconds": round(found.seconds, 3),
        "cards": found.cards,
        "streak": {
            "current": found.streak.current,
            "longest": found.streak.longest,
            "days_studied": found.streak.studied,
            "first_day": found.streak.first,
        },
        "retention": [
            {
                "stretch": stretch.name,
                "days": stretch.days,
                "young": _share(stretch.young),
                "mature": _share(stretch.mature),
                "both": _share(stretch.both),
            }
            for stretch in found.stretches
        ],
        "days": [
            {
                "day": day,
                "reviews": done.reviews,
                "new": done.new,
                "drill": done.drill,
                "seconds": round(done.seconds, 3),
            }
            for day, done in found.days.items()
        ],
        "coming": _coming(page, found.today),
        "intervals": [_bar(bar, 1) for bar in found.intervals],
        "eases": [_bar(bar, 100) for bar in found.eases],
        "grades": {
            sort: {str(grade): count for grade, count in counts.items()}
            for sort, counts in found.grades.items()
        },
        "hours": list(found.hours),
        "leeches": [_hard(study_advice) for study_advice in page.leeches],
        "hardest": [_hard(study_advice) for study_advice in page.hardest],
        **_left_out(found),
    }


def _left_out(found: Stats) -> dict[str, object]:
    return {
        "n_leeches": len(found.leeches),
        "in_no_deck": found.gone,
        "without_ease": found.without_ease,
        "dated_later": found.later,
    }


def _share(share: Share) -> dict[str, object]:
    return {"passed": share.passed, "reviews": share.reviews, "retention": share.retention}


def _bar(bar: Bar, unit: int) -> dict[str, object]:
    most = None if bar.most is None else bar.most
    if unit == 1:
        return {"from": bar.least, "to": most, "cards": bar.cards}
    return {
        "from": bar.least / unit,
        "to": None if most is None else most / unit,
        "cards": bar.cards,
    }


def _coming(page: Page, today: date) -> list[dict[str, object]]:
    from datetime import timedelta

    return [
        {"day": today + timedelta(days=at), "due": count} for at, count in enumerate(page.coming)
    ]


def _hard(advice: Advice) -> dict[str, object]:
    known = advice.known
    return {
        "id": known.card,
        "lapses": known.lapses,
        "ease": known.ease / 100,
        "interval": known.interval,
        "reviews": known.reviews,
        "failed": known.failed,
        "suspended": known.suspended,
        "to_do": [command for _, command in advice.ways],
    }
