"""What was typed or chosen beside what is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.text import cells, paragraphs, safe, wrap

if TYPE_CHECKING:
    from attn_study.computed import Worked
    from attn_study.deck.kinds import Verdict
    from attn_study.posed import Posed

LABEL = 7  # cells before what was typed and what is right
RULED = 6  # cells of the rule around a heading, at least
GAP = " " * 8  # between the right answer and the reason for it


def verdict(face: Posed, width: int) -> tuple[str, list[Text]]:
    """Return the heading over the answer, and how what was typed or chosen compares with it."""
    found = face.verdict
    if found is None:
        return "answer", []
    if face.options:
        return _chosen(face, found, width)
    heading = "not quite" if (face.given or "").strip() else "nothing typed"
    if face.worked:
        return "right" if found.right else heading, _worked(face.worked, found, width)
    if found.right:
        return "right", [*_typed(found, face.given or "", width), Text()]
    expected = paragraphs(found.expected, max(1, width - LABEL), ascii=face.ascii)
    right = [
        Text(f"{'right' if number == 0 else '':<{LABEL}}") + Text(line, "green")
        for number, line in enumerate(expected)
    ]
    return heading, [*_typed(found, face.given or "", width), *right, Text()]


def _chosen(face: Posed, found: Verdict, width: int) -> tuple[str, list[Text]]:
    """Return the heading, which says what is right, and why the choice is wrong."""
    if found.right:
        return "right", []
    why = paragraphs(found.why, width, ascii=face.ascii) if found.why else []
    lines = [Text(line) for line in why]
    heading = "not quite" if face.given else "nothing chosen"
    number = [option.text for option in face.options].index(found.expected) + 1
    right = f"{number} is right"
    if len(f"{heading}: {right}") <= width - RULED:
        heading = f"{heading}: {right}"
    else:
        lines = [Text(right), *lines]
    return heading, [*lines, Text()] if lines else []


def _worked(worked: Worked, found: Verdict, width: int) -> list[Text]:
    """Return the mistake that a computed answer shows, the way to the right one, and that one."""
    from attn_study.render.panels import draw

    asked = worked.asked
    lines = [Text(line) for line in wrap(safe(worked.mistake), width) if line]
    if asked.solution and (not found.right or isinstance(asked.answer, str)):
        lines += [Text(), *draw(asked.solution, width), Text()]
    right = Text(f"right: {safe(found.expected)}", "bold")
    because = Text(safe(asked.because))
    if right.cell_len + len(GAP) + because.cell_len <= width:
        return [*lines, right + Text(GAP if asked.because else "") + because]
    return [*lines, right, *(Text(line) for line in wrap(because.plain, width))]


def _typed(found: Verdict, given: str, width: int) -> list[Text]:
    """Return the typed line with carets under what is wrong: `^` too much, `‸` missing before."""
    if not given.strip():
        return []
    line, carets = Text("you    "), " " * LABEL
    for at, (mark, text) in enumerate(found.pieces):
        shown = safe(text).replace("\n", " ")
        if mark == "-":
            is_replaced = found.pieces[at + 1 : at + 2] and found.pieces[at + 1][0] == "+"
            carets = carets.ljust(line.cell_len) + ("" if is_replaced else "‸")
        else:
            line.append(shown, "red" if mark == "+" else "green")
            carets = carets.ljust(line.cell_len - cells(shown))
            carets += ("^" if mark == "+" else " ") * max(0, line.cell_len - len(carets))
    if line.cell_len > width or not any(mark != "=" for mark, _ in found.pieces):
        return [Text(f"{'you':<{LABEL}}") + Text(part) for part in wrap(safe(given), width - LABEL)]
    return [line, Text(carets.rstrip(), "red")]
