"""The knobs of a demo set by hand: checked the same way for the command line and for decks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from attn_study.errors import UserError, near

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.demos.demo import Demo, Knob


def settle(demo: Demo, given: Mapping[str, object]) -> dict[str, Any]:
    """Return a value for every knob of the demo: what is given, else its default.

    Texts are read as the knob's kind; None is not given. Raises UserError for a knob that the
    demo does not have and for a value that the knob cannot take.
    """
    known = {knob.name: knob for knob in demo.knobs}
    for name in given:
        if name not in known:
            hint = near(name, known) or f"its knobs: {', '.join(known) or 'none'}"
            raise UserError(f"demo {demo.name} has no knob {name!r}", hint=hint)
    return {
        name: knob.default if given.get(name) is None else _checked(knob, given[name])
        for name, knob in known.items()
    }


def limits(knob: Knob) -> str:
    """Return what a knob may be, in words; nothing where any text will do."""
    if knob.choices:
        return "one of " + ", ".join(knob.choices)
    least, most = (_short(bound) for bound in (knob.least, knob.most))
    if least and most:
        return f"from {least} to {most}"
    return f"{least} or more" if least else f"{most} or less" if most else ""


def _checked(knob: Knob, given: object) -> Any:
    if not isinstance(given, str | int | float):
        return given  # read from a file, and checked there
    value = _read(knob, given)
    fits = value in knob.choices if knob.choices else str(value).strip() != ""
    if isinstance(value, int | float):
        fits = _is_finite(value) and _at_least(knob, value) and _at_most(knob, value)
    if not fits:
        raise UserError(f"{knob.name} cannot be {_shown(given)}", hint=limits(knob) or knob.says)
    return value


def _read(knob: Knob, given: object) -> int | float | str:
    try:
        text = str(given)  # Python writes and reads ints of so many digits only
        return text if knob.kind is str else knob.kind(text.strip())
    except ValueError:
        kind = "a whole number" if knob.kind is int else "a number"
        hint = f"{kind} {limits(knob)}".rstrip()
        raise UserError(f"{knob.name} cannot be {_shown(given)}", hint=hint) from None


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number larger than any float
        return False


def _at_least(knob: Knob, value: float) -> bool:
    return knob.least is None or value >= knob.least


def _at_most(knob: Knob, value: float) -> bool:
    return knob.most is None or value <= knob.most


def _short(bound: float | None) -> str:
    return "" if bound is None else f"{bound:,.10g}"


def _shown(given: object) -> str:
    try:
        text = str(given)
    except ValueError:  # an int with more digits than Python writes
        text = hex(given) if isinstance(given, int) else ""
    return repr(text if len(text) <= 40 else f"{text[:40]}…")
