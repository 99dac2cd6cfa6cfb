"""Protocol buffers: as much of them as a note type of Anki needs."""

from __future__ import annotations

VARINT, EIGHT_BYTES, LENGTH, FOUR_BYTES = 0, 1, 2, 5
FIXED = {EIGHT_BYTES: 8, FOUR_BYTES: 4}


def fields(message: bytes) -> dict[int, int | bytes]:
    """Return the last value of each numbered field; raises ValueError for what is no message."""
    found: dict[int, int | bytes] = {}
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        number, wire = tag >> 3, tag & 7
        if wire == VARINT:
            found[number], at = _varint(message, at)
            continue
        length, at = _varint(message, at) if wire == LENGTH else (FIXED.get(wire, -1), at)
        if length < 0 or at + length > len(message):
            raise ValueError("no message of protocol buffers")
        found[number] = message[at : at + length]
        at += length
    return found


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """Return a number written seven bits a byte, and the place behind it."""
    value = 0
    for place, byte in enumerate(message[at : at + 10]):
        value |= (byte & 127) << (7 * place)
        if byte < 128:
            return value, at + place + 1
    raise ValueError("no message of protocol buffers")
