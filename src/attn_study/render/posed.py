"""A card as it is put, on the screen: header, question, answer and keys as lines of text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.asked import question_lines
from attn_study.render.figure import figure
from attn_study.render.frame import Frame, rule
from attn_study.render.options import option_lines
from attn_study.render.text import cells, cut, paragraphs, safe, shortened, wrap
from attn_study.render.verdict import verdict

if TYPE_CHECKING:
    from attn_study.deck.card import Card
    from attn_study.posed import Posed

    Keys = tuple[tuple[str, str], ...]

WIDEST = 88  # cells: longer lines are hard to read
LOW = 17  # lines of a body that a window of 24 rows shows
LEAST = 4  # lines of a card to see at once; where there are fewer, all around it gives way


def asked(face: Posed, columns: int) -> list[Text]:
    """Return the question: the card's front with the answers on offer, or drawn numbers."""
    if face.worked:
        margin = indent(columns) - 1
        lines = question_lines(face.worked.asked, columns - margin)
        return [Text(" " * margin) + line for line in lines]
    lines = [Text(), *_text(face.card.front, columns, face.ascii, "bold")]
    if not face.options:
        return lines
    options = option_lines(face, text_width(columns))
    return [*lines, Text(), *(_indented(line, columns) for line in options)]


def answered(face: Posed, columns: int) -> tuple[tuple[Text, ...], int]:
    """Return the question with its answer under it, and the line at which the answer begins."""
    heading, compared = verdict(face, columns - 2 * indent(columns))
    above = [*asked(face, columns), Text(), _heading(heading, columns)]
    anchor = len(above) - 1
    is_said = face.repeats and not face.options  # options may have gone out of sight
    card = replace(face.card, back="") if is_said else face.card
    below = revealed(card, columns, ascii=face.ascii)
    if face.worked:
        if len(above) + len(compared) + len(below) > LOW:
            compared = [line for line in compared if line.plain]
    else:
        above.append(Text())
    return (*above, *(_indented(line, columns) for line in compared), *below), anchor


def revealed(card: Card, columns: int, *, ascii: bool = False) -> list[Text]:
    """Return what the answer shows: the back, the figure and the note."""
    lines = _text(card.back, columns, ascii) if card.back else []
    if card.figure:
        drawn = figure(card.figure, columns - 2 * indent(columns))
        lines += [Text(), *(_indented(line, columns) for line in drawn)]
    if card.note:
        note = paragraphs(card.note, max(1, text_width(columns) - 2), ascii=ascii)
        barred = [Text.assemble(("│ ", "cyan"), line) for line in note]
        lines += [Text(), *(_indented(line, columns) for line in barred)]
    return lines


def place_of(card: Card, *, named: bool) -> str:
    """Return where a card stands. Its own name may give the answer away, so it comes with that."""
    parts = (card.deck, card.section, card.name if named else "")
    return " › ".join(safe(part) for part in parts if part)


def header(place: str, left: str, columns: int) -> tuple[Text, ...]:
    """Return where the card stands and, on the right, what is `left` to do, and a rule."""
    place, left = f" {place}", f"{left} "
    gap = columns - cells(place) - cells(left)
    if gap >= 2:
        return Text(place + " " * gap + left, "dim"), rule(columns)
    lines = [line for end in (place, left) for line in wrap(end.strip(), max(1, columns - 1))]
    return *(Text(f" {line}", "dim") for line in lines), rule(columns)


def _low_header(place: str, left: str, columns: int) -> Text:
    """Return the header in one line: what is left to do, and as much of the place as fits."""
    place, left = f" {place}", f"{left} "
    room = columns - cells(left) - 1
    if cells(place) > room:
        place = shortened(place, room) if room > LEAST else ""
    return Text(cut(place + " " * (columns - cells(place) - cells(left)) + left, columns), "dim")


def framed(
    place: str,
    left: str,
    body: tuple[Text, ...],
    footer: tuple[Text, ...],
    keys: list[Text],
    columns: int,
    *,
    words: str = "",
    rows: int | None = None,
    anchor: int = 0,
) -> Frame:
    """Return the frame of a card, or for a window of too few `rows` one with little around it.

    What stays then is one line of header, `words` as far as they leave room, and `keys`.
    """
    frame = Frame(header(place, left, columns), body, footer, anchor)
    if rows is None or frame.room(rows) >= min(LEAST, len(frame.body)):
        return frame
    heading = frame.anchor + 1 if frame.anchor else 0
    before, after = (
        tuple(line for line in part if line.plain.strip())
        for part in (frame.body[:heading], frame.body[heading:])
    )
    spoken = said(words, columns)
    room = max(1, rows - len(keys) - LEAST)  # a header, a rule, and two lines of the card
    if len(spoken) > room:
        spoken = spoken[:room]
        spoken[-1] = Text(f"{cut(spoken[-1].plain, columns - 2)} …", "yellow")
    top = (_low_header(place, left, columns),)
    return Frame(top, (*before, *after), (*spoken, *keys), max(0, len(before) - 1))


def asking_keys(face: Posed, keys: Keys) -> Keys:
    """Return the keys of a question, `space` first among them: a choice is made by its number."""
    if not face.options:
        return keys
    return ((f"1–{len(face.options)}", "choose"), ("space", "no idea"), *keys[1:])


def key_line(keys: Keys, columns: int) -> list[Text]:
    """Return the keys with what they do, on as many lines as they take."""
    lines = [Text(" ")]
    for key, does in keys:
        if lines[-1].cell_len + len(key) + len(does) + 3 > columns and lines[-1].plain.strip():
            lines.append(Text(" "))
        lines[-1].append(key, "bold cyan").append(f" {does}   ")
    return lines


def indent(columns: int) -> int:
    """Return the cells left free beside the text."""
    return 3 if columns >= 50 else 1


def text_width(columns: int) -> int:
    """Return the cells a line of text may take."""
    return max(1, min(WIDEST, columns - 2 * indent(columns)))


def _text(text: str, columns: int, ascii: bool, style: str = "") -> list[Text]:
    lines = paragraphs(text, text_width(columns), ascii=ascii)
    return [_indented(Text(line, style), columns) for line in lines]


def _indented(line: Text, columns: int) -> Text:
    return Text(" " * indent(columns)) + line


def _heading(words: str, columns: int) -> Text:
    return Text(" ") + rule(max(0, columns - 1), words)


def said(words: str, columns: int) -> list[Text]:
    """Return words for the learner as lines above the keys; none for no words."""
    return [Text(f" {line}", "yellow") for line in wrap(safe(words), max(1, columns - 2)) if words]
