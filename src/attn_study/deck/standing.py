"""Which file a deck's name means when several files claim it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

if TYPE_CHECKING:
    from collections.abc import Iterable


def alike(name: str) -> str:
    """Return what names share that a file system or a reader may take for the same."""
    return normalize("NFC", normalize("NFC", name).casefold())


def standing(claims: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return which claim stands for each name, by its place in `claims`.

    A claim is the origin of a file (`library.Origin`) and the name it claims. A learner's deck
    takes the place of the built-in one of exactly its name. Otherwise the first of the names that
    are `alike` stays.
    """
    holders: dict[str, tuple[int, str, str]] = {}
    for at, (origin, name) in enumerate(claims):
        _, other, held = holders.setdefault(alike(name), (at, origin, name))
        if other == "built-in" != origin and held == name:
            holders[alike(name)] = at, origin, name
    return {name: at for name, (at, _, _) in holders.items()}
