"""Rows of the log without a word of who, what or at which hour."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from hashlib import blake2b
from typing import TYPE_CHECKING

from attn_study.cli.ruling import CAP
from attn_study.memory.exchange.foreign import COLUMNS
from attn_study.memory.rules import CHOICES

if TYPE_CHECKING:
    from collections.abc import Mapping

    Row = Mapping[str, object]

KEPT = tuple(name for name in COLUMNS if name not in ("at", "offset"))  # study days only
NUMBERS = ("ease", "interval", "repetitions", "lapses", "stability", "difficulty")
RULES = (CAP, *sorted(CHOICES.keys() - {"scheduler"}))


@dataclass(frozen=True, slots=True)
class Mask:
    """Gives each name another, the same within one export.

    Without `key`, random bytes that are drawn for one export and forgotten after it, nobody can
    say which name belongs to which, nor that two exports are of one learner.
    """

    key: bytes

    def row(self, row: Row) -> dict[str, object]:
        """Return the row in the columns `KEPT`; the time to answer in whole seconds."""
        seconds = row["seconds"]
        return {
            "uid": self._name("uid", row["uid"], 16),
            "device": self._name("device", row["device"]),
            "tick": row["tick"],
            "batch": self._name("batch", row["batch"]),
            "card": self._card(row["card"]),
            "kind": row["kind"],
            "grade": row["grade"],
            "day": row["day"],
            "seconds": float(round(seconds)) if isinstance(seconds, int | float) else None,
            "data": self._data(row["kind"], row["data"]),
        }

    def _name(self, sort: str, name: object, size: int = 8) -> str:
        text = f"{sort} {name}".encode(errors="surrogatepass")
        return blake2b(text, key=self.key, digest_size=size).hexdigest()

    def _card(self, card: object) -> str:
        """Return another id for a card, and another name for its deck."""
        if not card:
            return ""  # a rule is about no card
        deck = str(card).partition("/")[0]
        return f"{self._name('deck', deck)}/{self._name('card', card)}"

    def _data(self, kind: object, data: object) -> dict[str, object]:
        """Return what of a row's data names nothing: numbers, days, and rows by their new names."""
        if not isinstance(data, dict):
            return {}
        match kind:
            case "undo":
                return {"undone": self._name("uid", data.get("undone"), 16)}
            case "adopt":
                return {"former": self._card(data.get("former"))}
            case "set":
                due = {"due": data["due"]} if _is_day(data.get("due")) else {}
                return _numbers(data, NUMBERS) | due
            case "rule":
                return _numbers(data, RULES) | self._choice(data)
            case _:
                return {}

    def _choice(self, data: Row) -> dict[str, object]:
        """Return which scheduler a rule chose, and for which deck."""
        deck, scheduler = data.get("deck"), data.get("scheduler")
        named: dict[str, object] = {"deck": self._name("deck", deck)} if deck else {}
        return named | ({"scheduler": scheduler} if CHOICES["scheduler"](scheduler) else {})


def _numbers(data: Row, keys: tuple[str, ...]) -> dict[str, object]:
    return {key: data[key] for key in keys if isinstance(data.get(key), int | float)}


def _is_day(text: object) -> bool:
    try:
        return date.fromisoformat(str(text)).isoformat() == text
    except ValueError:
        return False
