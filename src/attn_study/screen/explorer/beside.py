"""A computation beside the loop that hears keys, so that Ctrl-C is heard while it lasts."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Made = TypeVar("Made")


async def beside(make: Callable[[], Made], patience: float, waiting: Callable[[], None]) -> Made:
    """Return what `make` returns, or raise what it raises.

    `waiting` is called once where it takes longer than `patience`, in seconds.
    """
    loop = asyncio.get_running_loop()
    made: asyncio.Future[Made] = loop.create_future()

    def settle(found: Made | None, error: BaseException | None) -> None:
        if made.done():  # nobody waits any more
            return
        if error is None:
            made.set_result(found)  # type: ignore[arg-type]
        else:
            made.set_exception(error)

    def work() -> None:
        found, error = None, None
        try:
            found = make()
        except BaseException as raised:
            error = raised
        with suppress(RuntimeError):  # the loop has ended: the learner left meanwhile
            loop.call_soon_threadsafe(settle, found, error)

    Thread(target=work, daemon=True).start()  # one that is left behind holds nobody up
    done, _ = await asyncio.wait({made}, timeout=patience)
    if not done:
        waiting()
    return await made
