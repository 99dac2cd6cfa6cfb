"""Lines as the output can carry them: what its encoding lacks is replaced visibly."""

from __future__ import annotations

from rich.text import Text


def fitted(line: Text, encoding: str, *, ascii: bool = False) -> Text:
    """Return `line`, its styles kept, in characters that `encoding` has; in ASCII if asked."""
    if line.plain.isascii():
        return line
    from attn_study.render.ascii import encodable, to_ascii

    borders = sorted({place for span in line.spans for place in (span.start, span.end)})
    out = Text(style=line.style)
    for part in line.divide(borders):
        text = to_ascii(part.plain) if ascii else part.plain
        out.append(encodable(text, encoding), part.spans[0].style if part.spans else None)
    return out
