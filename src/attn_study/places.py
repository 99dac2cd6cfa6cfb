"""Where the learner's database, decks, settings and backups are kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping


class Home(NamedTuple):
    """The folder that holds everything the learner owns."""

    root: Path

    @property
    def study(self) -> Path:
        """The log of every answer: the one file that must not be lost."""
        return self.root / "study.db"

    @property
    def cache(self) -> Path:
        """What is known of the deck files; may be deleted at any time."""
        return self.root / "cache.db"

    @property
    def decks(self) -> Path:
        """The learner's own decks."""
        return self.root / "decks"

    @property
    def backups(self) -> Path:
        """Copies of `study`."""
        return self.root / "backups"

    @property
    def settings(self) -> Path:
        """The few settings."""
        return self.root / "settings.toml"


def home(environ: Mapping[str, str]) -> Home:
    """Return the home that `ATTN_STUDY_HOME` names, else the platform's own data folder."""
    chosen = environ.get("ATTN_STUDY_HOME", "").strip()
    if chosen:
        try:
            chosen.encode()
            return Home(Path(chosen).expanduser().absolute())
        except RuntimeError as error:
            raise UserError("no such user's folder", where=chosen) from error
        except UnicodeEncodeError as error:
            raise UserError("this folder's name is not text", where=chosen) from error
    from platformdirs import user_data_path

    return Home(user_data_path("attn-study", appauthor=False))


def fingerprint(root: Path) -> str:
    """Return what tells this home from a copy of it: machine, path and the folder's own number."""
    return f"{_machine()}|{root.resolve()}|{root.stat().st_ino}"


def _machine() -> str:
    for known in ("/etc/machine-id", "/var/lib/dbus/machine-id"):
        try:
            return Path(known).read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            continue
    import platform

    return platform.node()
