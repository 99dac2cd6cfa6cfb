"""Numbers as people type them: with a point, a decimal comma, or a true minus sign."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

NUMBER = re.compile(r"[+-]?(?:\d{1,30}(?:[.,]\d{0,30})?|[.,]\d{1,30})(?:e[+-]?\d{1,2})?", re.ASCII)
THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:[,_' ]\d{3}){1,9}(?:\.\d{1,30})?", re.ASCII)
MINUS = str.maketrans(dict.fromkeys("−–‐‑﹣", "-"))


def readings(text: str) -> tuple[Decimal, ...]:
    """Return every number the text may mean, exactly as typed; none if it is no number.

    `1,234` may be one and a bit, or more than a thousand. A percent sign says no other number.
    """
    plain = unicodedata.normalize("NFKC", text.translate(MINUS)).strip().lower()
    plain = plain.removesuffix("%").rstrip()
    found = []
    if NUMBER.fullmatch(plain):
        found.append(Decimal(plain.replace(",", ".")))
    if THOUSANDS.fullmatch(plain):
        found.append(Decimal(re.sub("[,_' ]", "", plain)))
    return tuple(found)


def number(text: str) -> Decimal | None:
    """Return the number that a deck author wrote, or None; a comma is a decimal comma."""
    return next(iter(readings(text)), None)
