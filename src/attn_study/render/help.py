"""What the keys of a review do, and what the grades mean, in plain words."""

from __future__ import annotations

from rich.text import Text

from attn_study.render.text import wrap

GRADES = (
    ("1 again", "you did not know it. Its days start over."),
    ("2 hard", "you knew it, with real trouble. Its days will grow more slowly."),
    ("3 good", "you knew it after a moment. Its days grow as before."),
    ("4 easy", "you knew it at once. Its days will grow faster."),
)
KEYS = (
    ("space, enter", "show the answer; they never grade"),
    ("u", "take the last step back, as often as you like, also tomorrow"),
    ("b", "not today: the card rests until the next study day"),
    ("s", "suspend: the card rests until `attn-study card resume`"),
    ("f", "report a fault in one line; editing the card clears the report"),
    ("d", "the card's demo: before the answer it asks, after it it shows"),
    ("x", "explore that demo: change its words and numbers, and all of it follows"),
    ("e", "edit the card in your $EDITOR"),
    ("i", "the card's history, and its ease before and after each answer"),
    ("↑ ↓", "scroll a long card"),
    ("q", "leave; every grade is already kept"),
)
AGAIN = (
    "Again and hard bring the card back today, until you have it; that drill changes no date. "
    "On a new card SM-2 gives one day for every grade: the grade decides how fast it grows later."
)


def review_help(columns: int) -> list[Text]:
    """Return the page behind `?`."""
    lines = [Text(" The grades", "bold")]
    for name, says in GRADES:
        lines += _row(name, says, columns)
    lines += [Text(), *(Text(f" {line}") for line in wrap(AGAIN, max(1, columns - 2))), Text()]
    lines += [Text(" The keys", "bold")]
    for name, says in KEYS:
        lines += _row(name, says, columns)
    return lines


def _row(name: str, says: str, columns: int) -> list[Text]:
    first, *rest = wrap(says, max(1, columns - 17))
    head = Text.assemble("  ", (f"{name:<14}", "bold"), first)
    return [head, *(Text(" " * 16 + line) for line in rest)]
