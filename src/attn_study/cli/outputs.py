"""Where a command may write: anywhere but into the program's own data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.places import Home


def check_foreign(output: Path, home: Home) -> None:
    """Raise UserError for a file in which the program keeps its own data."""
    if output.resolve() in {path.resolve() for path in (home.study, home.cache, home.settings)}:
        hint = "name another"
        raise UserError("attn-study keeps its own data here", where=str(output), hint=hint)
