"""Decks that say what they were called formerly, and the progress that goes along with them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from attn_study.deck.standing import alike
from attn_study.memory.logged import decks_of
from attn_study.memory.renaming import keep_progress, left_behind
from attn_study.wording import counted

if TYPE_CHECKING:
    from attn_study.memory.catalogue import Catalogue
    from attn_study.memory.day import Moment
    from attn_study.memory.log import Log


def keep_renamed(log: Log, catalogue: Catalogue, moment: Moment) -> list[str]:
    """Let decks with a former name have the progress kept under it; return a notice, if any."""
    pairs = keep_progress(log, _renames(log, catalogue), moment)
    if not pairs:
        return []
    catalogue.saw([new for _, new in pairs])
    catalogue.mend_hints()
    kept = _told(pairs, "card(|s) of {} keep(s|) (its|their) progress under {}")
    return [f"{kept}; `attn-study undo` takes it back"]


def waiting(log: Log, catalogue: Catalogue) -> list[str]:
    """Say of which decks the progress waits under a former name until something is written."""
    pairs = left_behind(log, _renames(log, catalogue))
    if not pairs:
        return []
    kept = _told(pairs, "card(|s) of {} will keep (its|their) progress under {}")
    return [f"{kept}, from the next `attn-study review` on"]


def _renames(log: Log, catalogue: Catalogue) -> list[tuple[str, str]]:
    """The pairs of a name that the log knows and the deck that says it was its own."""
    known = decks_of(log.conn)
    return [
        (former, source.deck)
        for source in catalogue.decks()
        for name in source.formerly
        for former in known
        if alike(former) == alike(name) and former != source.deck
    ]


def _told(pairs: list[tuple[str, str]], words: str) -> str:
    moved = Counter((old.partition("/")[0], new.partition("/")[0]) for old, new in pairs)
    return "; ".join(
        counted(number, words).format(old, new) for (old, new), number in moved.items()
    )
