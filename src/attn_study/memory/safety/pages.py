"""The pages of an SQLite file, read one by one: what a damaged tree still holds in its leaves.

After https://sqlite.org/fileformat2.html, as far as rows of a table go. Nothing is believed: a page
that is no leaf, a cell that points outside its page and a chain that ends too soon give no row.
"""

from __future__ import annotations

import struct
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Value = int | float | str | bytes | None

PAGE = 4096  # bytes, what SQLite makes; where the header is gone
TABLE_LEAF, INDEX_LEAF, TABLE_TREE = 0x0D, 0x0A, 0x05
HEADER = 100  # bytes before the tree on the first page
WAL_HEADER, FRAME = 32, 24  # bytes
WAL_MAGIC = (0x377F0682, 0x377F0683)  # checksums of little-endian words, of big-endian ones
MOST_PAYLOAD = 4_000_000  # bytes of one row


class Pages:
    """The pages of the file at `path`, with what its WAL says of them."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        header = self._file.read(HEADER)
        self.size = _page_size(header)
        reserved = header[20] if header[:6] == b"SQLite" else 0
        self._usable = self.size - reserved
        self._newer = _committed(path.with_name(f"{path.name}-wal"), self.size)
        length = self._file.seek(0, 2)
        self.count = max([-(-length // self.size), *self._newer])
        told = int.from_bytes(header[28:32], "big") if header[:6] == b"SQLite" else 0
        self._once = max(self.count, told)  # pages, before the file was cut

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def page(self, number: int) -> bytes:
        """Return a page as it was last written, counted from 1; short where the file ends."""
        if number in self._newer:
            return self._newer[number]
        self._file.seek((number - 1) * self.size)
        return self._file.read(self.size)

    def versions(self, number: int) -> Iterator[bytes]:
        """Yield a page as it is, then as it was before the WAL: rows that stay may be in either."""
        yield self.page(number)
        if number in self._newer:
            self._file.seek((number - 1) * self.size)
            yield self._file.read(self.size)

    def records(self, kind: int) -> Iterator[tuple[int, list[Value] | None]]:
        """Yield (rowid, values) of every cell in leaves of this kind; index cells have rowid 0.

        The values are None where the cell was there and its content could not be read.
        """
        for number in range(1, self.count + 1):
            for page in self.versions(number):
                start = HEADER if number == 1 else 0
                if len(page) > start + 8 and page[start] == kind:
                    yield from self._cells(page, start, kind)

    def keys(self) -> Iterator[int]:
        """Yield rowids that the trees of tables name: of rows whose own pages may be gone."""
        for number in range(1, self.count + 1):
            for page in self.versions(number):
                start = HEADER if number == 1 else 0
                if len(page) == self.size and page[start] == TABLE_TREE:
                    with suppress(IndexError, ValueError):
                        yield from self._keys(page, start)

    def _keys(self, page: bytes, start: int) -> list[int]:
        """Return the keys of a page of a tree; raises ValueError unless they are in order."""
        count = int.from_bytes(page[start + 3 : start + 5], "big")
        keys = [0]
        for place in range(start + 12, start + 12 + 2 * count, 2):
            at = int.from_bytes(page[place : place + 2], "big")
            child = int.from_bytes(_cut(page, at, 4), "big")
            key, _ = varint(page, at + 4)
            if not 2 <= child <= self._once or key <= keys[-1]:
                raise ValueError(key)
            keys.append(key)
        return keys

    def _cells(
        self, page: bytes, start: int, kind: int
    ) -> Iterator[tuple[int, list[Value] | None]]:
        count = int.from_bytes(page[start + 3 : start + 5], "big")
        first = start + 8
        for place in range(first, min(first + 2 * count, len(page) - 1), 2):
            at = int.from_bytes(page[place : place + 2], "big")
            try:
                yield self._cell(page, at, kind)
            except (IndexError, ValueError, struct.error):
                yield 0, None

    def _cell(self, page: bytes, at: int, kind: int) -> tuple[int, list[Value] | None]:
        length, at = varint(page, at)
        rowid = 0
        if kind == TABLE_LEAF:
            rowid, at = varint(page, at)
        try:
            return rowid, record(self._payload(page, at, length, kind))
        except (IndexError, ValueError, struct.error):
            return rowid, None

    def _payload(self, page: bytes, at: int, length: int, kind: int) -> bytes:
        """Return the bytes of a cell, from its page and the chain of pages behind it."""
        if length > MOST_PAYLOAD:
            raise ValueError(length)
        usable = self._usable
        most = usable - 35 if kind == TABLE_LEAF else (usable - 12) * 64 // 255 - 23
        least = (usable - 12) * 32 // 255 - 23
        if length <= most:
            return _cut(page, at, length)
        fitting = least + (length - least) % (usable - 4)
        local = fitting if fitting <= most else least
        parts = [_cut(page, at, local)]
        following = int.from_bytes(_cut(page, at + local, 4), "big")
        left = length - local
        while left > 0:
            if not 1 <= following <= self.count:
                raise ValueError(following)
            more = self.page(following)
            parts.append(_cut(more, 4, min(left, usable - 4)))
            left -= usable - 4
            following = int.from_bytes(more[:4], "big")
        return b"".join(parts)


def _cut(page: bytes, at: int, length: int) -> bytes:
    if at < 0 or at + length > len(page):
        raise ValueError(at)
    return page[at : at + length]


def varint(page: bytes, at: int) -> tuple[int, int]:
    """Return the whole number that begins at `at`, and where it ends. Raises IndexError."""
    value = 0
    for _ in range(8):
        byte = page[at]
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    value = value << 8 | page[at]
    return (value - (1 << 64) if value >> 63 else value), at + 1


WIDTHS = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0}  # bytes by serial type


def record(payload: bytes) -> list[Value]:
    """Return the values of a record. Raises ValueError, IndexError or struct.error for none."""
    end, at = varint(payload, 0)
    if not 1 <= end <= len(payload):
        raise ValueError(end)
    types: list[int] = []
    while at < end:
        kind, at = varint(payload, at)
        types.append(kind)
    values: list[Value] = []
    at = end
    for kind in types:
        width = WIDTHS[kind] if kind in WIDTHS else (kind - 12) // 2
        if kind < 0 or kind in (10, 11):
            raise ValueError(kind)
        values.append(_value(kind, _cut(payload, at, width)))
        at += width
    if at != len(payload):
        raise ValueError(at)
    return values


def _value(kind: int, data: bytes) -> Value:
    if kind == 0:
        return None
    if kind == 7:
        return float(struct.unpack(">d", data)[0])
    if kind in (8, 9):
        return kind - 8
    if kind < 7:
        return int.from_bytes(data, "big", signed=True)
    return data.decode() if kind % 2 else data


def _page_size(header: bytes) -> int:
    size = int.from_bytes(header[16:18], "big")
    size = 65536 if size == 1 else size
    is_told = header[:6] == b"SQLite" and 512 <= size <= 65536 and size & (size - 1) == 0
    return size if is_told else PAGE


def _committed(wal: Path, size: int) -> Mapping[int, bytes]:
    """Return the pages that a WAL holds, as its last whole commit leaves them."""
    try:
        data = wal.read_bytes()
    except OSError:
        return {}
    if len(data) < WAL_HEADER or int.from_bytes(data[:4], "big") not in WAL_MAGIC:
        return {}
    order = "<" if int.from_bytes(data[:4], "big") == WAL_MAGIC[0] else ">"
    if int.from_bytes(data[8:12], "big") != size:
        return {}
    salt = data[16:24]
    sums = _checksum(order, data[:24], (0, 0))
    if struct.pack(">II", *sums) != data[24:32]:
        return {}
    committed: dict[int, bytes] = {}
    waiting: dict[int, bytes] = {}
    for start in range(WAL_HEADER, len(data) - FRAME - size + 1, FRAME + size):
        frame, page = data[start : start + FRAME], data[start + FRAME : start + FRAME + size]
        sums = _checksum(order, frame[:8] + page, sums)
        if frame[8:16] != salt or struct.pack(">II", *sums) != frame[16:24]:
            break
        waiting[int.from_bytes(frame[:4], "big")] = page
        if frame[4:8] != b"\0\0\0\0":  # the frame that ends a transaction
            committed |= waiting
            waiting.clear()
    return committed


def _checksum(order: str, data: bytes, sums: tuple[int, int]) -> tuple[int, int]:
    one, two = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for place in range(0, len(words), 2):
        one = (one + words[place] + two) & 0xFFFFFFFF
        two = (two + words[place + 1] + one) & 0xFFFFFFFF
    return one, two
