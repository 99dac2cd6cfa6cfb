"""Numbers as they stand on a screen, and where each of them may come from."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from attn_study.demos.working import Focus

# A sign belongs to a number at whose left nothing stands that could be taken away from. Digits
# that are part of a name (`weights_2`, `d_1`) or raised and lowered ones are no numbers here.
NUMBER = re.compile(r"(?:(?<![\w.)])[-−])?(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]\d+)?(?: ?%)?")
EXACT = 1e-9  # how near a number is that is shown without decimals
ROUNDED = 100_000  # from here on a number without decimals may be rounded
NAMED = {"queries": "query", "tokens": "query", "heads": "head"}

Numbers = Iterable[float]


class Document:
    """The object that `--json` writes: its steps as arrays, null as not a number."""

    def __init__(self, report: Mapping[str, Any]) -> None:
        self.report = report
        self.steps = {step["name"]: step for step in report["steps"]}
        self._arrays: dict[str, Any] = {}

    def __contains__(self, name: str) -> bool:
        return name in self.steps

    def __getitem__(self, name: str) -> Any:
        """A step as an array."""
        if name not in self._arrays:
            self._arrays[name] = np.array(self.steps[name]["values"], dtype=float)
        return self._arrays[name]

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The size of every axis."""
        pairs = (zip(s["axes"], s["shape"], strict=True) for s in self.steps.values())
        return {axis: size for step in pairs for axis, size in step}

    @property
    def knobs(self) -> Mapping[str, Any]:
        """The knobs as they are set."""
        found: Mapping[str, Any] = self.report["knobs"]
        return found

    def labels(self, axis: str) -> list[str]:
        """The texts of an axis; none where no step has them."""
        every = (step["labels"].get(axis, []) for step in self.steps.values())
        return next((list(labels) for labels in every if labels), [])

    @property
    def asks(self) -> str:
        """The axis whose positions ask; empty where nothing asks."""
        return next((axis for axis in ("queries", "tokens") if axis in self.sizes), "")

    def position(self, query: int) -> int:
        """A query counted from 0, where it may be counted from the end."""
        size = self.sizes.get(self.asks, 1)
        return min(query + size if query < 0 else query, size - 1)

    def row(self, name: str, query: int) -> Any:
        """What a step has for one query; all of it where it knows of no queries."""
        axes = self.steps[name]["axes"]
        at = next((axes.index(axis) for axis in ("queries", "tokens") if axis in axes), None)
        if at is None:
            return self[name]
        return self[name].take(min(self.position(query), self[name].shape[at] - 1), axis=at)


@dataclass(frozen=True)
class Phrase:
    """Words with numbers in them, and what these may be; nothing given: any, it is a formula."""

    pattern: str
    allowed: Callable[[Document], Numbers] | None = None


@dataclass(frozen=True)
class World:
    """All that the numbers of a text may be: values, derived values by name, and phrases."""

    values: Numbers
    derived: Mapping[str, Numbers] = field(default_factory=dict)
    phrases: tuple[tuple[re.Pattern[str], frozenset[float] | None], ...] = ()

    @cached_property
    def _known(self) -> list[float]:
        return ordered(self.values)

    @cached_property
    def _also(self) -> dict[str, list[float]]:
        return {name: ordered(numbers) for name, numbers in self.derived.items()}

    def explain(self, text: str) -> tuple[list[str], set[str]]:
        """Return the numbers that nothing explains, and what was needed beside the values."""
        needed: set[str] = set()
        for pattern, allowed in self.phrases:
            text, found = _without(text, pattern, allowed)
            needed |= {pattern.pattern} if found else set()
        strange = []
        for match in NUMBER.finditer(text):
            if stands_in(self._known, match[0]):
                continue
            names = [name for name, known in self._also.items() if stands_in(known, match[0])]
            needed |= set(names[:1])
            strange += [] if names else [f"{match[0]} in: {text.strip()}"]
        return strange, needed


def ordered(numbers: Numbers) -> list[float]:
    """Finite numbers in their order, each once."""
    found = np.unique(np.asarray(list(numbers), dtype=float))
    return [float(value) for value in found[np.isfinite(found)]]


def stands_in(known: list[float], shown: str) -> bool:
    """Whether a number is among those known, rounded as it is shown."""
    value, half = read(shown)
    wanted = [value, value / 100] if shown.endswith("%") else [value]
    return any(_near(known, each, half * (each / value if value else 1)) for each in wanted)


def _near(known: list[float], value: float, half: float) -> bool:
    at = bisect_left(known, value - half)
    return at < len(known) and known[at] <= value + half


def read(shown: str) -> tuple[float, float]:
    """Return a number as it is shown, and how far from it the true one may be."""
    text = shown.rstrip(" %").replace(",", "").replace("−", "-")
    digits, _, power = text.partition("e")
    decimals = len(digits.partition(".")[2])
    value = float(text)
    half = 0.5 * 10.0 ** (int(power or 0) - decimals)
    if not decimals and abs(value) < ROUNDED:
        half = 0.0
    return value, half + EXACT * max(1.0, abs(value))


def shifted(shown: str) -> str:
    """Return a number that is one unit of its last place larger in size, written the same way."""
    digits = re.sub(r"[^\d.,]", "", shown.partition("e")[0])
    bare = digits.replace(",", "")
    decimals = len(bare.partition(".")[2])
    after = f"{float(bare) + 10.0**-decimals:,.{decimals}f}"
    return shown.replace(digits, after if "," in digits else after.replace(",", ""), 1)


def each_shifted(text: str) -> Iterator[tuple[str, str]]:
    """Yield every number of a text with the text in which it alone is shifted."""
    for match in NUMBER.finditer(text):
        yield match[0], text[: match.start()] + shifted(match[0]) + text[match.end() :]


def _without(
    text: str, pattern: re.Pattern[str], allowed: frozenset[float] | None
) -> tuple[str, bool]:
    """Return the text without a phrase where its numbers are allowed, and whether it was there."""
    found = False

    def blank(match: re.Match[str]) -> str:
        nonlocal found
        numbers = [read(number)[0] for number in NUMBER.findall(match[0])]
        if allowed is not None and not all(number in allowed for number in numbers):
            return match[0]
        found = True
        return re.sub(r"[\d−-]", " ", match[0])

    return pattern.sub(blank, text), found


def values(document: Document, names: Iterable[str] = ()) -> list[float]:
    """All numbers of these steps, of every step where none is named."""
    chosen = tuple(names) or tuple(document.steps)
    return [float(value) for name in chosen for value in document[name].reshape(-1)]


def of_row(document: Document, focus: Focus) -> list[float]:
    """The numbers of every step as far as they belong to the query in focus."""
    rows = (document.row(name, focus.query) for name in document.steps)
    return [float(value) for row in rows for value in np.asarray(row).reshape(-1)]
