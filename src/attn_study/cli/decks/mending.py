"""A deck file edited until it is sound: its mistakes are shown as comments where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.cli.decks.editor import open_editor
from attn_study.errors import UserError
from attn_study.files import free, load_bytes, write_bytes
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from attn_study.cli.world import World
    from attn_study.deck.complaint import Complaint
    from attn_study.deck.remarks import Remarked

BEFORE = "~"  # begins the names of files that are no decks yet
MOST_ROUNDS = 100  # an editor that changes the text by itself would never end
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def edit_file(world: World, path: Path, line: int, *, whole: bool = False) -> None:
    """Let the learner edit the file, and again while it has mistakes and they change something.

    With `whole` the deck is meant and not one card: mistakes that it has are shown at once.

    Every text they leave is what the file holds. Where it cannot be put there, or the editing is
    broken off, the draft that has their text is named.
    """
    seen = load_bytes(path)
    errors = _errors(world, path) if whole and not seen.startswith(UTF_16) else []
    if errors:
        _offer_again(world, path, seen, errors)
    else:
        open_editor(world, path, line)
    for _ in range(MOST_ROUNDS):
        now = _there(path)
        if now is None or now == seen or now.startswith(UTF_16):
            return
        errors = _errors(world, path)
        if not errors:
            return
        seen = now
        _offer_again(world, path, now, errors)


def _there(path: Path) -> bytes | None:
    """What the file holds; None when it was deleted in the editor."""
    return load_bytes(path) if path.exists() else None


def _errors(world: World, path: Path) -> list[Complaint]:
    from attn_study.cli.decks.checking import look

    return look(world, [path]).errors


def _offer_again(world: World, path: Path, now: bytes, errors: Sequence[Complaint]) -> None:
    """Open a draft with the mistakes in it, and put what is left of it into the file."""
    from attn_study.deck.remarks import remarked

    shown = remarked(now.decode("utf-8", "surrogateescape"), errors)
    draft = free(path.with_name(f"{BEFORE}{path.name}"))
    write_bytes(draft, shown.text.encode("utf-8", "surrogateescape"))
    number = counted(len(errors), "mistake(|s)")
    world.say(f"{path}: {number}; opening it with comments where they are")
    first = shown.text[: shown.text.find(f"{shown.mark} line")].count("\n") + 1
    kept = f"what you typed is kept in {draft}"
    try:
        open_editor(world, draft, first)
        _take_over(path, draft, now, shown)
    except UserError as error:
        hint = f"{error.hint}; {kept}" if error.hint else kept
        raise UserError(error.what, where=error.where, hint=hint) from error
    except BaseException:  # Ctrl-C above all
        if draft.exists():
            world.say(kept)
        raise


def _take_over(path: Path, draft: Path, now: bytes, shown: Remarked) -> None:
    """Put the draft, without remarks, in the place of the file; it stays when that cannot be."""
    if not draft.exists():  # deleted in the editor: nothing was left in it
        return
    text = load_bytes(draft).decode("utf-8", "surrogateescape")
    wanted = shown.without(text).encode("utf-8", "surrogateescape")
    if wanted != now:
        if _there(path) != now:
            raise UserError("the file was changed by another program", where=str(path))
        write_bytes(path, wanted)
    draft.unlink()
