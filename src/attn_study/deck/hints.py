"""What a learner most likely meant where YAML only says that it is lost."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
    opened = _opened(tree, error)
    if opened is not None:
        what, hint = _unclosed(lines[opened.line], opened, place, problem)
        return Mistake(opened.line, opened.column, what, hint, opened.line)
    line = min(place.line, len(lines) - 1)
    what, hint = _words(lines[line], place.column, problem)
    return Mistake(line, place.column, what, hint, line)


def _opened(tree: Tree, error: MarkedYAMLError) -> Place | None:
    """Where something began that swallowed the lines up to the error."""
    flow = [frame.node.start for frame in tree.stack if frame.node.flow]
    if flow:
        return flow[0]
    if "quoted scalar" in (error.context or "") and not ESCAPE.search(error.problem or ""):
        return error.context_mark
    last = tree.last
    if last and last.style in ("'", '"') and last.start.line < last.end.line:
        at_end = error.problem_mark and error.problem_mark.line == last.end.line
        return last.start if at_end else None
    return None


def _unclosed(source: str, opened: Place, place: Place, problem: str) -> tuple[str, str]:
    """Words for a quote or bracket that ends too late, or never."""
    char = source[opened.column : opened.column + 1]
    if char in ("'", '"'):
        if "quote" in problem or "end of stream" in problem or "document" in problem:
            return f"this quote {char} is never closed", f"write {char} at the end of the text"
        return (
            f"this quote {char} is closed only on line {place.line + 1}",
            f"write {char} at the end of the text",
        )
    shape = "list" if char == "[" else "map"
    return f"this reads as a {shape}, not as text", requote(source[opened.column :].rstrip())


def _words(source: str, column: int, problem: str) -> tuple[str, str]:
    """Words for a mistake within one line."""
    match = FIELD.match(source[:ENOUGH])
    value = match["value"] if match else ""
    if TAB.match(source) or "tab" in problem.split():
        return "a tab in the indentation", "indent with spaces"
    if ESCAPE.search(problem):
        begin = source.rfind("\\", 0, column + 1)
        return f"{source[begin : begin + 2]} means nothing inside double quotes", requote(value)
    if "nesting depth" in problem:
        return "brackets too deep inside each other", requote(value)
    if "mapping values" in problem and SECOND_COLON.search(value):
        return "a second `: ` on the line, so this reads as a key", requote(value)
    for pattern, what in VALUES:
        if pattern.match(value):
            return what, requote(value)
    for words, what, hint in PROBLEMS:
        if words in problem:
            return what, hint
    return problem, BLOCK


ESCAPE = re.compile("escape|hexa?decimal")  # "hexdecimal" is how the C library spells it
TAB = re.compile(r"[ ]*\t")
SECOND_COLON = re.compile(r":(?:\s|$)")
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
        (r"[@`%]", "text cannot begin with @, % or a backtick"),
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
