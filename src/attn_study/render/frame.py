"""A header, a body that scrolls and a footer, fitted into the rows of a screen."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

AFTER_ANCHOR = 4  # lines: the heading, a blank, and two that say something
RULE = "─"


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts of one screen, a line each. Only the body scrolls.

    `anchor` is the line of the body to begin at where it would else be out of sight.
    """

    header: tuple[Text, ...]
    body: tuple[Text, ...]
    footer: tuple[Text, ...]
    anchor: int = 0

    def first_offset(self, rows: int) -> int:
        """Return the offset to begin at: 0 while something of what the anchor leads to shows."""
        return 0 if self.anchor + AFTER_ANCHOR <= self.room(rows) else self.anchor

    def room(self, rows: int) -> int:
        """Return how many rows are left for the body: at least one."""
        return max(1, rows - len(self.top(rows)) - len(self.close(rows)) - 1)

    def top(self, rows: int) -> tuple[Text, ...]:
        """Return the header, as much of it as leaves room for a line of each other part."""
        return self.header[: max(0, rows - 3)]

    def close(self, rows: int) -> tuple[Text, ...]:
        """Return the footer, without its blank lines where the body wants their room."""
        if len(self.header) + len(self.body) + 1 + len(self.footer) <= rows:
            return self.footer
        return tuple(line for line in self.footer if line.plain)

    def last_offset(self, rows: int) -> int:
        """Return the offset at which the end of the body shows."""
        return max(0, len(self.body) - self.room(rows))

    def fit(self, columns: int, rows: int, offset: int = 0) -> list[Text]:
        """Return at most `rows` lines: the body from line `offset` on, a rule, the footer.

        The rule says what is out of sight. On a screen too low for all, the footer's last
        lines, which name the keys, stay.
        """
        room = self.room(rows)
        shown = list(self.body[offset : offset + room])
        below = len(self.body) - offset - len(shown)
        shown += [Text()] * (room - len(shown))
        top = self.top(rows)
        kept = max(0, rows - len(top) - room - 1)
        close = self.close(rows)
        footer = close[max(0, len(close) - kept) :] if kept else ()
        return [*top, *shown, rule(columns, _hidden(offset, below)), *footer][:rows]


def _hidden(above: int, below: int) -> str:
    parts = [f"↑ {above}" if above else "", f"↓ {below} more" if below else ""]
    return "  ".join(part for part in parts if part)


def rule(columns: int, words: str = "", style: str = "dim") -> Text:
    """Return a line across the screen, with `words` in it."""
    if not words:
        return Text(RULE * columns, style)
    line = Text(RULE * 2 + " ", style)
    line.append(words)
    line.append(" " + RULE * max(0, columns - line.cell_len - 1))
    return line
