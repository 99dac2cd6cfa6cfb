"""A line on standard error that says what goes on, where somebody looks at it."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from attn_study.cli.streams import HarmlessErrors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attn_study.cli.world import World
    from attn_study.memory.exchange.incoming import Tell

MOST = 36  # characters: a line that wraps cannot be wiped


@contextmanager
def progress(world: World) -> Iterator[Callable[[str], None]]:
    """Give a function that shows words in the place of those before; nothing stays of them."""
    stream = world.stderr
    shows = stream.isatty() and not world.quiet and world.environ.get("TERM") != "dumb"

    def put(words: str) -> None:
        if shows and isinstance(stream, HarmlessErrors):
            with suppress(OSError, ValueError):
                stream.overwrite(words)

    try:
        yield lambda words: put(f"{words[:MOST]} ...")
    finally:
        put("")


@contextmanager
def counting(world: World) -> Iterator[Tell]:
    """Give a function that shows how many rows were read, taken in or sent so far."""
    with progress(world) as tell:
        yield lambda stage, rows: tell(f"{rows:,} rows {stage}")
