"""How the explorer ends where its learner does not leave it: by a signal, or by a fault."""

from __future__ import annotations

import asyncio
import signal
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LEAVING = ("SIGINT",)  # Ctrl-C from another program: leaves the explorer alone
ENDING = ("SIGTERM", "SIGHUP", "SIGQUIT")  # end the program, of which the explorer may be a part
CHANGED = (*LEAVING, *ENDING, "SIGTSTP", "SIGCONT", "SIGWINCH", "SIGTTOU", "SIGTTIN")
LONGEST = 120  # characters of what a fault says


@dataclass(slots=True)
class Ending:
    """The signal that ended the explorer and is to end the program; 0 for none."""

    number: int = 0


def told_to_end(leave: Callable[[], None]) -> Ending:
    """Call `leave` in the running loop at a signal that ends; what is ignored stays ignored."""
    ending = Ending()
    loop = asyncio.get_running_loop()

    def heard(number: int) -> None:
        ending.number = number
        leave()

    for name in (*LEAVING, *ENDING):
        number = getattr(signal, name, None)  # Windows has few of them
        if number is None or signal.getsignal(number) == signal.SIG_IGN:  # as under nohup
            continue
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, heard, number if name in ENDING else 0)
    return ending


@contextmanager
def as_before() -> Iterator[None]:
    """Put back what handles signals: Textual and its loop leave their own behind."""
    before: dict[int, Any] = {}
    for name in CHANGED:
        number = getattr(signal, name, None)
        if number is not None and (handler := signal.getsignal(number)) is not None:
            before[number] = handler
    try:
        yield
    finally:
        for number, handler in before.items():
            with suppress(ValueError):  # only the main thread may
                signal.signal(number, handler)


def broken_off(error: Exception | None) -> UserError:
    """Return what is said, in one line, of a fault that ended the explorer."""
    said = " ".join(str(error or "").split())[:LONGEST]
    kind = type(error).__name__ if error else ""
    told = ": ".join(part for part in (kind, said) if part)
    return UserError(f"the explorer broke off{f' ({told})' if told else ''}")
