"""Decks that say what they were called formerly, and the progress that goes along with them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from attn_study.deck.standing import alike
from attn_study.memory.logged import decks_of
from attn_study.memory.renaming import keep_progress
from attn_study.wording import cards

if TYPE_CHECKING:
    from attn_study.memory.catalogue import Catalogue
    from attn_study.memory.day import Moment
    from attn_study.memory.log import Log


def keep_renamed(log: Log, catalogue: Catalogue, moment: Moment) -> list[str]:
    """Let decks with a former name have the progress kept under it; return a notice, if any."""
    known = decks_of(log.conn)
    renames = [
        (former, source.deck)
        for source in catalogue.decks()
        for name in source.formerly
        for former in known
        if alike(former) == alike(name) and former != source.deck
    ]
    pairs = keep_progress(log, renames, moment)
    if not pairs:
        return []
    catalogue.saw([new for _, new in pairs])
    catalogue.mend_hints()
    moved = Counter((old.partition("/")[0], new.partition("/")[0]) for old, new in pairs)
    kept = [
        f"{cards(number)} of {old} {'keeps its' if number == 1 else 'keep their'} progress "
        f"under {new}"
        for (old, new), number in moved.items()
    ]
    return [f"{'; '.join(kept)}; `attn-study undo` takes it back"]
