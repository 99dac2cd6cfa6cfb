"""`log export`: every row there is, into a file or onto standard output."""

from __future__ import annotations

from os import urandom
from typing import TYPE_CHECKING, NamedTuple

from attn_study.cli.logs.anonymous import KEPT, Mask
from attn_study.cli.logs.texts import write_csv, write_jsonl
from attn_study.cli.outputs import check_foreign
from attn_study.cli.streams import writing
from attn_study.errors import UserError, near
from attn_study.memory.exchange.foreign import COLUMNS
from attn_study.memory.exchange.outgoing import outgoing
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import IO

    from attn_study.cli.study import Study

FORMATS = {"jsonl": (".jsonl", ".ndjson"), "csv": (".csv",), "parquet": (".parquet",)}


class _Table(NamedTuple):
    """What is written: the rows as they come, and the columns they have."""

    rows: Iterable[Mapping[str, object]]
    columns: Sequence[str]


def export_log(study: Study, output: Path | None, to: str, *, anonymous: bool) -> None:
    """Write the log into `output`, or onto standard output; the file is whole or not there."""
    name = _format(output, to)
    table = _anonymous(study) if anonymous else _Table(outgoing(study.log), COLUMNS)
    if output is None:
        with writing():
            study.world.stdout.flush()
            _write(name, table, study.world.stdout.buffer)
            study.world.stdout.buffer.flush()
        return
    check_foreign(output, study.world.home)
    from attn_study.files import replacing

    with replacing(output) as file:
        count = _write(name, table, file)
    study.world.say(f"wrote {output}: {counted(count, 'row(|s)')}")


def _anonymous(study: Study) -> _Table:
    mask = Mask(urandom(32))
    return _Table(map(mask.row, outgoing(study.log)), KEPT)


def _format(output: Path | None, to: str) -> str:
    """Return the format that is asked for, by its name or by the suffix of the file."""
    if to and to not in FORMATS:
        hint = near(to, FORMATS) or "one of: " + ", ".join(FORMATS)
        raise UserError(f"a log cannot be written as {to!r}", hint=hint)
    if output is None:
        if to == "parquet":
            raise UserError("Parquet goes into a file", hint="name one with -o FILE")
        return to or "jsonl"
    by_suffix = (name for name, ends in FORMATS.items() if output.suffix.lower() in ends)
    found = to or next(by_suffix, "")
    if not found:
        suffixes = ", ".join(ends[0] for ends in FORMATS.values())
        what = f"the suffix {output.suffix!r} names no format"
        raise UserError(what, where=str(output), hint=f"one of {suffixes}, or say --to FORMAT")
    return found


def _write(name: str, table: _Table, file: IO[bytes]) -> int:
    """Write the table in a format; return the number of its rows."""
    if name == "parquet":
        from attn_study.cli.logs.parquet import write

        return write(*table, file)
    return {"jsonl": write_jsonl, "csv": write_csv}[name](*table, file)
