"""Generated decks whose texts hold what trips other formats, for the tests of import and export.

Every deck is one that a deck file can hold, so what does not come back was lost on the way.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import settings
from hypothesis import strategies as st

from attn_study.deck import kinds
from attn_study.deck.card import Card, Deck, Figure, Option
from attn_study.deck.holes import fault
from attn_study.deck.note import automatic_id, plain_front
from attn_study.deck.source import FOUL
from attn_study.deck.spelling import spelled
from memory_helpers import LAW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.deck.formats import Imported

NAME = "mine"
FULL = os.environ.get("ATTN_STUDY_FULL") == "1"
# For laws of which one example takes long
SLOW_LAW = settings(LAW, max_examples=200 if FULL else 20)

# Each of these is markup, a separator, a formula or a wide sign to somebody
PIECES = (
    "attention", "Q", "A:", "C:", "::", ":::", "---", "===", "%", "~~~", "***", "_i_", "**b**",
    "[", "]", "(", ")", "{", "}", "{{", "}}", "|", "||", "\t", "\n", "\n\n", " ", "  ", ",", ";",
    "'", '"', '""', "\\", "\\\\", "`", "```\n", "# ", "#tags", "- ", "-inf", "+1", "=QK^T", "@x",
    "<unk>", "</s>", "<b>", "<br>", "<!--", "-->", "<", ">", "&", "&lt;", "&amp;lt;", "&nbsp;",
    "&#39;", "$", "$$", r"\(x_i\)", r"\[QK^\top\]", r"\(a<b\)", r"\frac{a}{b}", r"\begin{x}",
    "c1", "1.", "> ", "注意", "ｗ", "e\u0301", "é", "👩🏽‍🔬", "שלום", "\u200b", "\u00a0",
    "\u2014", "\N{COMBINING ACUTE ACCENT}", "[sound:x.mp3]", "![i](x.png)", "null", "{%", "{#",
)  # fmt: skip
FRONTS = ("", "-", "=", "+", "@", "#", "\t", "\n", " ", "%", '"', "'", "[", "{", "|", ">", "&")
ENDS = ("", " ", "  ", "\t", "\n", "\\", '"')
MATH = (r"\(\frac{QK^\top}{\sqrt{d_k}}\)", r"\(x_{i}\)", r"\[a::b\]")


def _sound(text: str) -> bool:
    """Whether a deck can hold the text: it says something, and nothing in it is invisible."""
    return bool(text.strip()) and not FOUL.search(text) and "\r" not in text


WORDS = st.sampled_from(("x", "Q", "i", "attention", "c2", "no", "true", "7"))
ANY = 0xF0  # a byte from here on begins the number of any character; those below name pieces


@cache
def texts() -> st.SearchStrategy[str]:
    """Texts of several lines that say something; blanks at either end count.

    A text is drawn as bytes, which is ten times faster than piece by piece.
    """
    return st.binary(min_size=2, max_size=9).map(_spoken)


def _spoken(data: bytes) -> str:
    """The text that these bytes stand for: its front and its end, and pieces between them."""
    rest, said = list(data[2:]), ["x"]
    while rest:
        byte = rest.pop(0)
        said.append(PIECES[byte % len(PIECES)] if byte < ANY else _sign(rest[:3]))
        rest = rest if byte < ANY else rest[3:]
    return FRONTS[data[0] % len(FRONTS)] + "".join(said) + ENDS[data[1] % len(ENDS)]


def _sign(number: list[int]) -> str:
    """The character of that number; none where a deck cannot hold it."""
    code = int.from_bytes(bytes(number)) % 0x110000
    sign = "" if 0xD800 <= code < 0xE000 else chr(code)
    return "" if not sign or FOUL.match(sign) or sign == "\r" else sign


@cache
def lines() -> st.SearchStrategy[str]:
    """Texts of one line, without blanks at either end: titles, and answers that are typed."""
    return texts().map(lambda text: " ".join(text.split())).filter(_sound)


@cache
def tags() -> st.SearchStrategy[tuple[str, ...]]:
    """Different labels without blanks."""
    tag = texts().map(lambda text: "".join(text.split())).filter(_sound)
    return st.lists(tag, max_size=3, unique=True).map(tuple)


@cache
def ids() -> st.SearchStrategy[str]:
    """Ids as a deck file has them, without the deck."""
    first, rest = st.sampled_from("az09"), st.text("bk1._-", max_size=6)
    return st.tuples(first, rest).map("".join)


@cache
def clozes() -> st.SearchStrategy[str]:
    """Texts with one to three holes, some with hints, some with mathematics in them."""
    inside = st.one_of(WORDS, st.sampled_from(MATH), lines())
    hint = st.one_of(st.just(""), WORDS.map(lambda word: f"::{word}"))
    hole = st.builds(
        lambda number, text, said: f"{{{{c{number}::{text}{said}}}}}",
        st.integers(1, 3),
        inside,
        hint,
    )
    part = st.tuples(st.one_of(WORDS, texts()), hole).map("".join)
    text = st.lists(part, min_size=1, max_size=3).map("".join)
    return st.tuples(text, st.one_of(st.just(""), texts())).map("".join).filter(_is_cloze)


def _is_cloze(text: str) -> bool:
    return _sound(text) and not fault(text)


@cache
def _maybe(text: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.just(""), text)


@cache
def _options() -> st.SearchStrategy[tuple[Option, ...]]:
    option = st.builds(Option, lines(), _maybe(texts()))
    return st.lists(option, min_size=2, max_size=4, unique_by=lambda one: one.text).map(tuple)


@st.composite
def notes(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    """The fields of one note of that kind, without what places it in a deck."""
    fields: dict[str, Any] = {"front": "", "back": "", "note": draw(_maybe(texts()))}
    fields["tags"] = draw(tags())
    if kind == "cloze":
        return fields | {"cloze": draw(clozes()), "back": draw(_maybe(texts()))}
    fields["front"] = draw(texts())
    if kind == "choice":
        options = draw(_options())
        answer = draw(st.sampled_from(options)).text
        return fields | {"options": options, "answer": answer, "back": draw(_maybe(texts()))}
    if kind == "typed":
        return fields | draw(_typed()) | {"back": draw(_maybe(texts()))}
    return fields | {"back": draw(texts())}


@st.composite
def _typed(draw: st.DrawFn) -> dict[str, Any]:
    """What counts as right: a text and others that do, or a number that may be a little off."""
    if draw(st.booleans()):
        tolerance = draw(st.sampled_from((None, 0.0, 0.01, 2.5)))
        return {"answer": str(draw(st.integers(-99, 99)) / 4), "tolerance": tolerance}
    return {"answer": draw(lines()), "accept": tuple(draw(st.lists(lines(), max_size=2)))}


KINDS = ("basic", "reversed", "cloze", "typed", "choice")


@st.composite
def decks(
    draw: st.DrawFn, only: Sequence[str] = KINDS, *, extras: bool = False, most: int = 5
) -> Deck:
    """Decks of one to `most` notes of the kinds `only`, as `deck.reader` would give them.

    With `extras` notes may also have a figure, a demo with knobs, and notes they come after.
    """
    drafts: list[tuple[str, dict[str, Any]]] = []
    for kind in draw(st.lists(st.sampled_from(only), min_size=1, max_size=most)):
        drafts.append((kind, draw(notes(kind))))
    titles = draw(_titles(len(drafts)))
    names = draw(st.lists(ids(), min_size=len(drafts), max_size=len(drafts), unique=True))
    made: dict[str, Card] = {}
    for (kind, fields), section, written in zip(drafts, titles, names, strict=True):
        is_written = draw(st.integers(0, 3)) > 0
        name = written if is_written else automatic_id(fields["front"] or fields.get("cloze", ""))
        more = draw(_extras(tuple(made))) if extras else {}
        card = Card(
            f"{NAME}/{name}", kind, section=section, written_id=is_written, **fields, **more
        )
        made.setdefault(card.id, card)
    title, source = draw(lines()), draw(_maybe(lines()))
    return deck(tuple(made.values()), title, source, draw(st.sampled_from(("", "de"))))


def deck(
    found: tuple[Card, ...], title: str = "Mine", source: str = "", language: str = ""
) -> Deck:
    """Return a deck of these notes."""
    cards = tuple(card for note in found for card in kinds.kind(note.kind).cards(note))
    path = Path(f"{NAME}.yaml")
    return Deck(NAME, title, path, cards, source, language, notes=found)


def assert_same(found: Imported, deck: Deck) -> None:
    """Check that all notes of a deck came back in their places, and what it says of itself."""
    assert [as_json(one.fields) for one in found.notes] == [
        as_json(spelled(one)) for one in deck.notes
    ]
    assert [one.section for one in found.notes] == [one.section for one in deck.notes]
    assert (found.name, found.title, found.source, found.language) == (
        deck.name,
        deck.title,
        deck.source,
        deck.language,
    )
    assert found.skipped == ()


def as_json(value: object) -> Any:
    """Return the same value with the lists and objects that JSON has."""
    return json.loads(json.dumps(value))


@st.composite
def _titles(draw: st.DrawFn, count: int) -> list[str]:
    """A section for each note, those of one section side by side; or none for all."""
    if draw(st.booleans()):
        return [""] * count
    known = draw(st.lists(lines(), min_size=1, max_size=2, unique_by=plain_front))
    places = sorted(draw(st.lists(st.integers(0, len(known) - 1), min_size=count, max_size=count)))
    return [known[place] for place in places]


@st.composite
def _extras(draw: st.DrawFn, earlier: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if draw(st.booleans()):
        found["figure"] = Figure(("it", draw(lines())), (0.25, 0.75), "it")
    if draw(st.booleans()):
        found["demo"] = "scale"
        found["knobs"] = draw(st.sampled_from(((), (("d_k", "64"),))))
    is_later = draw(st.booleans())
    if earlier and is_later:
        found["after"] = (draw(st.sampled_from(earlier)),)
    return found
