"""What a learner most likely meant where YAML only says that it is lost."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from attn_study.deck.nodes import Many, Map, Text
from attn_study.deck.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yaml import MarkedYAMLError

    from attn_study.deck.nodes import Tree
    from attn_study.deck.source import Place

LONGEST = 60  # characters of a text that a hint repeats
ENOUGH = 1_000  # characters of a line that are looked at: some patterns take quadratic time
FIELD = re.compile(r"[ ]*(?:-[ ]+)*(?:[\w-]+:(?:[ ]+|$))?(?P<value>.*?)\s*$")
BLOCK = "put quotes round the text, or write it as a | block"
SPREAD_OUT = "write the text in single quotes, or as a | block"
UNDER = "the keys of a card stand exactly under each other, the cards exactly under each other"


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in the syntax; line and column count from 0, `cause` is the line to blame."""

    line: int
    column: int
    what: str
    hint: str
    cause: int


def requote(value: str) -> str:
    """Say how a text is written so that it stays text."""
    wrapped = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    inside = value[1:-1] if wrapped else value
    if len(value) > LONGEST:
        return BLOCK
    return f"put single quotes round it: {quoted(inside)}"


def explain(error: MarkedYAMLError, tree: Tree, lines: Sequence[str]) -> Mistake:
    """Turn the error that ended a tree into words."""
    place: Any = error.problem_mark or error.context_mark
    problem = error.problem or "this is not YAML"
    if ESCAPE.search(problem):
        return _escaped(place, error.context_mark or place, lines)
    if any(frame.node.flow for frame in tree.stack):
        return _in_brackets(place, tree, lines)
    opened = _opened(tree, error)
    if opened is not None:
        what, hint = _unclosed(lines[opened.line], opened, place, problem)
        return Mistake(opened.line, opened.column, what, hint, opened.line)
    line = min(place.line, len(lines) - 1)
    what, hint = _words(lines[line], place.column, problem, is_spread=_is_spread(lines, line))
    return Mistake(line, place.column, what, hint, line)


def _escaped(place: Place, start: Place, lines: Sequence[str]) -> Mistake:
    """Explain a backslash in the double quotes that began at `start`: those are exchanged."""
    line = min(place.line, len(lines) - 1)
    source = lines[line]
    begin = source.rfind("\\", 0, place.column + 1)
    what = f"{source[begin : begin + 2]} means nothing inside double quotes"
    text = QUOTED.match(source, start.column) if start.line == line else None
    hint = SPREAD_OUT
    if text:
        field, rest = FIELD.match(source[:ENOUGH]), source[text.end() :].strip()
        is_first = field and field.start("value") == start.column  # so not inside brackets
        is_part = is_first and rest and not rest.startswith("#")
        hint = requote(source[text.start() :].rstrip() if is_part else text[0])
    return Mistake(line, place.column, what, hint, line)


def _flows(tree: Tree) -> list[int]:
    """Return which of the open lists and maps stand in brackets, outermost first."""
    return [at for at, frame in enumerate(tree.stack) if frame.node.flow]


def _in_brackets(place: Place, tree: Tree, lines: Sequence[str]) -> Mistake:
    """Explain what cannot be read in brackets: a text begins with them, or one stands in them."""
    flows = _flows(tree)
    outer = tree.stack[flows[0]].node
    of_text = next((at for at in flows if _key_above(tree, at) not in STRUCTURES), None)
    if of_text == flows[0]:
        source, at = lines[outer.start.line], outer.start
        shape = "list" if source[at.column : at.column + 1] == "[" else "map"
        hint = requote(source[at.column :].rstrip())
        if _is_spread(lines, at.line):
            hint = SPREAD_OUT
        return Mistake(at.line, at.column, f"this reads as a {shape}, not as text", hint, at.line)
    inner = tree.stack[flows[-1]].node
    begun = tree.stack[of_text].node.start if of_text else _last_begun(inner)
    if begun is None or begun.line != place.line or place.line >= len(lines):
        opens = lines[inner.start.line][inner.start.column : inner.start.column + 1]
        closes = "]" if opens == "[" else "}"
        what = f"this {opens} is never closed, or a comma is missing"
        hint = f"write {closes} at the end, and a comma between two parts"
        return Mistake(inner.start.line, inner.start.column, what, hint, outer.start.line)
    source = lines[place.line]
    text = source[begun.column : place.column] + _up_to_comma(source[place.column :])
    what = "between brackets this does not fit behind what comes before it"
    if source[place.column : place.column + 1] == ":":
        what = "a second `: ` in one value, so this reads as a key"
    return Mistake(place.line, place.column, what, requote(text), outer.start.line)


def _up_to_comma(text: str) -> str:
    """Return the rest of a text that stands in brackets."""
    return re.split(r"[,\]}]", text, maxsplit=1)[0].rstrip()


def _key_above(tree: Tree, at: int) -> str:
    """Return the nearest key that the open list or map at this depth stands under."""
    for frame in reversed(tree.stack[:at]):
        if isinstance(frame.node, Map):
            key = frame.node.pairs[-1][0] if frame.node.pairs else None
            return key.value if isinstance(key, Text) else ""
    return "cards"  # a deck written in brackets as a whole


def _last_begun(node: Many | Map) -> Place | None:
    """Return where the last part of a list or map began."""
    if isinstance(node, Many):
        return node.items[-1].start if node.items else None
    return node.pairs[-1][1].start if node.pairs else None


def _is_spread(lines: Sequence[str], at: int) -> bool:
    """Whether the text on a line began on the one before it, or goes on on the next."""
    pairs = [(lines[one], lines[one + 1]) for one in (at - 1, at) if 0 <= one < len(lines) - 1]
    return any(_hangs(upper[:ENOUGH], lower[:ENOUGH]) for upper, lower in pairs)


def _hangs(upper: str, lower: str) -> bool:
    value = FIELD.match(upper)
    return bool(value and value["value"] and lower.strip() and _column(lower) > _column(upper))


def _column(line: str) -> int:
    found = MARGIN.match(line)
    return found.end() if found else 0


def _opened(tree: Tree, error: MarkedYAMLError) -> Place | None:
    """Where a quote began that swallowed the lines up to the error."""
    if "quoted scalar" in (error.context or ""):
        return error.context_mark
    last = tree.last
    if last and last.style in ("'", '"') and last.start.line < last.end.line:
        at_end = error.problem_mark and error.problem_mark.line == last.end.line
        return last.start if at_end else None
    return None


def _unclosed(source: str, opened: Place, place: Place, problem: str) -> tuple[str, str]:
    """Words for a quote that ends too late, or never."""
    char = source[opened.column : opened.column + 1]
    hint = f"write {char} at the end of the text"
    if "quote" in problem or "end of stream" in problem or "document" in problem:
        return f"this quote {char} is never closed", hint
    return f"this quote {char} is closed only on line {place.line + 1}", hint


def _words(source: str, column: int, problem: str, *, is_spread: bool) -> tuple[str, str]:
    """Words for a mistake within one line; text that is spread over several is not repeated."""
    match = FIELD.match(source[:ENOUGH])
    value = match["value"] if match else ""
    quotes = SPREAD_OUT if is_spread else requote(value)
    if TAB.match(source) or "tab" in problem.split():
        return "a tab in the indentation", "indent with spaces"
    if "nesting depth" in problem:
        return "brackets too deep inside each other", quotes
    if "mapping values" in problem and SECOND_COLON.search(value):
        return "a second `: ` on the line, so this reads as a key", quotes
    for pattern, what in VALUES:
        if pattern.match(value):
            return what, quotes
    if "cannot start any token" in problem:  # in brackets, or the patterns would know it
        return NO_BEGIN, requote(_up_to_comma(source[column:]))
    for words, what, hint in PROBLEMS:
        if words in problem:
            return what, hint
    return problem, BLOCK


# Keys that hold lists and maps: there brackets are meant as such
STRUCTURES = (
    *("cards", "sections", "formerly", "choices", "accept", "tags", "after"),
    *("figure", "with", "tokens", "weights", "from"),
)
MARGIN = re.compile(r"[ ]*(?:-[ ]+)*")
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
ESCAPE = re.compile("escape|hexa?decimal")  # "hexdecimal" is how the C library spells it
TAB = re.compile(r"[ ]*\t")
SECOND_COLON = re.compile(r":(?:\s|$)")
NO_BEGIN = "text cannot begin with @, % or a backtick"
VALUES = tuple(
    (re.compile(pattern), what)
    for pattern, what in (
        (r'"(?:[^"\\]|\\.)*"\s*[^\s#]', "there is text after the closing quote"),
        (r"'(?:[^']|'')*'\s*[^\s#]", "there is text after the closing quote"),
        (r"\[.*\]\s*[^\s#]", "text that begins with [ reads as a list"),
        (r"\{.*\}\s*[^\s#]", "text that begins with { reads as a map"),
        (r"\*", "text cannot begin with * (it reads as an alias)"),
        (r"&", "text cannot begin with & (it reads as an anchor)"),
        (r"!", "text cannot begin with ! (it reads as a tag)"),
        (r"[@`%]", NO_BEGIN),
        (r"[|>]\s*[^\s#]", "text cannot begin with | or > (it opens a block)"),
        (r"\?\s", "text cannot begin with `? `"),
        (r"-\s", "text cannot begin with `- ` (it reads as a list)"),
    )
)
PROBLEMS = (
    (
        "mapping values",
        "a `:` where no key can stand",
        "a key needs `: ` behind it; text of several lines with `:` needs a | block",
    ),
    ("expected <block end>", "this line does not stand where YAML expects it", UNDER),
    ("could not find expected ':'", "a key without `: `", "write `key: text`"),
    ("did not find expected", "this line does not stand where YAML expects it", UNDER),
)
