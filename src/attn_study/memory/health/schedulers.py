"""Who schedules the decks: what a rule asks for has to be installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.memory.health.finding import Finding, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attn_study.memory.log import Log


def installed(log: Log) -> Iterator[Finding]:
    """Yield the decks that are to be scheduled by FSRS where its package is missing."""
    rules = log.rules()
    if rules.installed or not rules.wants_fsrs:
        return
    decks = [deck for deck in rules.decks if rules.choice(deck).scheduler == "fsrs"]
    yield Finding(
        "scheduler",
        "FSRS is to set the dates, and its package is not installed: SM-2 sets them meanwhile",
        listed((deck or "every deck" for deck in decks), len(decks)),
        "pip install 'attn-study[fsrs]', or `attn-study config scheduler sm2`",
    )
