"""The answers on offer in a choice note, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

from attn_study.deck.card import Option
from attn_study.deck.nodes import Many, Map, Text
from attn_study.errors import near
from attn_study.wording import counted

if TYPE_CHECKING:
    from attn_study.deck.fields import Desk
    from attn_study.deck.nodes import Node

LEAST, MOST = 2, 9  # answers on offer: one alone is no choice, and each has a key from 1 to 9
SHAPE = "write `- text`, or `- text: …` with `why: …` under it"


def read_options(desk: Desk, node: Node, answer: str) -> tuple[Option, ...]:
    """Return the options in the order of the file; what is wrong with them goes to the desk."""
    if not isinstance(node, Many):
        desk.blame(node.start, "`choices` must be a list", "begin each answer with `- `")
        return ()
    found = [_option(desk, item) for item in node.items]
    if not LEAST <= len(found) <= MOST:
        what = f"{counted(len(found), 'choice(|s)')} where {LEAST} to {MOST} are expected"
        desk.blame(node.start, what, "one alone is no choice, and each has a key from 1 to 9")
    texts = [option.text for option in found if option.text]
    seen: dict[str, str] = {}
    for text in texts:
        alike = " ".join(normalize("NFKC", text).split())
        if alike in seen:
            desk.blame(node.start, f"the choice {text!r} is given twice", "take one out")
        seen.setdefault(alike, text)
    if answer and texts and answer not in texts:
        hint = near(answer, texts) or "repeat the right one as it stands there"
        desk.blame(node.start, f"the answer {answer!r} is not among the choices", hint)
    return tuple(found)


def _option(desk: Desk, node: Node) -> Option:
    """One answer: a text, or a map of the text and of why it is wrong."""
    if isinstance(node, Map):
        fields = desk.fields(node, ("text", "why"))
        option = Option(
            desk.text(fields.get("text"), prose=True), desk.text(fields.get("why"), prose=True)
        )
    else:
        option = Option(desk.text(node, prose=True) if isinstance(node, Text) else "")
    if not option.text.strip():
        desk.blame(node.start, "a choice has no text", SHAPE)
    return option
