"""The keys of the explorer in words: all of them behind `?`, the ones of a page under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.demos.picking import n_heads
from attn_study.screen import viewing

if TYPE_CHECKING:
    from attn_study.screen.explorer.state import State

LESSON = dict(viewing.HELP)  # keys that mean here what they mean in a lesson
HELP = (
    ("← →", LESSON["← →"]),
    ("↑ ↓", "the key before, the key after: the formula is about it"),
    ("space", "the next stage; backspace goes back"),
    ("h   l", "the next head; the next layer"),
    ("k   s", "without the mask; without the division by √d_k; again: the right way"),
    ("[   ]", "the temperature, half and twice"),
    ("r", "other random weights: the next seed"),
    ("w", "breakage: compute it wrongly on purpose; esc is the right way again"),
    ("e", "set words, sizes, cases and everything else that can be set"),
    ("n", "the inputs number by number: arrows, a number, enter"),
    ("u", "take back the last change"),
    ("p", LESSON["p"]),
    ("m", LESSON["m"]),
    ("v", "the lesson as it is shown without the explorer"),
    ("t", LESSON["t"]),
    ("c", "copy this state: as a command line, and again as a card for a deck"),
    ("mouse", "click on a token, a cell, a number, a key"),
    ("esc", LESSON["esc"]),
    ("q", LESSON["q"]),
)
NARROW = 60  # columns: under it only the keys that are needed most are named

Key = tuple[str, str, str]  # as it is shown, what it does, what a click on it sends
READING: tuple[Key, ...] = (("↑↓", "scroll", ""), ("esc", "back", "escape"), ("q", "quit", "q"))
TYPING: tuple[Key, ...] = (("enter", "set", "enter"), ("esc", "back", "escape"))
CHOOSING: tuple[Key, ...] = (("↑↓", "choose", ""), ("enter", "take", "enter"), *READING[1:])
PAGES: dict[str, tuple[Key, ...]] = {
    "matrices": (("←→", "query", ""), ("h", "head", "h"), *READING),
    "lesson": (("←→", "query", ""), ("h", "head", "h"), *READING),
    "help": READING,
    "mistakes": CHOOSING,
    "knobs": (
        ("↑↓", "choose", ""),
        ("enter", "set", "enter"),
        ("←→", "next", ""),
        ("u", "undo", "u"),
        *READING[1:],
    ),
    "knob": TYPING,
    "matrix": (
        ("←→↑↓", "move", ""),
        ("0–9", "set a number", "enter"),
        ("n", "next input", "n"),
        ("h", "head", "h"),
        ("u", "undo", "u"),
        *READING[1:],
    ),
    "number": (("enter", "set", "enter"), ("↑↓", "set and move on", ""), *TYPING[1:]),
    "copy": (("c", "the other one", "c"), *READING[1:]),
}
ASKED: tuple[Key, ...] = (("enter", "answer", "enter"), ("esc", "back", "escape"))
ANSWERED: tuple[Key, ...] = (
    ("space", "another", "space"),
    ("↑↓", "scroll", ""),
    ("esc", "explore", "escape"),
    ("q", "quit", "q"),
)


def keys_of(state: State, columns: int) -> tuple[Key, ...]:
    """Return the keys of the page that mean something in it, the way out last."""
    if state.page == "predict":
        graded = state.question and state.question.graded
        return ANSWERED if graded else ASKED
    scene = state.scene
    trace, mistakes = scene.lesson.working.trace, scene.demo.mistakes
    if state.page != "look":
        return tuple(key for key in PAGES[state.page] if key[0] != "h" or n_heads(trace) > 1)
    needed = columns < NARROW
    found: list[tuple[str, str, str, bool]] = [
        ("←→", "query", "", scene.lesson.n_queries > 1),
        ("↑↓", "key", "", state.n_layers > 0),
        ("↑↓", "scroll", "", not state.n_layers),
        ("space", "step", "space", bool(state.stages)),
        ("h", "head", "h", n_heads(trace) > 1),
        ("l", "layer", "l", state.n_layers > 1 or scene.knob("layer") is not None),
        ("k", "mask", "k", "no-mask" in mistakes and not needed),
        ("s", "scale", "s", "no-scale" in mistakes and not needed),
        ("[ ]", "temperature", "]", scene.knob("temperature") is not None and not needed),
        ("w", "breakage", "w", bool(mistakes) and not needed),
        ("e", "set", "e", bool(scene.knobs)),
        ("n", "number", "n", bool(scene.inputs)),
        ("r", "seed", "r", scene.knob("seed") is not None and not needed),
        ("u", "undo", "u", bool(state.past)),
        ("p", "predict", "p", bool(scene.lesson.asking.questions) and not needed),
        ("c", "copy", "c", not needed),
        ("?", "help", "?", True),
        ("q", "quit", "q", True),
    ]
    return tuple((shown, does, sends) for shown, does, sends, is_here in found if is_here)
