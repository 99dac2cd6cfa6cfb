"""Deck files kept alike in two folders: what changed on one side goes to the other.

What stood in a file when both sides were alike is remembered by its digest, so that it is known
which side has changed since. Where both have, both texts stay. What was removed on one side stays
on the other.
"""

from __future__ import annotations

import unicodedata
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from attn_study.deck.library import SUFFIXES, UNFINISHED
from attn_study.errors import UserError
from attn_study.files import write_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

GONE = "-"  # remembered of a file that was removed on one side
MOST = 2**24  # bytes of a file that is carried


@dataclass(slots=True)
class Carried:
    """What was done with each file, by its name below the folder of decks.

    `both` pairs the names of files that changed on both sides with those under which the text of
    the other side stands beside them; `aside` does for files where the other machine found that
    first, so that its text holds and the one from here stands beside it. `gone` are those found
    removed on one side, `odd` lines on what could not be carried. `known` is what to remember.
    """

    sent: list[str] = field(default_factory=list)
    received: list[str] = field(default_factory=list)
    both: list[tuple[str, str]] = field(default_factory=list)
    aside: list[tuple[str, str]] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)


def carry(here: Path, there: Path, kept: Path, known: Mapping[str, str]) -> Carried:
    """Carry the deck files of the folders `here` and `there`, subfolders too, both ways.

    `known` is what the last time has returned. A file of `here` that is replaced is kept in the
    folder `kept`. One that cannot be carried keeps no other from it.
    """
    done = Carried(known=dict(known))
    names = dict.fromkeys(name for folder in (here, there) for name in _names(folder))
    for name in sorted(names | dict.fromkeys(known)):
        try:
            _carry_one(name, here, there, kept, done)
        except UserError as error:
            done.odd.append(f"{error.where or name}: {error.what}")
    return done


def _carry_one(name: str, here: Path, there: Path, kept: Path, done: Carried) -> None:
    ours, theirs = _content(here / name), _content(there / name)
    own, other = _digest(ours), _digest(theirs)
    before = done.known.get(name, "")
    if own == other:
        if own:
            done.known[name] = own
        else:
            done.known.pop(name, None)
    elif not own or not other:
        _carry_lone(name, here, there, (ours, theirs), done)
    elif own == before and theirs is not None and ours is not None:
        _keep(kept, name, ours)
        _put(here / name, theirs, instead=ours)
        done.known[name] = other
        beside = _beside(name, own)
        if _digest(_content(here / beside)) == own:  # it has come back under another name
            done.received = [one for one in done.received if one != beside]
            done.aside.append((name, beside))
        else:
            done.received.append(name)
    else:
        if other != before and theirs is not None:  # both have changed
            beside = _beside(name, other)
            _put(here / beside, theirs)
            _put(there / beside, theirs)
            done.known[beside] = other
            done.both.append((name, beside))
        else:
            done.sent.append(name)
        _put(there / name, ours or b"", instead=theirs)
        done.known[name] = own


def _carry_lone(
    name: str, here: Path, there: Path, texts: tuple[bytes | None, bytes | None], done: Carried
) -> None:
    """Carry a file that is on one side alone, unless it was removed on the other."""
    ours, theirs = texts
    content = ours if ours is not None else theirs
    before, now = done.known.get(name, ""), _digest(content)
    if before in (now, f"{GONE}{now}"):
        if before == now:
            done.gone.append(name)
        done.known[name] = f"{GONE}{now}"
        return
    target, list_ = (there, done.sent) if ours is not None else (here, done.received)
    _put(target / name, content or b"")
    done.known[name] = now
    list_.append(name)


def _names(folder: Path) -> Iterator[str]:
    """The deck files below a folder by their names there; links are left out."""
    waiting = [folder]
    while waiting:
        with suppress(OSError):
            for path in sorted(waiting.pop().iterdir()):
                if path.name.startswith(UNFINISHED) or path.is_symlink():
                    continue
                if path.is_dir():
                    waiting.append(path)
                elif path.suffix.lower() in SUFFIXES and path.is_file():
                    yield path.relative_to(folder).as_posix()


def _content(path: Path) -> bytes | None:
    """Return what stands in a file, None where there is none; raises UserError."""
    try:
        if path.is_symlink() or not path.exists():
            return None
        if not path.is_file() or path.stat().st_size > MOST:
            raise UserError("this is no deck file that could be carried", where=str(path))
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror or error}", where=str(path)) from error


def _put(path: Path, content: bytes, *, instead: bytes | None = None) -> None:
    """Write a file that holds `instead` still, or that is not there; raises UserError."""
    now = _content(path)
    if now == content:
        return
    if now != instead or path.is_symlink():
        raise UserError("it holds another text by now; left alone", where=str(path))
    if now is None and (twin := _twin(path)):
        raise UserError(f"left alone: {twin} has nearly the same name", where=str(path))
    write_bytes(path, content)


def _twin(path: Path) -> str:
    """Return a neighbour that some systems take for this file."""
    with suppress(OSError):
        for other in path.parent.iterdir():
            if other.name != path.name and _folded(other.name) == _folded(path.name):
                return other.name
    return ""


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _keep(kept: Path, name: str, content: bytes) -> None:
    """Keep what is about to be replaced; the same text once."""
    write_bytes(kept / _beside(name, _digest(content)), content)


def _beside(name: str, digest: str) -> str:
    """Return a name beside a file's, the same wherever the same text is put there."""
    stem, dot, suffix = name.rpartition(".")
    return f"{stem} (other text {digest[:6]}){dot}{suffix}"


def _digest(content: bytes | None) -> str:
    return "" if content is None else sha256(content).hexdigest()
