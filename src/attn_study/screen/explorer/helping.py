"""The keys of the explorer in words: all of them behind `?`, the ones of a page under it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.demos.picking import n_heads
from attn_study.screen import viewing
from attn_study.screen.explorer.copying import no_card

if TYPE_CHECKING:
    from attn_study.screen.explorer.state import State

LESSON = dict(viewing.HELP)  # keys that mean here what they mean in a lesson
HELP = (
    ("← →", LESSON["← →"]),
    ("↑ ↓", "the key before, the key after: the formula is about it"),
    ("space", "the next stage; backspace goes back"),
    ("h", "the next head"),
    ("l", "the next layer"),
    ("k", "without the mask; again: the right way"),
    ("s", "without the division by √d_k; again: the right way"),
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
    "matrices": (("←→", "query", ""), *READING),
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
    if state.page != "look":
        kept = (key for key in PAGES[state.page] if _acts(state, key[0]))
        return tuple(_along(state, key) for key in kept)
    needed = columns < NARROW
    can = _can(state)
    found: list[tuple[Key, bool]] = [
        (("←→", "query", ""), can["← →"]),
        (("↑↓", "key", ""), can["↑ ↓"]),
        (("↑↓", "scroll", ""), not can["↑ ↓"]),
        (("space", "step", "space"), can["space"]),
        (("h", "head", "h"), can["h"]),
        (("l", "layer", "l"), can["l"]),
        (("k", "mask", "k"), can["k"] and not needed),
        (("s", "scale", "s"), can["s"] and not needed),
        (("[ ]", "temperature", "]"), can["[   ]"] and not needed),
        (("w", "breakage", "w"), can["w"] and not needed),
        (("e", "set", "e"), can["e"]),
        (("n", "number", "n"), can["n"]),
        (("r", "seed", "r"), can["r"] and not needed),
        (("u", "undo", "u"), bool(state.past)),
        (("p", "predict", "p"), can["p"] and not needed),
        (("c", "copy", "c"), not needed),
        (("?", "help", "?"), True),
        (("q", "quit", "q"), True),
    ]
    return tuple(_along(state, key) for key, is_here in found if is_here)


def helps(state: State) -> tuple[tuple[str, str], ...]:
    """Return all keys that do something in this lesson, with what they do."""
    can = _can(state)
    return tuple((key, says) for key, says in HELP if can.get(key, True))


def _can(state: State) -> dict[str, bool]:
    """Return which of the keys in `HELP` that not every lesson has a use for do something here."""
    scene = state.scene
    lesson, mistakes = scene.lesson, scene.demo.mistakes
    return {
        "← →": lesson.n_queries > 1,
        "↑ ↓": state.n_layers > 0,
        "space": bool(state.stages),
        "h": n_heads(lesson.working.trace) > 1,
        "l": state.n_layers > 1 or scene.knob("layer") is not None,
        "k": "no-mask" in mistakes,
        "s": "no-scale" in mistakes,
        "[   ]": scene.knob("temperature") is not None,
        "r": scene.knob("seed") is not None,
        "w": bool(mistakes),
        "e": bool(scene.knobs),
        "n": bool(scene.inputs),
        "p": bool(lesson.asking.questions),
        "t": state.n_layers > 0,
    }


def _acts(state: State, shown: str) -> bool:
    """Return whether a key of a page that is not the first changes what stands on it."""
    lesson = state.scene.lesson
    if shown == "c":
        return not no_card(state.scene, state.focus, state.layer)
    if shown == "←→" and state.page in {"lesson", "matrices"}:
        return lesson.n_queries > 1
    if shown == "h" and state.page == "lesson":
        next_head = (state.focus.head + 1) % lesson.n_heads
        other = replace(state.focus, head=next_head)
        return lesson.panels(other) != lesson.panels(state.focus)
    return shown != "h" or lesson.n_heads > 1


def _along(state: State, key: Key) -> Key:
    """Return a key as it is said in a lesson that plays: the arrows go along its moments."""
    shown, does, sends = key
    return (shown, viewing.MOMENT, sends) if does == "query" and state.scene.demo.play else key
