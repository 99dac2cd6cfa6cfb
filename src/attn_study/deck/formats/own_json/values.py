"""JSON read value by value, each with the line it begins on, in bounded memory.

The document is walked with `members` and `items`; what stands at one place is taken with `value`.
Strict: no NaN, no key given twice, nothing behind the end. Every fault is a UserError that names
the file and the line.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SPACE = re.compile(r"[ \t\n\r]*")
FIRST_WINDOW = 4_096  # characters looked at for one value; most rows and notes are shorter
MAX_VALUE = 4_000_000  # characters of one value
LONE = re.compile("[\ud800-\udfff]")  # no file can hold these
CUT = 16  # a word, number or escape that was cut is shorter


class _RefusedValueError(ValueError):
    """What Python would read and a strict reader does not."""


class Values:
    """Goes through one JSON text from front to back."""

    def __init__(self, text: str, path: Path) -> None:
        self._text = text
        self._path = path
        self._at = 0
        self._line = 1
        self._counted = 0

    def line(self) -> int:
        """Return the line of the next value, from 1."""
        self._skip()
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def fault(self, what: str, hint: str = "", *, line: int = 0) -> UserError:
        """Return a complaint about the next value, or about a line that was passed."""
        return UserError(what, where=f"{self._path}:{line or self.line()}", hint=hint)

    def next_is(self, sign: str) -> bool:
        """Return whether the next value begins with this character."""
        self._skip()
        return self._text.startswith(sign, self._at)

    def members(self, what: str) -> Iterator[str]:
        """Yield each key of an object; its value must be taken before the next is asked for."""
        self._expect("{", f"{what} is not an object")
        seen: set[str] = set()
        while self._another("}", first=not seen):
            if not self.next_is('"'):
                raise self.fault("a key in quotes is expected here")
            line = self.line()
            key = str(self.value())
            if key in seen:
                raise self.fault(f"the key {key[:80]!r} is given twice", line=line)
            seen.add(key)
            self._expect(":", f"a colon is expected behind the key {key[:80]!r}")
            yield key

    def items(self, what: str) -> Iterator[int]:
        """Yield the line of each item of a list; it must be taken before the next is asked for."""
        self._expect("[", f"{what} is not a list")
        first = True
        while self._another("]", first=first):
            first = False
            yield self.line()

    def value(self) -> Any:
        """Return the next value as Python says it."""
        self._skip()
        size = FIRST_WINDOW
        while True:
            whole = self._at + size >= len(self._text)
            window = self._text[self._at : self._at + size]
            try:
                found, end = DECODER.raw_decode(window)
            except _RefusedValueError as error:
                raise self.fault(str(error)) from None
            except RecursionError:
                raise self.fault("lists and objects too deep in one another") from None
            except json.JSONDecodeError as error:
                if whole or not _may_be_cut(error, len(window)):
                    raise self._broken(error) from None
            except ValueError:  # Python reads no number of thousands of digits
                raise self.fault("a number with too many digits") from None
            else:
                if whole or end < len(window):
                    if window.find("\\u", 0, end) >= 0 and _has_lone(found):
                        raise self.fault("a text holds half a character (\\ud800 to \\udfff)")
                    self._at += end
                    return found
            if size >= MAX_VALUE:
                raise self.fault(f"a value of more than {MAX_VALUE:,} characters")
            size = min(size * 8, MAX_VALUE)

    def end(self) -> None:
        """Refuse what stands behind the document."""
        self._skip()
        if self._at < len(self._text):
            raise self.fault("there is more behind the end of the object")

    def _broken(self, error: json.JSONDecodeError) -> UserError:
        line = self.line() + error.lineno - 1
        why = error.msg[:1].lower() + error.msg[1:].removesuffix(" starting at")
        return UserError(
            f"this is not JSON: {why}",
            where=f"{self._path}:{line}",
            hint="the file may have been cut off or edited; export it again",
        )

    def _skip(self) -> None:
        if match := SPACE.match(self._text, self._at):
            self._at = match.end()

    def _expect(self, sign: str, what: str) -> None:
        if not self.next_is(sign):
            ended = self._at >= len(self._text)
            raise self.fault("the file ends too early" if ended else what)
        self._at += 1

    def _another(self, closer: str, *, first: bool) -> bool:
        """Go past a comma to one more member or item, or past the closer."""
        if self.next_is(closer):
            self._at += 1
            return False
        if not first:
            self._expect(",", f"a comma or {closer} is expected here")
        return True


def _may_be_cut(error: json.JSONDecodeError, size: int) -> bool:
    """Whether more of the text may mend this: the fault lies at the end of what was looked at."""
    return error.msg.startswith("Unterminated string") or error.pos >= size - CUT


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = Counter(key for key, _ in pairs)
        raise _RefusedValueError(f"the key {keys.most_common(1)[0][0][:80]!r} is given twice")
    return found


def _has_lone(found: Any) -> bool:
    return LONE.search(json.dumps(found, ensure_ascii=False)) is not None


def _no_number(name: str) -> Any:
    raise _RefusedValueError(f"{name} is no number that JSON knows")


def _finite(digits: str) -> float:
    if abs(number := float(digits)) == float("inf"):
        raise _RefusedValueError("a number too large to keep")
    return number


DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_no_number, parse_float=_finite
)
