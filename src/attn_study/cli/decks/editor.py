"""The learner's own editor, opened on a file at a line."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.cli.world import World

# How editors take a line; `{file}` and `{line}` are filled in. Others open at the top.
AT_LINE = {
    ("vi", "vim", "nvim", "view", "nano", "pico", "emacs", "emacsclient", "micro", "kak", "joe"): (
        "+{line}",
        "{file}",
    ),
    ("code", "codium", "cursor"): ("--wait", "--goto", "{file}:{line}"),
    ("hx", "helix", "subl", "zed"): ("{file}:{line}",),
}


def open_editor(world: World, path: Path, line: int) -> None:
    """Run the learner's editor on `path` and wait for it.

    Raises UserError when there is no terminal or no editor to be found.
    """
    place = f"{path}:{line}"
    if not (world.stdin.isatty() and world.stdout.isatty()):
        raise UserError("no terminal to edit in", where=place, hint="edit the file yourself")
    command = _command(world, path, line)
    try:
        subprocess.run(command, check=False)
    except OSError as error:
        what = f"the editor {command[0]!r} cannot be started: {error.strerror or error}"
        raise UserError(what, where=place, hint="set EDITOR to the editor you use") from error


def _command(world: World, path: Path, line: int) -> list[str]:
    chosen = world.environ.get("VISUAL") or world.environ.get("EDITOR") or _usual()
    if not chosen:
        raise UserError("no editor was found", hint="set EDITOR to the editor you use")
    try:
        words = shlex.split(chosen, posix=os.name == "posix")
    except ValueError:
        words = []
    if not words:
        raise UserError(f"{chosen!r} is no editor", hint="set EDITOR to the editor you use")
    name = Path(words[0]).stem.casefold()
    for editors, arguments in AT_LINE.items():
        if name in editors:
            return [*words, *(each.format(file=path, line=line) for each in arguments)]
    return [*words, str(path)]


def _usual() -> str:
    usual = ("notepad",) if os.name == "nt" else ("sensible-editor", "nano", "vi")
    return next((name for name in usual if shutil.which(name)), "")
