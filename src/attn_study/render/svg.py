"""A picture of a screen as SVG: no web fonts, nothing fetched, the same bytes every time."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Literal

from rich.console import Console
from rich.terminal_theme import TerminalTheme

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.text import Text

Theme = Literal["dark", "light"]

# Sixteen colours each, told apart on their ground by readers who do not see red and green.
THEMES = {
    "dark": TerminalTheme(
        (17, 20, 27),
        (216, 220, 228),
        [
            (48, 54, 66),
            (240, 130, 110),
            (120, 190, 150),
            (226, 186, 100),
            (110, 165, 240),
            (190, 150, 230),
            (100, 190, 210),
            (216, 220, 228),
        ],
    ),
    "light": TerminalTheme(
        (252, 252, 250),
        (40, 44, 52),
        [
            (40, 44, 52),
            (176, 60, 40),
            (30, 110, 80),
            (140, 95, 10),
            (30, 90, 190),
            (120, 70, 170),
            (10, 110, 130),
            (90, 96, 108),
        ],
    ),
}

PAGE = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{
  font-family: "DejaVu Sans Mono", "Cascadia Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px;
}}
.{unique_id}-title {{ font-size: 16px; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix" xml:space="preserve">
{matrix}
</g>
</g>
</svg>
"""


def svg(lines: Iterable[Text], columns: int, title: str, theme: Theme = "dark") -> str:
    """Return the lines of a screen `columns` cells wide as an SVG document."""
    console = Console(
        file=io.StringIO(),
        record=True,
        width=columns,
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
        _environ={},
    )
    for line in lines:
        console.print(line, soft_wrap=True)
    return console.export_svg(
        title=title, theme=THEMES[theme], code_format=PAGE, unique_id=f"attn-{theme}"
    )
