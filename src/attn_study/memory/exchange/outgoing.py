"""The log on its way out, a row at a time, so that its length costs no memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.memory.exchange.foreign import COLUMNS
from attn_study.memory.rows import READ_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attn_study.memory.log import Log


EVERY = 2**63 - 1  # the largest `id` there can be


def newest(log: Log) -> int:
    """Return the `id` of the row that came last, 0 where there is none."""
    found: int = log.conn.execute("SELECT ifnull(max(id), 0) FROM log").fetchone()[0]
    return found


def outgoing(
    log: Log, after: int = 0, until: int = EVERY, but: str = ""
) -> Iterator[dict[str, object]]:
    """Yield every row as `Log.columns` gives it, without the local `id`, in order of arrival.

    Those are meant whose `id` lies behind `after` and not behind `until`, and whose uid does not
    stand in the table `but`. Raises UserError for a row whose data was damaged.
    """
    others = f"AND NOT EXISTS (SELECT 1 FROM {but} WHERE {but}.uid = log.uid)" if but else ""
    query = f"SELECT {READ_COLUMNS} FROM log WHERE id > ? AND id <= ? {others} ORDER BY id"
    for values in log.conn.execute(query, [after, until]):
        row = dict(zip(COLUMNS, values, strict=True))
        yield row | {"data": data_of(log, row)}


def data_of(log: Log, row: Mapping[str, object]) -> object:
    """Return what a row's data says. Raises UserError where it was damaged: nobody takes it in."""
    if row["data"] == "{}":
        return {}
    try:
        found = json.loads(str(row["data"]))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        what = f"the data of the row {row['uid']} cannot be read"
        hint = "`attn-study doctor` says what else is damaged"
        raise UserError(what, where=str(log.path), hint=hint)
    return found
