"""Who schedules the decks: what a rule asks for has to be installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.extras import install
from attn_study.memory.health.finding import Finding, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attn_study.memory.log import Log


def installed(log: Log) -> Iterator[Finding]:
    """Yield the decks that are to be scheduled by FSRS where its package is missing."""
    rules = log.rules()
    decks = rules.fsrs_decks
    if rules.installed or not decks:
        return
    back = " and ".join(f"`attn-study config scheduler{_behind(deck)} sm2`" for deck in decks)
    yield Finding(
        "scheduler",
        "FSRS is to set the dates, and its package is not installed: SM-2 sets them meanwhile",
        listed((deck or "every deck" for deck in decks), len(decks)),
        f"{install('fsrs')}, or {back}",
    )


def _behind(deck: str) -> str:
    return f".{deck}" if deck else ""
