"""A working as data: every step at full precision, as strict JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from attn_study.attention.trace import to_json

if TYPE_CHECKING:
    from attn_study.demos.demo import Working

SCHEMA = "attn-study/demo/1"


def document(name: str, working: Working, mistake: str = "") -> dict[str, Any]:
    """Return a working of the demo `name` as JSON values.

    Masked scores are null. With a mistake the steps are those of the wrong computation.
    """
    made = {"mistake": mistake} if mistake else {}
    return {
        "schema": SCHEMA,
        "demo": name,
        "weights": working.weights,
        "knobs": dict(working.knobs),
        **made,
        "notice": working.notice,
        "steps": to_json(working.trace),
    }


def text(name: str, working: Working, mistake: str = "", *, ascii: bool = False) -> str:
    """Return the document as one JSON object, a line each for its fields and steps."""
    fields = document(name, working, mistake)
    steps = ",\n".join(f"  {_dumped(step, ascii)}" for step in fields.pop("steps"))
    head = ",\n".join(f" {_dumped(key, ascii)}: {_dumped(fields[key], ascii)}" for key in fields)
    return f'{{\n{head},\n "steps": [\n{steps}\n ]\n}}'


def _dumped(value: object, ascii: bool) -> str:
    return json.dumps(value, allow_nan=False, ensure_ascii=ascii)
