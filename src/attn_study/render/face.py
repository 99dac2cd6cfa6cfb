"""A card on the screen: its header, question, answer and grades, as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.asked import question_lines
from attn_study.render.figure import figure
from attn_study.render.frame import Frame, rule
from attn_study.render.text import cells, cut, paragraphs, safe, wrap
from attn_study.render.verdict import verdict

if TYPE_CHECKING:
    from attn_study.deck.card import Card
    from attn_study.memory.queue import Plan
    from attn_study.sitting import Choice, Face

WIDEST = 88  # cells: longer lines are hard to read
LOW = 17  # lines of a body that a window of 24 rows shows
LEAST = 4  # lines of a card to see at once; where there are fewer, all around it gives way
ROOMY = 70  # columns: under it the grades stand one under the other
FIRST_TIME = (
    "The first step is one day whatever you answer. Your grade decides whether the card "
    "returns today and how fast it grows later. ? explains; u takes it back."
)
BEFORE = (("space", "answer"), ("u", "undo"), ("e", "edit"), ("?", "more"), ("q", "quit"))
TYPING = (("enter", "answer"), ("esc", "other keys"))
AFTER = (("u", "undo"), ("e", "edit"), ("?", "more"), ("q", "quit"))


def question(
    face: Face, columns: int, words: str = "", *, typing: bool = False, rows: int | None = None
) -> Frame:
    """Return the screen that asks. `words` is said above the keys; `typing` leaves it to type.

    With `rows` the card gets most of a low window.
    """
    body = tuple(_asked(face, columns))
    keys = key_line(TYPING if typing else _with_demo(face, BEFORE), columns)
    frame = Frame(header(face, columns), body, (*_said(words, columns), *keys))
    return _lowered(frame, face, keys, words, columns, rows)


def answer(face: Face, columns: int, words: str = "", *, rows: int | None = None) -> Frame:
    """Return the screen that answers and offers the grades.

    With `rows` the card gets most of a low window, and the keys of the grades stay in sight.
    """
    heading, compared = verdict(face, columns - 2 * indent(columns))
    above = [*_asked(face, columns), Text(), _heading(heading, columns)]
    anchor = len(above) - 1
    below = revealed(face.card, columns, ascii=face.ascii)
    if face.worked:
        if len(above) + len(compared) + len(below) > LOW:
            compared = [line for line in compared if line.plain]
    else:
        above.append(Text())
    body = (*above, *(_indented(line, columns) for line in compared), *below)
    footer = (*grades(face, columns), Text(), *_said(words or _first_time(face), columns))
    keys = key_line(_with_demo(face, AFTER), columns)
    frame = Frame(header(face, columns), body, (*footer, *keys), anchor)
    return _lowered(frame, face, [*_grade_keys(face, columns), *keys], words, columns, rows)


def _lowered(
    frame: Frame, face: Face, keys: list[Text], words: str, columns: int, rows: int | None
) -> Frame:
    """Return the frame as it is, or for a window too low for it the card with little around it.

    What stays is one line of header, what was said as far as it leaves room, and `keys`.
    """
    if rows is None or frame.room(rows) >= min(LEAST, len(frame.body)):
        return frame
    heading = frame.anchor + 1 if frame.anchor else 0
    before, after = (
        tuple(line for line in part if line.plain.strip())
        for part in (frame.body[:heading], frame.body[heading:])
    )
    said = _said(words, columns)
    room = max(1, rows - len(keys) - LEAST)  # a header, a rule, and two lines of the card
    if len(said) > room:
        said = said[:room]
        said[-1] = Text(f"{cut(said[-1].plain, columns - 2)} …", "yellow")
    anchor = max(0, len(before) - 1)
    return Frame((_low_header(face, columns),), (*before, *after), (*said, *keys), anchor)


def _asked(face: Face, columns: int) -> list[Text]:
    """Return the question: the card's front, or the numbers of a computed card."""
    if face.worked:
        margin = indent(columns) - 1
        lines = question_lines(face.worked.asked, columns - margin)
        return [Text(" " * margin) + line for line in lines]
    return [Text(), *_text(face.card.front, columns, face.ascii, "bold")]


def _with_demo(face: Face, keys: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Name the demo among the keys, where the card has one."""
    if not face.demo:
        return keys
    place = keys.index(("u", "undo"))
    return (*keys[:place], ("d", f"demo {face.demo}"), *keys[place:])


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


def header(face: Face, columns: int) -> tuple[Text, ...]:
    """Return where the card stands and what is left to do, and a rule."""
    left, right = _ends(face)
    gap = columns - cells(left) - cells(right)
    if gap >= 2:
        return Text(left + " " * gap + right, "dim"), rule(columns)
    lines = [line for end in (left, right) for line in wrap(end.strip(), max(1, columns - 1))]
    return *(Text(f" {line}", "dim") for line in lines), rule(columns)


def _ends(face: Face) -> tuple[str, str]:
    """Return what stands left and right in the header."""
    card = face.card
    path = " › ".join(safe(part) for part in (card.deck, card.section, card.name) if part)
    return f" {path}", f"{counts(face.plan)} "


def _low_header(face: Face, columns: int) -> Text:
    """Return the header in one line: what is left to do, and as much of the place as fits."""
    left, right = _ends(face)
    room = columns - cells(right) - 1
    if cells(left) > room:
        left = f"{cut(left, room - 1)}…" if room > LEAST else ""
    return Text(cut(left + " " * (columns - cells(left) - cells(right)) + right, columns), "dim")


def counts(plan: Plan) -> str:
    """Return what is left of the day: `3 due · 7 new · 1 again`."""
    parts = ((plan.due, "due"), (plan.new, "new"), (plan.drill, "again"))
    return " · ".join(f"{len(cards)} {name}" for cards, name in parts if cards)


def grades(face: Face, columns: int) -> list[Text]:
    """Return the grades on offer with what each does; the suggested one is marked."""
    suggested = _suggested(face)
    labels = [
        (f"{'▸' if choice is suggested else ' '} {choice.key} {choice.name}", choice)
        for choice in face.choices
    ]
    if columns < ROOMY:
        lines = (
            f" {label:<10} {days(choice.interval):<7} {choice.consequence}".rstrip()
            for label, choice in labels
        )
        return [Text(part) for line in lines for part in wrap(line, max(1, columns))]
    rows = [
        "".join(f"{label:<17}" for label, _ in labels),
        "".join(f"  {days(choice.interval):<15}" for choice in face.choices),
        "".join(f"  {choice.consequence:<15}" for choice in face.choices),
    ]
    return [Text(f" {row}".rstrip(), "" if number else "bold") for number, row in enumerate(rows)]


def _grade_keys(face: Face, columns: int) -> list[Text]:
    """Return the grades on offer with nothing but their keys and names."""
    suggested = _suggested(face)
    marked = ((f"{'▸' if each is suggested else ''}{each.key}", each.name) for each in face.choices)
    return key_line(tuple(marked), columns)


def _suggested(face: Face) -> Choice | None:
    """Return the choice nearest to the grade that a typed answer earned."""
    if face.verdict is None:
        return None
    earned = face.verdict.grade
    return max(
        (choice for choice in face.choices if choice.grade <= max(earned, 1)),
        key=lambda choice: choice.grade,
        default=face.choices[0],
    )


def days(interval: int | None) -> str:
    """Return an interval for the eye: days, and from a hundred on what that is in years."""
    if interval is None:
        return ""
    if interval < 100:
        return f"{interval} d"
    months = interval / 30.44
    return f"{interval} d, {months:.0f} mo" if months < 24 else f"{interval} d, {months / 12:.0f} y"


def key_line(keys: tuple[tuple[str, str], ...], columns: int) -> list[Text]:
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


def _said(words: str, columns: int) -> list[Text]:
    return [Text(f" {line}", "yellow") for line in wrap(safe(words), max(1, columns - 2)) if words]


def _first_time(face: Face) -> str:
    return FIRST_TIME if face.beginner else ""
