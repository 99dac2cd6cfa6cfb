"""A deck as Markdown: cards that other programs read, comments above them for the rest."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from attn_study.deck.formats.exchange import Exported
from attn_study.deck.formats.losses import heading_of
from attn_study.deck.formats.markdown.cards import PLAIN, block_of, drawn, seen
from attn_study.deck.formats.markdown.text import shown, told
from attn_study.deck.spelling import spelled
from attn_study.wording import all_counted, counted

if TYPE_CHECKING:
    from attn_study.deck.card import Card, Deck
    from attn_study.deck.formats.exchange import WriteOptions

UNSEEN_KEYS = ("figure", "note", "tags", "after", "demo")
# "-->" would end a comment, and some viewers look for tags in it
UNSEEN = (("<", r"\u003c"), (">", r"\u003e"), ("--", r"-\u002d"))


def write(deck: Deck, options: WriteOptions) -> Exported:
    """Return the deck as Markdown; our own reading gives the same notes back."""
    lines = ["---", f"name = {json.dumps(deck.name, ensure_ascii=False)}", "---", ""]
    said = ("title",) if heading_says(deck.title) else ()
    head = {key: value for key, value in heading_of(deck).items() if value and key not in said}
    lines += [comment(head), ""]
    lines += [f"# {heading(deck.title)}", ""]
    is_first = True
    for title, notes in groupby(deck.notes, key=lambda note: note.section):
        if title or not is_first:
            lines += _section(title)
        for note in notes:
            lines += [*_card(note), ""]
        is_first = False
    text = "\n".join(lines).rstrip("\n") + "\n"
    return Exported(text.encode(), _losses(deck, options))


def heading(title: str) -> str:
    """Return a title as it stands in a heading."""
    return shown(" ".join(title.split()))


def heading_says(title: str) -> bool:
    """Return whether a heading alone gives the title back."""
    return told([(False, heading(title))]) == title


def comment(fields: dict[str, Any]) -> str:
    """Return fields as a comment line of ours."""
    text = json.dumps(fields, ensure_ascii=False)
    for sign, written in UNSEEN:
        text = text.replace(sign, written)
    return f"<!-- attn-study {text} -->"


def _section(title: str) -> list[str]:
    above = [] if heading_says(title) else [comment({"section": title})]
    return [*above, f"## {heading(title)}".rstrip(), ""]


def _card(note: Card) -> list[str]:
    """The lines of one note, below a comment if they do not say all."""
    fields = spelled(note)
    block = block_of(fields)
    known = seen(block)[0] if block is not None and note.kind in PLAIN else {}
    extra = {key: value for key, value in fields.items() if known.get(key) != value}
    return [*([comment(extra)] if extra else []), *drawn(fields)]


def _losses(deck: Deck, options: WriteOptions) -> tuple[str, ...]:
    """What nobody gets, and what nobody but us sees."""
    kinds = Counter(note.kind for note in deck.notes if note.kind not in ("basic", "cloze"))
    keys = Counter(key for note in deck.notes for key in spelled(note) if key in UNSEEN_KEYS)
    holes = sum(map(_is_renumbered, deck.notes))
    return (
        *all_counted({"row(|s) of history, which .json carries": len(options.rows)}),
        *(
            counted(count, f"{kind} card(|s), (a |)plain question(|s) to other programs")
            for kind, count in kinds.items()
        ),
        *(
            counted(count, f"card(|s) with `{key}`, which other programs do not see")
            for key, count in keys.items()
        ),
        *all_counted({"cloze text(|s) with holes that other programs see otherwise": holes}),
    )


def _is_renumbered(note: Card) -> bool:
    """Whether brackets alone say something else than the holes of the note."""
    block = block_of(spelled(note)) if note.kind == "cloze" else None
    return block is not None and seen(block)[0].get("cloze") != note.cloze
