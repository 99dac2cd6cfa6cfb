"""Bytes from a terminal, decoded to presses: pure, so that every way of reading shares it."""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Protocol, Self

from attn_study.render.cells import clusters

if TYPE_CHECKING:
    from types import TracebackType

PASTE_LIMIT = 1_000_000  # bytes of one paste that are kept
PASTE_START, PASTE_END = b"\x1b[200~", b"\x1b[201~"
_OVERLAP = len(PASTE_END) - 1  # bytes that may already belong to the end of a paste


@dataclass(frozen=True, slots=True)
class Press:
    """One thing the learner did.

    `key` is a character, or one of `space` `enter` `escape` `backspace` `delete` `tab` `up` `down`
    `left` `right` `home` `end` `pageup` `pagedown`, `ctrl-a` to `ctrl-z` (without those that are
    `tab`, `enter` and `backspace`), `paste`, `burst`, `resize`, `resume`, `eof`, `unknown`.

    `text` is what was pasted, or the characters of a burst: several keys in one read. In both a
    line break is `\\n`; in a burst a backspace is `\\x7f`.
    """

    key: str
    text: str = ""

    @property
    def character(self) -> str:
        """The character typed, or nothing where the key is not a character."""
        if self.key == "space":
            return " "
        return self.key if len(self.key) == 1 or not self.key.isascii() else ""


EOF = Press("eof")


class Keys(Protocol):
    """Where presses come from, while it is entered."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def read(self, timeout: float | None = None) -> Press | None:
        """Return the next press; None after `timeout` seconds; `eof` at the end and ever after."""

    def drop(self) -> None:
        """Forget what was typed ahead, so that the next press answers what is on screen now."""

    def stop(self) -> None:
        """Stop this process, as Ctrl-Z does in a shell, until it is continued."""


_LETTERS = {
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end",
    "a": "up", "b": "down", "c": "right", "d": "left",
}  # fmt: skip
_NUMBERS = {
    "1": "home", "3": "delete", "4": "end", "5": "pageup", "6": "pagedown", "7": "home", "8": "end",
}  # fmt: skip
_CONTROLS = {
    **{chr(code): f"ctrl-{chr(code + 96)}" for code in range(1, 27)},
    "\b": "backspace", "\t": "tab", "\n": "enter", "\r": "enter", " ": "space", "\x7f": "backspace",
}  # fmt: skip
# What joins no other character: controls, and what stands for bytes that are no UTF-8.
_APART = frozenset([*map(chr, [*range(0x21), *range(0x7F, 0xA0)]), "\ufffd"])
# Keys that leave a mark in the text of a burst.
_WRITTEN = {"space": " ", "enter": "\n", "tab": "\t", "backspace": "\x7f"}

_SEQUENCE = re.compile(
    rb"""\x1b (?:
      \[ (?P<number>[0-9]{0,3}) (?: ;[0-9;:]{0,60} )? (?P<final>[A-Za-z~^@$])   # $: rxvt, Shift
    | \[ [0-?]{0,64} [ -/]{0,8} [@-Z\\-~]
    | \[ \[ [A-E]                                       # function keys of the Linux console
    | O [0-9;]{0,8} (?P<single>[@-~])
    | [\]P_^X] [^\x07\x1b]{0,4096} (?: \x07 | \x1b\\ )   # what a terminal says about itself
    | [^\x03\x1b\[O\]P_^X] [\x80-\xbf]{0,3}             # a key with Alt
    )""",
    re.VERBOSE,
)
_OPENING = rb"\[ [0-?]{0,64} [ -/]{0,8} | O [0-9;]{0,8} | [\]P_^X] [^\x07\x1b]{0,4096}"
_UNFINISHED = re.compile(rb"\x1b (?: \[ \[ | %s \x1b? )? \Z" % _OPENING, re.VERBOSE)
_BROKEN = re.compile(rb"\x1b (?: %s )" % _OPENING, re.VERBOSE)


def decode(chunk: bytes, pending: bytes) -> tuple[tuple[Press, ...], bytes]:
    """Return the presses of one read, and the bytes whose meaning is still open.

    `pending` is what the read before left open. Several keys in one read are a `burst`, never
    keys: nobody saw what they would answer. One key other than a character, repeated, counts once;
    Ctrl-C counts among other keys too.
    """
    if chunk == b"\x03" and pending.startswith(PASTE_START):
        return (Press("ctrl-c"),), b""  # a paste whose end was lost must not lock the learner in
    data = pending + chunk
    found: list[Press] = []
    at = 0
    while at < len(data):
        presses, end = _next(data, at, searched=len(pending))
        if end == at:
            break
        found += presses
        at = end
    rest = data[at:]
    alone = len(found) + bool(rest) <= 1
    return (tuple(found) if alone else _crowd(found)), _bounded(rest)


def _next(data: bytes, at: int, searched: int) -> tuple[list[Press], int]:
    """Return what stands at `at` and where it ends; it ends at `at` if more bytes must come."""
    if data[at] != 0x1B:
        return _plain(data, at)
    if data.startswith(PASTE_START, at):
        start = at + len(PASTE_START)
        end = data.find(PASTE_END, max(start, searched - _OVERLAP))
        if end < 0:
            return [], at
        return [Press("paste", _pasted(data[start:end]))], end + len(PASTE_END)
    if sequence := _SEQUENCE.match(data, at):
        return [Press(_named(sequence))], sequence.end()
    if _UNFINISHED.match(data, at):
        return [], at
    if broken := _BROKEN.match(data, at):
        return [Press("unknown")], broken.end()
    return [Press("escape")], at + 1


def _plain(data: bytes, at: int) -> tuple[list[Press], int]:
    """Decode up to the next escape; a character cut by the end of the read stays open."""
    stop = data.find(b"\x1b", at)
    end = len(data) if stop < 0 else stop
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    text = decoder.decode(data[at:end], final=stop >= 0)
    pieces = (
        piece
        for apart, part in groupby(text, key=_APART.__contains__)
        for piece in (part if apart else clusters("".join(part)))
    )
    open_bytes = len(decoder.getstate()[0])
    return [Press(_CONTROLS.get(piece) or _character(piece)) for piece in pieces], end - open_bytes


def _character(piece: str) -> str:
    """Return the key of a character; bytes that are none and invisible ones are no key."""
    invisible = piece in _APART or unicodedata.category(piece[0]) in {"Cf", "Zl", "Zp"}
    return "unknown" if invisible else piece


def _named(sequence: re.Match[bytes]) -> str:
    """Return the key of an escape sequence, whatever Shift, Alt and Ctrl were held with it."""
    number, final, single = (part.decode("ascii") for part in sequence.groups(b""))
    if final and final in "~^@$":
        return _NUMBERS.get(number, "unknown")
    return "enter" if single == "M" else _LETTERS.get(final or single, "unknown")


def _crowd(found: list[Press]) -> tuple[Press, ...]:
    """Make bursts of the keys that came in one read; pastes stay what they are."""
    presses: list[Press] = []
    for is_paste, group in groupby(found, key=lambda press: press.key == "paste"):
        run = list(group)
        if is_paste:
            presses += run
            continue
        first = run[0]
        if all(press == first for press in run) and not _written(first):
            presses.append(first)
            continue
        text = "".join(map(_written, run))
        presses.append(Press("burst", text) if text else Press("unknown"))
        if Press("ctrl-c") in run:
            presses.append(Press("ctrl-c"))
    return tuple(presses)


def _written(press: Press) -> str:
    return _WRITTEN.get(press.key) or press.character


def _pasted(body: bytes) -> str:
    text = body[:PASTE_LIMIT].decode("utf-8", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _bounded(rest: bytes) -> bytes:
    """Keep what a paste may hold, and the bytes that may be the start of its end."""
    limit = len(PASTE_START) + PASTE_LIMIT
    if len(rest) <= limit + _OVERLAP:
        return rest
    return rest[:limit] + rest[-_OVERLAP:]


def settle(pending: bytes) -> tuple[tuple[Press, ...], bytes]:
    """Return what open bytes mean when nothing followed: Escape, or no key; a paste stays open."""
    if not pending or pending.startswith(PASTE_START):
        return (), pending
    return (Press("escape" if pending == b"\x1b" else "unknown"),), b""


def forget(pending: bytes) -> bytes:
    """Drop what open bytes hold, but not that a paste is still going on."""
    if not pending.startswith(PASTE_START):
        return b""
    return PASTE_START + pending[len(PASTE_START) :][-_OVERLAP:]


_WINDOWS_KEYS = {
    "H": b"\x1b[A", "P": b"\x1b[B", "M": b"\x1b[C", "K": b"\x1b[D", "G": b"\x1b[H", "O": b"\x1b[F",
    "I": b"\x1b[5~", "Q": b"\x1b[6~", "S": b"\x1b[3~",
}  # fmt: skip


def from_windows(codes: str) -> bytes:
    """Return what a Unix terminal would send for the UTF-16 codes of a Windows console.

    A special key is `\\x00` or `\\xe0` with a letter behind it; `\\xe0` at the end is an à.
    """

    def special(match: re.Match[str]) -> str:
        return _WINDOWS_KEYS.get(match[1], b"\x1b[Z").decode("ascii")

    text = re.sub("[\x00\xe0](.)", special, codes, flags=re.DOTALL)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
