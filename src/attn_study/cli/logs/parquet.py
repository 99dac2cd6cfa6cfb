"""The log as Parquet: typed columns, for programs that read many logs at once."""

from __future__ import annotations

import json
from datetime import date, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from attn_study.errors import UserError
from attn_study.extras import install

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import IO

GROUP = 50_000  # rows that are held at a time


def write(rows: Iterable[Mapping[str, object]], columns: Sequence[str], file: IO[bytes]) -> int:
    """Write the rows; return their number.

    `day` is a date, `at` an instant in UTC to the millisecond, `data` the text of JSON. Raises
    UserError where pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as reason:
        what = "writing Parquet needs `pyarrow`"
        hint = f"{install('parquet')}, or write .jsonl or .csv"
        raise UserError(what, hint=hint) from reason
    types = {
        "tick": pa.int64(),
        "grade": pa.int8(),
        "day": pa.date32(),
        "at": pa.timestamp("ms", tz="UTC"),
        "offset": pa.int16(),
        "seconds": pa.float64(),
    }
    schema = pa.schema([(name, types.get(name, pa.string())) for name in columns])
    left, count = iter(rows), 0
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while group := list(islice(left, GROUP)):
            values = {name: [_value(name, row[name]) for row in group] for name in columns}
            writer.write_table(pa.table(values, schema=schema))
            count += len(group)
    return count


def _value(name: str, value: Any) -> Any:
    match name:
        case "day":
            return date.fromisoformat(value)
        case "at":
            return _instant(value)
        case "data":
            return json.dumps(value, ensure_ascii=False)
    return value


def _instant(text: str) -> datetime | None:
    """Return an instant; nothing for a text that is none, which an older log may hold."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
