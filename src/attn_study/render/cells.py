"""Width in terminal cells, counted by what the eye takes for one character."""

from __future__ import annotations

import re

from rich.cells import cell_len, split_graphemes

_LINES = re.compile("(\n)")


def clusters(text: str) -> list[str]:
    """Return the pieces no cut may divide; joined they are `text` again."""
    if text.isascii():
        return list(text)
    if "\n" in text:
        return [piece for line in _LINES.split(text) for piece in clusters(line)]
    found: list[str] = []
    half_flag = False
    for start, end, _ in split_graphemes(text)[0]:
        piece = text[start:end]
        is_letter_of_flag = "\U0001f1e6" <= piece[0] <= "\U0001f1ff"
        if half_flag and is_letter_of_flag:
            found[-1] += piece
            half_flag = False
        else:
            found.append(piece)
            half_flag = is_letter_of_flag
    return found


def cells(text: str) -> int:
    """Return how many terminal cells `text` takes, as Rich's own tables count them."""
    return cell_len(text)


def cut(text: str, width: int) -> str:
    """Return the longest beginning of whole clusters that fits in `width` cells."""
    if cells(text) <= width:
        return text
    kept = ""
    for cluster in clusters(text):
        if cells(kept + cluster) > width:
            break
        kept += cluster
    return kept


def shortened(text: str, width: int) -> str:
    """Return `text` in at most `width` cells, with … in the place of what does not fit."""
    return text if cells(text) <= width else f"{cut(text, width - 1)}…"[: max(0, width)]


def pad(text: str, width: int) -> str:
    """Return `text` with spaces after it up to `width` cells; longer text as it is."""
    return text + " " * (width - cells(text))
