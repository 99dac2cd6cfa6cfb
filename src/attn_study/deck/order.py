"""Which card waits for which: cycles among `after` references."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def cycles(after: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    """Return one cycle for each reference that closes one, from its first card to its last.

    The last card of each waits for the first. Without those references nothing waits in a
    circle. Names that are no key wait for nothing.
    """
    found: list[tuple[str, ...]] = []
    done: set[str] = set()
    for start in after:
        if start in done:
            continue
        path: dict[str, Iterator[str]] = {start: iter(after[start])}
        while path:
            current = next(reversed(path))
            step = next((name for name in path[current] if name in after), None)
            if step is None:
                done.add(current)
                del path[current]
            elif step in path:
                names = list(path)
                found.append(tuple(names[names.index(step) :]))
            elif step not in done:
                path[step] = iter(after[step])
    return found
