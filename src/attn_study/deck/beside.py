"""The notes of one deck beside each other: no id twice, no unknown `after`, no circle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.deck.note import plain_front
from attn_study.deck.order import cycles, told
from attn_study.errors import near

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.deck.card import Card
    from attn_study.deck.fields import Desk
    from attn_study.deck.note import Draft
    from attn_study.deck.salvage import Salvage


def sound(desk: Desk, drafts: Sequence[Draft], deck: str, saved: Salvage) -> list[Card]:
    """Return the notes that agree with all others, in order.

    References to notes that were left out for other mistakes are no mistake.
    """
    once = _distinct(desk, drafts)
    _same_fronts(desk, once)
    known = {draft.id for draft in drafts} | saved.ids
    bad = set() if saved.cut else _dangling(desk, once, deck, known)
    bad |= _circular(desk, [draft for draft in once if draft.id not in bad], deck)
    return [draft.card for draft in once if draft.card and draft.id not in bad]


def _distinct(desk: Desk, drafts: Sequence[Draft]) -> list[Draft]:
    """The first note of each id."""
    first: dict[str, Draft] = {}
    for draft in drafts:
        known = first.setdefault(draft.id, draft) if draft.id else draft
        if known is not draft:
            line = known.node.start.line + 1
            if draft.id.startswith("~"):
                what = f"the same front as the card on line {line}, and no ids tell them apart"
                desk.blame(draft.node.start, what, "give both an `id`, or take one out")
            else:
                what = f"the id {draft.id!r} is given twice, first on line {line}"
                desk.blame(draft.node.start, what, "give this card an id of its own")
    return list(first.values())


def _same_fronts(desk: Desk, drafts: Sequence[Draft]) -> None:
    """Two ids may ask the same on purpose, but seldom do."""
    lines: dict[tuple[str, str], int] = {}
    for draft in drafts:
        if draft.card is None:
            continue
        line = draft.node.start.line
        first = lines.setdefault((draft.card.kind, plain_front(draft.card.asked)), line)
        if first != line:
            what = f"the same front as the card on line {first + 1}"
            desk.blame(draft.node.start, what, "is one of them too much?", warning=True)


def _dangling(desk: Desk, drafts: Sequence[Draft], deck: str, known: set[str]) -> set[str]:
    """The ids of notes that name a note of this deck that does not exist."""
    bad = set()
    for draft in drafts:
        for full, node in draft.after:
            home, _, name = full.partition("/")
            stem = name.partition(":")[0]
            if home == deck and stem not in known:
                hint = near(stem, (name for name in known if name))
                desk.blame(node.start, f"`after` names {stem!r}, and no card has that id", hint)
                bad.add(draft.id)
    return bad


def _circular(desk: Desk, drafts: Sequence[Draft], deck: str) -> set[str]:
    """The ids of notes whose `after` closes a circle."""
    places = {draft.id: draft for draft in drafts if draft.after}  # a circle has no others
    waits = {name: [_stem(full, deck) for full, _ in one.after] for name, one in places.items()}
    bad = set()
    for names in cycles(waits):
        draft = places[names[-1]]
        node = next(node for full, node in draft.after if _stem(full, deck) == names[0])
        if len(names) == 1:
            desk.blame(node.start, "a card cannot come after itself", "take this id out")
        else:
            what = f"these cards wait for each other: {told(names)}"
            desk.blame(node.start, what, "take one out")
        bad.add(draft.id)
    return bad


def _stem(full: str, deck: str) -> str:
    """The note a reference means, when it is one of this deck."""
    home, _, name = full.partition("/")
    return name.partition(":")[0] if home == deck else full
