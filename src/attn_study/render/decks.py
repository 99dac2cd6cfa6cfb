"""The decks there are, one a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from attn_study.render.text import cells, pad, safe
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence


def deck_rows(decks: Sequence[dict[str, Any]]) -> list[Text]:
    """Return for each deck its name, size, what is due and new, and where its file is."""
    names = [safe(str(deck["deck"] or "?")) for deck in decks]
    width = max(map(cells, names), default=0)
    return [_row(deck, pad(name, width)) for deck, name in zip(decks, names, strict=True)]


def _row(deck: dict[str, Any], name: str) -> Text:
    word = "card " if deck["cards"] == 1 else "cards"
    numbers = f"{deck['cards']:>6} {word}  {deck['due']:>5} due  {deck['new']:>5} new"
    remarks = [deck["origin"]]
    if deck["deck"] and not deck["active"]:
        remarks.append("replaced by another of its name, or put away")
    if deck["mistakes"]:
        mistakes = counted(deck["mistakes"], "mistake(|s)")
        remarks.append(f"{mistakes}, see `attn-study deck check`")
    return Text.assemble(
        (name, "bold" if deck["active"] else "dim"),
        f"{numbers}  {', '.join(remarks)}  ",
        (safe(deck["path"]), "dim"),
    )
