"""Gathering what `stats` shows: the record, what comes due, and advice on hard cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.cli.showing import Report
from attn_study.memory.insight.coming import coming
from attn_study.memory.insight.record import record
from attn_study.memory.insight.stats import stats
from attn_study.memory.overview import overview
from attn_study.memory.replaying import histories
from attn_study.render.insight.advice import GATHERED, Advice
from attn_study.render.insight.stats import Page, stats_lines
from attn_study.render.insight.stats_plain import plain_stats_lines

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from attn_study.cli.study import Study
    from attn_study.memory.insight.record import Known, Record
    from attn_study.memory.insight.retention import Share
    from attn_study.memory.insight.stats import Bar, Stats


def stats_report(study: Study, decks: list[str]) -> Report:
    """Return the statistics of some decks, of all where none is named.

    Raises UserError for an unknown deck.
    """
    page = page_of(study, decks)
    return Report(
        "stats",
        fields=lambda: fields(page),
        page=lambda columns: stats_lines(page, columns),
        facts=lambda: plain_stats_lines(page),
    )


def page_of(study: Study, decks: list[str]) -> Page:
    """Return the page of some decks, of all where none is named."""
    scope = study.scope(decks)
    day = study.moment().day
    found = stats(read_record(study, decks), day, study.log.rules(), set(study.catalogue.names()))
    limits = study.limits()
    now, _ = overview(study.log, day, limits, (), scope)
    return Page(
        stats=found,
        now=now,
        coming=coming(study.log.conn, day, scope),
        decks=scope.decks,
        reviews_a_day=limits.total.reviews,
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
        "intervals": [_interval(bar) for bar in found.intervals],
        "eases": [_ease(bar) for bar in found.eases],
        "grades": {
            sort: {str(grade): count for grade, count in counts.items()}
            for sort, counts in found.grades.items()
        },
        "hours": list(found.hours),
        "leeches": [_hard(each) for each in page.leeches],
        "hardest": [_hard(each) for each in page.hardest],
        **_left_out(found),
    }


def _left_out(found: Stats) -> dict[str, object]:
    return {
        "n_leeches": len(found.leeches),
        "n_hardest": len(found.hardest),
        "in_no_deck": found.gone,
        "without_ease": found.without_ease,
        "parted_anew": found.parted_anew,
        "dated_later": found.later,
    }


def _share(share: Share) -> dict[str, object]:
    return {"passed": share.passed, "reviews": share.reviews, "retention": share.retention}


def _interval(bar: Bar) -> dict[str, object]:
    return {"from": bar.least, "to": bar.most, "cards": bar.cards}


def _ease(bar: Bar) -> dict[str, object]:
    most = None if bar.most is None else bar.most / 100
    return {"from": bar.least / 100, "to": most, "cards": bar.cards}


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
        "ease": None if known.difficulty else known.ease / 100,
        "difficulty": round(known.difficulty, 3) or None,
        "interval": known.interval,
        "reviews": known.reviews,
        "failed": known.failed,
        "suspended": known.suspended,
        "to_do": [command for _, command in advice.ways],
    }
