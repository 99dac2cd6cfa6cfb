r"""Bytes as text: byte order marks read, line ends made `\n`, no letter guessed."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from attn_study.deck.source import BREAK
from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.deck.formats.exchange import File

# The marks of UTF-32 begin like those of UTF-16, so they are looked for first
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Python has these for names of hosts and for its own source; some take quadratic time
NO_FILES = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"}
HEAD = 4_096  # bytes; enough to see that every second one is zero
COMMON = "--encoding cp1252 for older files of Windows, or utf-8"


def decode(file: File, encoding: str = "") -> str:
    r"""Return the text of a file, lines ended by `\n`, without a byte order mark.

    Without an `encoding` the text is UTF-8, or what a byte order mark says. Raises UserError
    that names the first line which is not in that encoding.
    """
    name = encoding or next((name for mark, name in MARKS if file.data.startswith(mark)), "utf-8")
    if not encoding and name == "utf-8" and file.data[:HEAD].count(0) * 4 > len(file.data[:HEAD]):
        hint = "if it is UTF-16 without a byte order mark, --encoding utf-16-le (or -be)"
        raise UserError("this is not UTF-8 text", where=str(file.path), hint=hint)
    try:
        is_fit = codecs.lookup(name).name.replace("-", "_") not in NO_FILES
        text = file.data.decode(name if is_fit else "")
    except UnicodeDecodeError as error:
        raise _refusal(file, name, error) from None
    except UnicodeError:
        raise UserError(f"this is not {name} text", where=str(file.path), hint=COMMON) from None
    except (LookupError, ValueError):
        what = f"there is no text encoding called {name!r}"
        raise UserError(what, where=str(file.path), hint="as in --encoding cp1252") from None
    return BREAK.sub("\n", text.removeprefix("\ufeff"))


def _refusal(file: File, name: str, error: UnicodeDecodeError) -> UserError:
    """Say where the first bytes stand that are not in the encoding."""
    before = file.data[: error.start].decode(name, errors="replace")
    line = len(BREAK.findall(before)) + 1
    what = f"the byte 0x{file.data[error.start]:02X} is not {name.upper()}"
    return UserError(what, where=f"{file.path}:{line}", hint=f"say the encoding: {COMMON}")
