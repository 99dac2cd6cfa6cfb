"""Rows on their way from log to log: those of one deck taken out, and rows taken in once."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from attn_study.errors import UserError
from attn_study.memory.exchange.foreign import COLUMNS, events
from attn_study.memory.exchange.incoming import waiting
from attn_study.memory.exchange.outgoing import data_of
from attn_study.memory.fold import canonical
from attn_study.memory.log import NOT_UNDONE
from attn_study.memory.rows import READ_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from attn_study.memory.exchange.incoming import Refused
    from attn_study.memory.log import Log


class Merged(NamedTuple):
    """What came of a merge: the number of rows that were new, and of those already here."""

    added: int
    known: int


def merge(log: Log, rows: Iterable[Mapping[str, object]]) -> Merged:
    """Take in the rows, given as `Log.columns` gives them, that are not in the log yet.

    All of them last, or nothing: raises UserError for a row that cannot be one, and for one whose
    uid stands here with other words, since no row is ever changed.
    """

    def check(refused: Sequence[Refused]) -> None:
        for row in refused:
            hint = "nothing was taken in; one of the two logs was changed by hand"
            here = " than what is here already" if row.contradicts else ""
            what = f"row {row.line} of the log: {row.why}{here}"
            raise UserError(what, where=str(log.path), hint=hint)

    with waiting(log) as incoming:
        for number, event in enumerate(events(rows), start=1):
            incoming.put("", number, event)
        incoming.take_in(check)
        added = sum(incoming.taken("source").values())
        return Merged(added, incoming.count - added)


def of_deck(
    log: Log, deck: str, rows: Sequence[Mapping[str, object]]
) -> list[Mapping[str, object]]:
    """Return those rows that speak of one deck: a file that was handed on may touch no other.

    Rows of former ids count where the rows themselves say what became of them, unless this log
    knows more of such a card than they do. Rules hold for every deck, so only a log without a row
    takes them.
    """
    uids = {row.get("uid") for row in rows}
    cards = {card for row in rows if str(card := row.get("card")).startswith(f"{deck}/")}
    waiting = list(cards)
    former = defaultdict(list)
    for row in rows:
        if row.get("kind") == "adopt" and isinstance(data := row.get("data"), dict):
            former[row.get("card")].append(data.get("former"))
    while waiting:
        for card in former[waiting.pop()]:
            if card not in cards and _all_among(log, card, uids):
                cards.add(card)
                waiting.append(card)
    if log.newest_day() is None:
        cards.add("")
    kept = [row for row in rows if row.get("card") in cards and not _takes_away(row, cards)]
    known = {row.get("uid") for row in kept}
    return [row for row in kept if row.get("kind") != "undo" or _undone(row) in known]


def _all_among(log: Log, card: object, uids: Collection[object]) -> bool:
    """Whether the log has no row of a card but those."""
    rows = log.conn.execute("SELECT uid FROM log WHERE card = ?", [str(card)])
    return all(uid in uids for (uid,) in rows)


def _takes_away(row: Mapping[str, object], cards: Collection[object]) -> bool:
    """Whether a row gives a card what belongs to another deck."""
    data = row.get("data")
    is_adopt = row.get("kind") == "adopt" and isinstance(data, dict)
    return is_adopt and isinstance(data, dict) and data.get("former") not in cards


def _undone(row: Mapping[str, object]) -> object:
    data = row.get("data")
    return data.get("undone") if isinstance(data, dict) else None


def rows_of(log: Log, deck: str) -> list[dict[str, object]]:
    """Return the rows that count for the cards of a deck, gone ones included, and every rule.

    They come in replay order, as `Log.columns` gives them but without the local `id`. Raises
    UserError for a row whose data was damaged.
    """
    alias = log.aliases()
    home = f"{deck}/"
    found = log.conn.execute(
        f"SELECT {READ_COLUMNS} FROM log WHERE card = '' OR (card >= ? AND card < ?)",
        [home, f"{deck}0"],  # 0 follows /
    ).fetchall()
    rows = [row for row in found if row[4] == "" or canonical(row[4], alias).startswith(home)]
    for former in alias:
        if canonical(former, alias).startswith(home) and not former.startswith(home):
            query = f"SELECT {READ_COLUMNS} FROM log WHERE card = ?"
            rows += log.conn.execute(query, [former])
    named = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    named.sort(key=lambda row: (row["day"], row["tick"], row["uid"]))
    return [row | {"data": data_of(log, row)} for row in named]


def carded(log: Log, deck: str) -> set[str]:
    """Return the cards of a deck of which a row happened, be it one that counts elsewhere now."""
    rows = log.conn.execute(
        "SELECT DISTINCT card FROM log AS row WHERE card >= ? AND card < ? AND kind != 'undo' "
        f"AND {NOT_UNDONE}",
        [f"{deck}/", f"{deck}0"],
    )
    return {row[0] for row in rows}
