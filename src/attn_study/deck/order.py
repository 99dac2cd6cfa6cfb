"""Which card waits for which: cycles among `after` references."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MOST_NAMED = 5  # cards of a circle in a line about it


def cycles(after: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield one cycle for each reference that closes one, from its first card to its last.

    The last card of each waits for the first. Without those references nothing waits in a
    circle. Names that are no key wait for nothing. Together the cycles may be as long as the
    square of the cards, so keep none that is not needed whole.
    """
    done: set[str] = set()
    for start in after:
        if start in done:
            continue
        path = [start]
        places = {start: 0}
        steps = [iter(after[start])]
        while path:
            step = next((name for name in steps[-1] if name in after), None)
            if step is None:
                done.add(path[-1])
                del places[path.pop()]
                steps.pop()
            elif step in places:
                yield tuple(path[places[step] :])
            elif step not in done:
                places[step] = len(path)
                path.append(step)
                steps.append(iter(after[step]))


def told(names: Sequence[str]) -> str:
    """Return a cycle as a line that names its first cards and its last, five at most."""
    left_out = len(names) - MOST_NAMED
    if left_out > 0:
        names = (*names[: MOST_NAMED - 1], f"… {left_out:,} more …", names[-1])
    return " → ".join((*names, names[0]))
