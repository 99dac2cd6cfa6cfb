"""A working as data: every step at full precision, as strict JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.demos.working import Working

SCHEMA = "attn-study/demo/1"


def document(
    name: str, working: Working, steps: Sequence[object], mistake: str = ""
) -> dict[str, Any]:
    """Return a working of the demo `name`, with its steps as JSON values, as one object.

    With a mistake the steps are those of the wrong computation.
    """
    made = {"mistake": mistake} if mistake else {}
    return {
        "schema": SCHEMA,
        "demo": name,
        "weights": working.weights,
        "knobs": {name: _plain(value) for name, value in working.knobs.items()},
        **made,
        "notice": working.notice,
        "steps": list(steps),
    }


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, str | int | float) else str(value)


def text(fields: dict[str, Any], *, ascii: bool = False) -> str:
    """Return a document as strict JSON, a line for each of its fields and steps."""
    steps = ",\n".join(f"  {_dumped(step, ascii)}" for step in fields["steps"])
    head = ",\n".join(
        f" {_dumped(key, ascii)}: {_dumped(fields[key], ascii)}" for key in fields if key != "steps"
    )
    return f'{{\n{head},\n "steps": [\n{steps}\n ]\n}}'


def _dumped(value: object, ascii: bool) -> str:
    return json.dumps(value, allow_nan=False, ensure_ascii=ascii)
