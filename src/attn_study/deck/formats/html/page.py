"""Lines of text, laid out as a browser lays out a page."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Page:
    """What is shown so far, piece by piece in `out`.

    `blank` is a blank that shows once something follows it on its line, `line` whether the line
    has anything on it. `lead` is what the next line begins with; `gap` asks for an empty line
    before it.
    """

    out: list[str] = field(default_factory=list)
    blank: bool = False
    line: bool = False
    lead: str = ""
    gap: bool = False
    _ends: int = 0

    def show(self, text: str) -> None:
        """Add a text without line ends, every character of it."""
        while self.gap and self.out and self._ends < 2:
            self.end_line()
        if self.lead:
            self.out.append(self.lead)
        elif self.blank and self.line:
            self.out.append(" ")
        self.out.append(text)
        self.line, self.blank, self.gap, self.lead, self._ends = True, False, False, "", 0

    def end_line(self) -> None:
        """End the line, even an empty one."""
        self.out.append("\n")
        self.line = self.blank = False
        self._ends += 1

    def block(self, *, gap: bool = False) -> None:
        """Go on at the beginning of a line, behind an empty one if there is to be a gap."""
        if self.line:
            self.end_line()
        self.blank = False
        self.gap = self.gap or gap

    def done(self) -> str:
        """Return the whole; the line end after the last line is not shown."""
        text = "".join(self.out)
        return text if self.line else text.removesuffix("\n")
