"""Where two short texts differ, piece by piece."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

WORDS = re.compile(r"\w+|\s+|[^\w\s]")
MANY = 400  # words; comparing more takes too long to be read anyway
ALIKE = 0.6  # share of letters from which two words count as one word, mistyped


def pieces(wanted: str, given: str) -> tuple[tuple[str, str], ...]:
    """Return marks with texts in reading order: `=` as it should be, `-` missing, `+` too much.

    The pieces marked `=` and `-` join to `wanted`, those marked `=` and `+` to `given` but for
    the case of letters.
    """
    ours, theirs = WORDS.findall(wanted), WORDS.findall(given)
    if len(ours) > MANY or len(theirs) > MANY:
        return _joined([("-", wanted), ("+", given)])
    found: list[tuple[str, str]] = []
    for a, b, c, d, same in _steps(ours, theirs):
        if same:
            found += (("=", word) for word in ours[a:b])
        elif b - a == d - c == 1 and _alike(ours[a], theirs[c]):
            found += _letters(ours[a], theirs[c])
        else:
            found += [("-", "".join(ours[a:b])), ("+", "".join(theirs[c:d]))]
    return _joined(found)


def _alike(ours: str, theirs: str) -> bool:
    short = len(ours) < MANY and len(theirs) < MANY
    return short and SequenceMatcher(None, ours, theirs).ratio() >= ALIKE


def _letters(ours: str, theirs: str) -> list[tuple[str, str]]:
    found = []
    for a, b, c, d, same in _steps(list(ours), list(theirs)):
        found += [("=", ours[a:b])] if same else [("-", ours[a:b]), ("+", theirs[c:d])]
    return found


def _steps(ours: list[str], theirs: list[str]) -> list[tuple[int, int, int, int, bool]]:
    """Stretches of both lists, in order, and whether they are equal but for case."""
    matcher = SequenceMatcher(
        None, [one.casefold() for one in ours], [one.casefold() for one in theirs], autojunk=False
    )
    return [(a, b, c, d, tag == "equal") for tag, a, b, c, d in matcher.get_opcodes()]


def _joined(found: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Neighbours with the same mark as one piece, empty ones left out."""
    joined: list[tuple[str, str]] = []
    for mark, text in found:
        if joined and joined[-1][0] == mark:
            joined[-1] = (mark, joined[-1][1] + text)
        elif text:
            joined.append((mark, text))
    return tuple(joined)
