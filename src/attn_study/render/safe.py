"""Foreign text made harmless: what is invisible or moves the cursor becomes visible."""

from __future__ import annotations

import re
import unicodedata

MOST_MARKS = 8  # combining marks on one letter; scripts of the world need fewer
TAB = 4  # cells

_RISKY = re.compile(
    "\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"  # a flag spelled in tags is left alone
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u180e\u200b-\u200d\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
_SELECTOR_OR_SKIN = re.compile("[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]+$")


def safe(text: str) -> str:
    """Return `text` with nothing in it that hides, reorders or commands; "\\n" ends a line.

    Control characters become pictures such as ␛, other invisible ones a name such as
    ‹U+202E›, tabs become spaces. Whatever a reader can see stays exactly as it was.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(TAB)
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return _few_marks(_RISKY.sub(_visible, text))


def _visible(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) > 1 or (found in "\u200c\u200d" and _joins(match)):
        return found
    code = ord(found)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"‹U+{code:04X}›"


def _joins(match: re.Match[str]) -> bool:
    """Whether a joiner does its honest work: in an emoji, or in a script that needs it."""
    before = match.string[max(0, match.start() - 3) : match.start()]
    before = _SELECTOR_OR_SKIN.sub("", before)[-1:]
    after = match.string[match.end() : match.end() + 1]
    if not before or not after:
        return False
    kind = unicodedata.category(before)
    if kind == "Lo" or (kind in ("Mn", "Mc") and before >= "\u0900"):
        return True
    return match[0] == "\u200d" and kind == "So" == unicodedata.category(after)


def _few_marks(text: str) -> str:
    """Cut towers of combining marks, and say how many marks are gone."""
    kept: list[str] = []
    marks = 0
    for char in [*text, ""]:
        if char and unicodedata.category(char) in ("Mn", "Me"):
            marks += 1
            if marks > MOST_MARKS:
                continue
        else:
            if marks > MOST_MARKS:
                kept.append(f"‹{marks - MOST_MARKS} more marks›")
            marks = 0
        kept.append(char)
    return "".join(kept)
