"""A text as tokens: words, signs, and special tokens that stay whole."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from attn_study.errors import UserError

LIMIT = 32  # tokens; the pattern has a cell for each pair, and a screen has 80 columns

SPECIAL = re.compile(r"\[[A-Z][A-Z0-9_]*\]|</?[A-Za-z_]\w*>|<\|\w+\|>")
# Letters of `_shape`: w word, d digit, j joins words, n joins digits, m belongs to what is before.
PIECE = re.compile(r"(?:[wdm]|(?<=[wdm])j(?=[wd])|(?<=d)n(?=d))+|[pjn]m*")
ONE_LETTER = dict.fromkeys("'’-", "j") | dict.fromkeys(".,", "n") | {"_": "w"}


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text as typed, repeated ones included; `left_out` counts those cut off."""

    words: tuple[str, ...]
    left_out: int = 0

    @property
    def says(self) -> str:
        """One line for the reader if something was left out, else nothing."""
        if not self.left_out:
            return ""
        total = len(self.words) + self.left_out
        return f"only the first {len(self.words)} of {total} tokens are used"


def tokens(text: str) -> Tokens:
    """Return the tokens of a text, at most `LIMIT` of them.

    A token is a run of letters, digits, marks and pictures, with apostrophes and hyphens inside
    words and points inside numbers; any other sign by itself; or a special token such as [CLS],
    </s> or <|end|>. Blanks and control characters separate. A text without tokens is a
    `UserError`.
    """
    found: list[str] = []
    begin = 0
    for special in SPECIAL.finditer(text):
        found += _plain(text[begin : special.start()])
        found.append(special.group())
        begin = special.end()
    found += _plain(text[begin:])
    if not found:
        raise UserError("the text has no words", hint='try --text "the cat saw the dog"')
    return Tokens(tuple(found[:LIMIT]), max(0, len(found) - LIMIT))


def _plain(text: str) -> list[str]:
    pieces = (text[slice(*match.span())] for match in PIECE.finditer("".join(map(_shape, text))))
    return [piece for piece in pieces if any(_shows(char) for char in piece)]


def _shape(char: str) -> str:
    """Say with one letter how a character takes part in words."""
    if char in ONE_LETTER:
        return ONE_LETTER[char]
    category = unicodedata.category(char)
    if char.isspace() or category == "Cc":
        return " "
    if category[0] == "M" or category == "Cf":
        return "m"
    if category == "Nd":
        return "d"
    # A sign of the keyboard stands alone; other symbols are pictures, often joined into one.
    return "p" if category[0] == "P" or (category[0] == "S" and char.isascii()) else "w"


def _shows(char: str) -> bool:
    return unicodedata.category(char) != "Cf"
