"""Files that are named by the learner: one meant to be read is found, none overwrites our data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.memory.safety.copies import sides

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.places import Home


def check_foreign(output: Path, home: Home, *, copies: bool = False) -> None:
    """Raise UserError for a file in which the program keeps its own data, or will.

    Into the folder of the backups go `copies` alone, and none under a name that is thinned out.
    """
    target = output.resolve()
    if _is_own(target, home) or (target.parent == home.backups.resolve() and not copies):
        raise UserError(
            "attn-study keeps its own data here", where=str(output), hint="name another file"
        )
    if copies and target.parent == home.backups.resolve():
        from attn_study.memory.safety.backup import NAME

        if NAME.fullmatch(target.name):
            what = "backups that are made by themselves have such names, and are thinned out"
            raise UserError(what, where=str(output), hint=f"for example {home.backups}/exam.db")


def _is_own(target: Path, home: Home) -> bool:
    databases = (home.study, home.cache)
    own = [*databases, home.settings]
    own += [side for path in databases for side in sides(path)]
    if any(target == path.resolve() or _is_same(target, path) for path in own):
        return True
    root = home.root.resolve()
    is_lock = target.parent in (root, home.backups.resolve()) and target.suffix == ".lock"
    inside = (home.decks.resolve(), home.backups.resolve() / "decks")
    return is_lock or any(target == folder or folder in target.parents for folder in inside)


def _is_same(target: Path, path: Path) -> bool:
    """Whether two names lead to one file, as where capitals do not count."""
    try:
        return target.samefile(path)
    except OSError:
        return False


def typed(path: Path) -> Path:
    """Return a path that was typed, whole; raises UserError for the home of no user."""
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise UserError("no such user's folder", where=str(path)) from error


def copy_named(path: Path, home: Home) -> Path:
    """Return the copy that is meant: a bare name, as `backup` lists it, is looked for there too."""
    file = typed(path)
    if file.exists() or len(file.parts) != 1:
        return file
    places = (home.backups / file.name, home.root / file.name)
    return next((place for place in places if place.exists()), file)
