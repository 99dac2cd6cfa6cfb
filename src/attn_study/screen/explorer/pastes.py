"""What is pasted is text, whatever it holds: an escape inside of it begins no key."""

from __future__ import annotations

ESCAPE = "\x1b"
BEGIN, END = "\x1b[200~", "\x1b[201~"  # what a terminal puts around a paste


class Pastes:
    """Takes the escapes out of pastes, in what a terminal sends read by read."""

    def __init__(self) -> None:
        self._is_inside = False
        self._kept = ""  # inside: not handed on yet; outside: handed on already

    def clean(self, data: str) -> str:
        """Return what a read is to be taken for; of a paste, what may be its end comes later."""
        found = ""
        while data:
            piece, data = self._inside(data) if self._is_inside else self._outside(data)
            found += piece
        return found

    def _outside(self, data: str) -> tuple[str, str]:
        """Return what comes up to the begin of a paste, and the rest; nothing waits here."""
        seen = self._kept + data
        at = seen.find(BEGIN)
        if at < 0:
            self._kept = seen[1 - len(BEGIN) :]
            return data, ""
        begun = at + len(BEGIN) - len(self._kept)
        self._is_inside, self._kept = True, ""
        return data[:begun], data[begun:]

    def _inside(self, data: str) -> tuple[str, str]:
        """Return the text up to the end of the paste with that end, and the rest."""
        seen = self._kept + data
        text, end, rest = seen.partition(END)
        self._is_inside, self._kept = not end, ""
        if not end:
            begun = next((n for n in range(len(END) - 1, 0, -1) if text.endswith(END[:n])), 0)
            text, self._kept = text[: len(text) - begun], text[len(text) - begun :]
        return text.replace(ESCAPE, "") + end, rest
