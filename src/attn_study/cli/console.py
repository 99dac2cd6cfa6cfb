"""The console that draws on standard output."""

from __future__ import annotations

from rich.console import Console

from attn_study.cli.streams import ReaderLeftError


class PlainConsole(Console):
    """A console that leaves it to the caller what a closed pipe means."""

    def on_broken_pipe(self) -> None:
        """Say so instead of ending the program."""
        raise ReaderLeftError
