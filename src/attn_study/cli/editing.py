"""Opening a card in the learner's editor, at its line."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.files import load_bytes, write_bytes
from attn_study.refresh import BUILT_IN

if TYPE_CHECKING:
    from attn_study.cli.study import Study
    from attn_study.cli.world import World
    from attn_study.memory.catalogue import Source

# How editors take a line; `{file}` and `{line}` are filled in. Others open at the top.
AT_LINE = {
    ("vi", "vim", "nvim", "view", "nano", "pico", "emacs", "emacsclient", "micro", "kak", "joe"): (
        "+{line}",
        "{file}",
    ),
    ("code", "codium", "cursor"): ("--wait", "--goto", "{file}:{line}"),
    ("hx", "helix", "subl", "zed"): ("{file}:{line}",),
}


def question_before_editing(study: Study, card: str) -> str:
    """Return what to ask before the card can be edited: built-in decks are copied first."""
    source = _source(study, card)
    return _offer_of_copy(study, source) if source.origin == BUILT_IN else ""


def _offer_of_copy(study: Study, source: Source) -> str:
    return (
        f"The deck {source.deck} came with the program. Make a copy of your own to edit? "
        f"Progress stays. It will be {study.world.home.decks / Path(source.path).name}"
    )


def edit_card(study: Study, card: str) -> str:
    """Let the learner edit the card and bring the catalogue up to date; return words to say.

    A card of a built-in deck is edited in a copy of that deck. A report on the card is cleared
    when its text changed.
    """
    source = _source(study, card)
    if source.origin == BUILT_IN:
        copy_of_built_in(study, source)
    before = study.card(card)
    path = Path(before.path)
    open_editor(study.world, path, study.text(before).line)
    if source.origin == BUILT_IN and load_bytes(path) == load_bytes(Path(source.path)):
        path.unlink()  # a copy that says the same would only stand in the way of the original
    study.refresh()
    after = study.catalogue.entry(card)
    faults = study.faults(path)[:1]
    if after is None:
        return "\n".join([f"{card} is no longer in its deck; its history stays", *faults])
    if replace(study.text(after), line=0) == replace(study.text(before), line=0):
        return "\n".join(["nothing changed", *faults])
    return "\n".join(["changed", *study.clear_report(card), *faults])


def edit_deck(study: Study, source: Source) -> str:
    """Let the learner edit a deck file; return what it holds then, or its mistakes."""
    from attn_study.cli.checking import check_decks

    if source.origin == BUILT_IN:
        if not study.world.agrees(_offer_of_copy(study, source)):
            return "nothing changed"
        source = replace(source, path=str(copy_of_built_in(study, source)))
    open_editor(study.world, Path(source.path), 1)
    study.refresh()
    lines, _ = check_decks(study.world, [Path(source.path)])
    return "\n".join(lines)


def copy_of_built_in(study: Study, source: Source) -> Path:
    """Put a copy of a built-in deck among the learner's own, which then stands in its place."""
    target = study.world.home.decks / Path(source.path).name
    if target.exists():
        raise UserError("this file is in the way of the copy", where=str(target))
    write_bytes(target, load_bytes(Path(source.path)))
    for notice in study.refresh():
        study.world.say(notice)
    return target


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


def _source(study: Study, card: str) -> Source:
    return study.deck(study.card(card).deck)
