"""A note as the keys of a deck file, and their values: the way back from `note`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.deck.note import INFERRED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attn_study.deck.card import Card, Option

    # What stands behind a key: a text, a list, or keys with values again
    Value = str | Sequence["Value"] | Mapping[str, "Value"]

ORDER = (
    "id", "kind", "front", "cloze", "question", "answer", "choices", "accept", "tolerance", "back",
    "figure", "note", "tags", "after", "demo", "with",
)  # fmt: skip


def spelled(note: Card) -> dict[str, Value]:
    """Return the keys of a note in their usual order; `read_note` reads the same note from them."""
    keys: dict[str, Value] = {
        "id": note.name if note.written_id else "",
        "kind": note.kind,
        "front": note.front,
        "cloze": note.cloze,
        "question": note.question,
        "answer": note.answer,
        "choices": [_option(option) for option in note.options],
        "accept": note.accept,
        "tolerance": "" if note.tolerance is None else plain(note.tolerance),
        "back": note.back,
        "figure": _figure(note),
        "note": note.note,
        "tags": note.tags,
        "after": [one.removeprefix(f"{note.deck}/") for one in note.after],
        "demo": note.demo,
        "with": dict(note.knobs),
    }
    return in_order(keys)


def in_order(keys: Mapping[str, Value]) -> dict[str, Value]:
    """Return the keys of a note that say something, in their usual order.

    The kind is left out where the other keys make it plain.
    """
    found = {key: keys[key] for key in ORDER if keys.get(key)}
    named = next((kind for key, kind in INFERRED.items() if key in found), "basic")
    return {key: value for key, value in found.items() if key != "kind" or value != named}


def plain(value: float) -> str:
    """Return a number in digits alone, as short as it reads back the same."""
    from decimal import Decimal

    return f"{Decimal(repr(value)):f}".removesuffix(".0")


def _option(option: Option) -> Value:
    return {"text": option.text, "why": option.why} if option.why else option.text


def _figure(note: Card) -> Value:
    if note.figure is None:
        return ""
    weights = [plain(weight) for weight in note.figure.weights]
    return {"tokens": note.figure.tokens, "weights": weights, "from": note.figure.asks}
