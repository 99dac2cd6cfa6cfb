"""Names with their values, one a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.text import cells, pad, safe

if TYPE_CHECKING:
    from collections.abc import Mapping


def fact_lines(facts: Mapping[str, object]) -> list[Text]:
    """Return each name with its value; a list has its items under one another."""
    width = max(cells(safe(name)) for name in facts)
    lines = []
    for name, value in facts.items():
        items = value if isinstance(value, list) else [value]
        for number, item in enumerate(items):
            label = pad(safe(name) if number == 0 else "", width)
            lines.append(Text.assemble((label, "bold"), f"  {safe(str(item))}"))
    return lines
