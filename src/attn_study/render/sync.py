"""What a sync did: rows and cards, the devices seen, what was odd, which decks went along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.text import safe, wrap
from attn_study.wording import cards, counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attn_study.deck.travelling import Carried
    from attn_study.memory.sync.exchange import Synced

ROWS = "row(|s)"
MENDED = "Damaged lines of this device's file were written again."
MENDING = (
    "A damaged line is written again when its own device syncs next; "
    "a copy that a file sync put aside has been read and may be deleted."
)


def sync_lines(
    folder: str, synced: Synced, carried: Carried | None, columns: int | None
) -> list[Text]:
    """Return the lines of `attn-study sync`, as wide as the terminal, or unbroken for a pipe."""
    lines = [(_done(synced), "bold", ""), (safe(folder), "", "  ")]
    lines += [(line, "", "    ") for line in _files(synced)]
    lines += [(line, "", "  ") for line in _carried(carried)] if carried else []
    lines += list(_odd(synced, carried))
    return [
        Text(f"{indent}{part}", style)
        for words, style, indent in lines
        for part in (wrap(words, columns - len(indent)) if columns else [words])
    ]


def _done(synced: Synced) -> str:
    sent = f"sent {counted(synced.sent, ROWS)}"
    about = f" about {cards(len(synced.cards))}" if synced.cards else ""
    received = f"Received {counted(synced.received, ROWS)}{about}"
    if synced.received:
        return f"{received}; {sent if synced.sent else 'nothing to send'}."
    if synced.sent:
        return f"{sent.capitalize()}; nothing new came."
    return "Nothing new on either side."


def _files(synced: Synced) -> Iterator[str]:
    """Yield each file with its rows: this device first."""
    files = sorted(synced.files, key=lambda seen: (seen.file != synced.own, seen.file))
    longest = max((len(f"{seen.rows:,}") for seen in files), default=0)
    for seen in files:
        rows = f"{seen.rows:>{longest},} {'row ' if seen.rows == 1 else 'rows'}"
        new = f", {seen.received:,} new" if seen.received else ""
        who = ", this device" if seen.file == synced.own else ""
        yield f"{rows}  {safe(seen.device)}{new}{who}"


def _carried(carried: Carried) -> Iterator[str]:
    for words, names in (
        ("decks sent", carried.sent),
        ("decks received", carried.received),
        ("removed on one side, left on the other", carried.gone),
    ):
        if names:
            yield f"{words}: {', '.join(map(safe, names))}"
    for name, beside in carried.both:
        both = f"{safe(name)} was changed here and elsewhere"
        yield f"{both}: yours stays, the other text is in {safe(beside)}"
    for name, beside in carried.aside:
        aside = f"{safe(name)} was changed here and elsewhere"
        yield f"{aside}: the other text holds, yours is in {safe(beside)}"
    done = (carried.sent, carried.received, carried.gone, carried.both, carried.aside, carried.odd)
    if not any(done):
        yield "decks: nothing new"


def _odd(synced: Synced, carried: Carried | None) -> Iterator[tuple[str, str, str]]:
    for words in carried.odd if carried else ():
        yield safe(words), "", "  "
    if not synced.odd:
        return
    number = len(synced.odd) + synced.untold
    yield f"{counted(number, 'thing(|s) (is|are) odd')}; all else was done:", "bold", ""
    for file, line, what in synced.odd:
        yield safe(f"{file}:{line}: {what}" if line else f"{file}: {what}"), "", "  "
    if synced.untold:
        yield f"and {synced.untold:,} more", "", "  "
    damaged = {odd.file == synced.own for odd in synced.odd if "damaged" in odd.what}
    if True in damaged:
        yield MENDED, "", "  "
    if False in damaged:
        yield MENDING, "", "  "
