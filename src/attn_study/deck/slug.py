"""A readable id for a new card, from its front."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

LONGEST = 40  # characters, cut between words
COMMAND = re.compile(r"\\[A-Za-z]+|[\\{}_^]")
WORD = re.compile(r"[a-z0-9]+")


def make_id(front: str, taken: Collection[str]) -> str:
    """Return an id like `shape-of-q-k-for-n-tokens` that is not among `taken`.

    `taken` are ids with or without their deck. A front without a Latin or Greek letter or a
    digit gives `card-` and six hexadecimal digits.
    """
    words = WORD.findall(_latin(front))
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word[:LONGEST]
        if len(longer) > LONGEST:
            break
        name = longer
    name = name or "card-" + hashlib.sha256(front.encode()).hexdigest()[:6]
    used = {one.rpartition("/")[2].casefold() for one in taken}
    number, free = 1, name
    while free in used:
        number += 1
        free = f"{name}-{number}"
    return free


def _latin(text: str) -> str:
    """Small Latin letters, digits and blanks; Greek letters by name, raised ones dropped."""
    kept = []
    for char in COMMAND.sub(" ", text):
        name = unicodedata.name(char, "")
        if name.startswith("GREEK") and " LETTER " in name:
            kept.append(f" {name.partition(' LETTER ')[2].partition(' WITH ')[0]} ")
        elif unicodedata.decomposition(char).startswith("<super>"):
            kept.append(" ")
        else:
            plain = unicodedata.normalize("NFKD", char)
            kept += (one for one in plain if not unicodedata.combining(one))
    return "".join(kept).lower()
