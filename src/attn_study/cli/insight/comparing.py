"""What `stats --compare` prints: two schedulers on the learner's own log."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.extras import install
from attn_study.memory.replaying import histories
from attn_study.memory.rules import fsrs_is_installed

if TYPE_CHECKING:
    from attn_study.cli.study import Study
    from attn_study.memory.insight.comparing import Comparison

WIDE = 80  # columns where no terminal says how many


def show_comparison(study: Study, decks: list[str], *, json: bool) -> None:
    """Compare the schedulers on some decks, on all where none is named.

    Raises UserError for an unknown deck, and where FSRS is not installed.
    """
    if not fsrs_is_installed():
        raise UserError("comparing needs FSRS, which is not installed", hint=install("fsrs"))
    from attn_study.memory.insight.comparing import compared
    from attn_study.render.insight.compared import comparison_lines

    world = study.world
    scope = study.scope(decks)
    today = study.moment().day
    end = study.log.newest_day(today) or today  # who has stopped since is asked nothing
    found = compared(histories(study.log), study.log.rules(), end, scope.decks)
    if json:
        world.json("stats-compare", study_day=today, decks=list(scope.decks), **_fields(found))
    else:
        world.page(comparison_lines(found, world.columns or WIDE))


def _fields(found: Comparison) -> dict[str, object]:
    """Return what `--json` says: reviews a day, shares from 0 to 1, null of nothing."""
    return {
        "reviews": found.reviews,
        "days": found.days,
        "reviews_a_day": found.a_day,
        "would_have_asked_a_day": dict(found.cost),
        "foretold": found.foretold,
        "average": found.average if found.foretold else None,
        "fsrs": asdict(found.fsrs) if found.fsrs else None,
        "constant": asdict(found.constant) if found.constant else None,
    }
