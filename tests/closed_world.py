"""Numbers as they stand on a screen, and where each of them may come from."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

# A sign belongs to a number when nothing stands before it that could be taken away from. Digits
# in a name (`weights_2`) and raised or lowered ones are no numbers.
NUMBER = re.compile(r"(?:(?<![\w.)])[-−])?(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]\d+)?(?: ?%)?")
EXACT = 1e-9  # how near a number is that is shown without decimals
PRECISION = 1e-13  # of a number in a document, to its size
ROUNDED = 100_000  # from here on a number without decimals may be rounded
ASKING = ("queries", "tokens", "moments")

Numbers = Iterable[float]


class Document:
    """What `--json` writes: its steps as arrays, with NaN for null; of one query if it is given."""

    def __init__(self, report: Mapping[str, Any], query: int | None = None) -> None:
        self.report = report
        self.steps = {step["name"]: step for step in report["steps"]}
        self._query = query
        self._arrays: dict[str, Any] = {}

    def at(self, query: int) -> Document:
        """The same as one query sees it: its row of every step that knows of queries."""
        return Document(self.report, query)

    def __contains__(self, name: str) -> bool:
        return name in self.steps

    def __getitem__(self, name: str) -> Any:
        """A step as an array."""
        if name not in self._arrays:
            self._arrays[name] = self._seen(self.steps[name])
        return self._arrays[name]

    def _seen(self, step: Mapping[str, Any]) -> Any:
        values = np.array(step["values"], dtype=float)
        at = next((step["axes"].index(axis) for axis in ASKING if axis in step["axes"]), None)
        if at is None or self._query is None:
            return values
        return values.take(min(self._query, values.shape[at] - 1), axis=at)

    def knob(self, name: str) -> float:
        """A knob that holds a number; 0 where it is not set."""
        return float(self.report["knobs"].get(name) or 0)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The size of every axis."""
        pairs = (zip(s["axes"], s["shape"], strict=True) for s in self.steps.values())
        return {axis: size for step in pairs for axis, size in step}

    def labels(self, axis: str) -> list[str]:
        """The texts of an axis; none where no step has them."""
        every = (step["labels"].get(axis, []) for step in self.steps.values())
        return next((list(texts) for texts in every if texts), [])

    def values(self, *names: str) -> Any:
        """All numbers of these steps in one row; of every step where none is named."""
        return np.concatenate([np.ravel(self[name]) for name in names or self.steps])


Source = Callable[[Document], Numbers]


@dataclass(frozen=True)
class World:
    """All that the numbers of a text may be: values, each derived in a way that has a name, or
    those that a phrase may hold; None stands for any: the constants of a formula.
    """

    values: Any
    derived: Mapping[str, Any]
    phrases: Mapping[str, frozenset[float] | None]

    @classmethod
    def of(
        cls,
        values: Any,
        documents: Iterable[Document],
        derived: Mapping[str, Source],
        phrases: Mapping[str, Source | None],
    ) -> World:
        """A world of these values, with what follows from the documents."""
        known = tuple(documents)
        ordered = {name: _ordered(_found(source, known)) for name, source in derived.items()}
        return cls(_ordered(values), ordered, {}).saying(phrases, known)

    def saying(self, phrases: Mapping[str, Source | None], documents: Iterable[Document]) -> World:
        """The same world, in which these phrases are looked for first."""
        known = tuple(documents)
        allowed = {
            pattern: None if source is None else frozenset(_found(source, known))
            for pattern, source in phrases.items()
        }
        return replace(self, phrases={**allowed, **self.phrases})

    def explain(self, text: str) -> tuple[list[str], set[str]]:
        """Return the numbers that nothing explains, and what was needed beside the values."""
        needed: set[str] = set()
        left = text
        for pattern, allowed in self.phrases.items():
            without = re.sub(pattern, lambda match: _blanked(match, allowed), left)  # noqa: B023
            needed |= {pattern} if without != left else set()
            left = without
        strange = []
        for match in NUMBER.finditer(left):
            if not _stands_in(self.values, match[0]):
                names = [name for name in self.derived if _stands_in(self.derived[name], match[0])]
                needed |= set(names[:1])
                strange += [] if names else [f"{match[0]} in: {text.strip()}"]
        return strange, needed


def _found(source: Source, documents: Iterable[Document]) -> list[float]:
    return [float(number) for each in documents for number in source(each)]


def _ordered(numbers: Any) -> Any:
    """Finite numbers in their order, each once."""
    found = np.unique(np.asarray(numbers, dtype=float))
    return found[np.isfinite(found)]


def _blanked(match: re.Match[str], allowed: frozenset[float] | None) -> str:
    """Return a phrase without its digits if its numbers are allowed, else as it is."""
    numbers = [read(number)[0] for number in NUMBER.findall(match[0])]
    if allowed is not None and not all(number in allowed for number in numbers):
        return match[0]
    return re.sub(r"\d", " ", match[0])


def _stands_in(known: Any, shown: str) -> bool:
    """Whether a number is among those known, which are in order, rounded as it is shown."""
    value, half = read(shown)
    if shown.endswith("%") and _near(known, value / 100, half / 100):
        return True
    return _near(known, value, half)


def _near(known: Any, value: float, half: float) -> bool:
    at = bisect_left(known, value - half)
    return bool(at < len(known) and known[at] <= value + half)


def read(shown: str) -> tuple[float, float]:
    """Return a number as it is shown, and how far from it the true one may be."""
    text = shown.rstrip(" %").replace(",", "").replace("−", "-")
    digits, _, power = text.partition("e")
    decimals = len(digits.partition(".")[2])
    value = float(text)
    half = 0.5 * 10.0 ** (int(power or 0) - decimals)
    if not decimals and abs(value) < ROUNDED:
        half = 0.0
    return value, half + max(EXACT, PRECISION * abs(value))


def each_shifted(text: str) -> Iterator[tuple[str, str]]:
    """Yield each number of a text, and the text with it a unit of its last place further from 0."""
    for match in NUMBER.finditer(text):
        yield match[0], text[: match.start()] + _shifted(match[0]) + text[match.end() :]


def _shifted(shown: str) -> str:
    digits = re.sub(r"[^\d.,]", "", shown.partition("e")[0])
    bare = digits.replace(",", "")
    decimals = len(bare.partition(".")[2])
    after = f"{float(bare) + 10.0**-decimals:,.{decimals}f}"
    return shown.replace(digits, after if "," in digits else after.replace(",", ""), 1)
