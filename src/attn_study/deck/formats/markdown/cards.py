"""One card in Markdown: its lines as the fields of a note, and the fields as lines.

Lines alone say no more than two texts, or one with holes. What they do not say, or not exactly, a
comment above them holds as the fields that count instead; unless the lines were changed since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attn_study.deck.formats.checks import wrong_note
from attn_study.deck.formats.markdown.blocks import (
    FENCE,
    Block,
    Line,
    blocks,
    closes,
    looks_like_a_mark,
    segments,
)
from attn_study.deck.formats.markdown.text import shown, shown_cloze, told, told_cloze
from attn_study.deck.note import INFERRED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PLAIN = ("basic", "reversed", "cloze")  # kinds whose texts stand in the lines as they are
KEYS = {"C": ("cloze",), "Q": ("front", "back"), "::": ("front", "back"), ":::": ("front", "back")}
EMPTY = {
    "front": "the question is empty",
    "back": "the answer is empty",
    "cloze": "the text is empty",
}
CHANGED = "its lines do not fit the comment above them; change that too, or take it out"


def kind_of(fields: Mapping[str, Any]) -> str:
    """Return the kind of a note by its keys."""
    named = next((kind for key, kind in INFERRED.items() if key in fields), "basic")
    return str(fields.get("kind", named))


def seen(block: Block) -> tuple[dict[str, str], str]:
    """Return the fields that the lines of a card say, and what is wrong with them."""
    found, wrong = {}, block.fault
    for key, lines in zip(KEYS.get(block.sign, ()), block.fields, strict=False):
        text, fault = _told(key, lines)
        wrong = wrong or fault
        if not fault:
            found[key] = text
    if block.sign == ":::":
        found["kind"] = "reversed"
    return found, wrong


def _told(key: str, lines: Sequence[Line]) -> tuple[str, str]:
    stretches = segments(lines)
    if not stretches:
        return "", EMPTY[key]
    return told_cloze(stretches) if key == "cloze" else (told(stretches), "")


def fields_of(block: Block, extra: Mapping[str, Any] | None) -> tuple[dict[str, Any], str]:
    """Return the fields of a card below a comment with `extra` ones, and what is wrong with it."""
    found, wrong = seen(block)
    if extra is None:
        fields: dict[str, Any] = found
    elif block.fault:
        return {}, block.fault
    else:
        fields, wrong = _completed(block, found, extra, wrong)
    return fields, wrong or wrong_note(fields)


def _completed(
    block: Block, found: Mapping[str, Any], extra: Mapping[str, Any], wrong: str
) -> tuple[dict[str, Any], str]:
    """The fields of both; where the lines were changed since the comment was written, theirs."""
    if unsound := wrong_note(extra):
        return {}, f"the comment above is not sound: {unsound}"
    kind = kind_of({**found, **extra})
    fields = {**found, **extra} if kind in PLAIN else dict(extra)
    written = block_of(fields)
    if written is None or written.sign != block.sign:
        return {}, CHANGED
    pairs = zip(KEYS[block.sign], written.fields, block.fields, strict=True)
    changed = [key for key, ours, theirs in pairs if segments(ours) != segments(theirs)]
    if not changed:
        return fields, ""
    if kind not in PLAIN:
        return {}, CHANGED
    for key in changed:
        if key not in found:
            return {}, wrong
        fields[key] = found[key]
    return fields, ""


def block_of(fields: Mapping[str, Any]) -> Block | None:
    """Return the block that is read from the lines of a note; None if they make no card."""
    found = blocks(drawn(fields))
    return found[0] if len(found) == 1 and not found[0].fault else None


def drawn(fields: Mapping[str, Any]) -> list[str]:
    """Return the lines that show a note, of whatever kind, as two texts or as one with holes."""
    kind = kind_of(fields)
    if kind == "cloze":
        return _field("C:", shown_cloze(fields.get("cloze", "")))
    front = shown(fields.get("front") or fields.get("question", ""))
    if kind == "choice":
        front = f"{front}\n\n{_offered(fields.get('choices', ()))}"
    answers = [fields.get("answer", ""), fields.get("back", "")]
    if kind == "computed":
        answers = [fields.get("back") or f"computed by `{fields.get('question', '')}`"]
    back = shown("\n\n".join(filter(None, answers)))
    return [*_field("Q:", front), *_field("A:", back)]


def _offered(choices: Sequence[Any]) -> str:
    texts = (one.get("text", "") if isinstance(one, dict) else one for one in choices)
    return "\n".join(f"- {shown(text)}" for text in texts)


def _field(mark: str, text: str) -> list[str]:
    """The lines of one field; none of them ends the card, and every fence in it is closed."""
    first, *rest = text.split("\n")
    out = [f"{mark} {first}".rstrip()]
    opened = FENCE.match(first)
    run = opened["run"] if opened else ""
    for line in rest:
        match = FENCE.match(line)
        if run:
            run = "" if match and closes(match, run) else run
            out.append(line)
        else:
            run = match["run"] if match else ""
            out.append(f" {line}" if looks_like_a_mark(line) else line)
    return [*out, run] if run else out
