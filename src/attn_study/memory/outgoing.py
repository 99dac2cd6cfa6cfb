"""The log on its way out, a row at a time, so that its length costs no memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.memory.foreign import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attn_study.memory.log import Log


EVERY = 2**63 - 1  # the largest `id` there can be


def outgoing(log: Log, after: int = 0, until: int = EVERY) -> Iterator[dict[str, object]]:
    """Yield every row as `Log.columns` gives it, without the local `id`, in order of arrival.

    Those are meant whose `id` lies behind `after` and not behind `until`. Raises UserError for a
    row whose data was damaged.
    """
    query = f"SELECT {', '.join(COLUMNS)} FROM log WHERE id > ? AND id <= ? ORDER BY id"
    for values in log.conn.execute(query, [after, until]):
        row = dict(zip(COLUMNS, values, strict=True))
        yield row | {"data": {} if row["data"] == "{}" else _said(log, row)}


def _said(log: Log, row: dict[str, object]) -> object:
    try:
        return json.loads(str(row["data"]))
    except ValueError as error:
        what = f"the data of the row {row['uid']} cannot be read"
        hint = "`attn-study doctor` says what else is damaged"
        raise UserError(what, where=str(log.path), hint=hint) from error
