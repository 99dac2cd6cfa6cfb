"""The keys of the first page of the explorer, and of the pages that only show."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.demos.picking import n_heads
from attn_study.screen.explorer.row import key_in, layers, weights_of
from attn_study.screen.explorer.standing import in_force
from attn_study.screen.viewing import CHOICES

if TYPE_CHECKING:
    from collections.abc import Callable

    from attn_study.screen.explorer.state import Page, State

SCROLLS = {"pageup": -10, "pagedown": 10, "home": -1_000_000, "end": 1_000_000}
SWITCHES = {"k": ("no-mask", "the mask"), "s": ("no-scale", "the division by √d_k")}
TEMPERATURES = {"[": 0.5, "]": 2.0}


def look(state: State, key: str) -> State:
    """Return the state after a key on the first page; one without a meaning leaves it."""
    if key in SWITCHES:
        return _switch(state, *SWITCHES[key])
    if key in TEMPERATURES:
        return _warm(state, TEMPERATURES[key])
    if key in {"left", "right"}:
        return _query(state, 1 if key == "right" else -1)
    if key in {"up", "down"}:
        return _key(state, 1 if key == "down" else -1)
    if key in SCROLLS:
        return scrolled(state, key)
    found = LOOKS.get(key)
    return found(state) if found else state


def turn_back(state: State) -> State:
    """Return from a page to the first one; from that to the right way, and then out."""
    if state.page != "look":
        return state.opened("look")
    if state.scene.mistake:
        return state.shown_by("")
    if state.past:  # one press too many is not to cost what was tried out
        return state.told("q leaves; u takes back the last change")
    return replace(state, page="left")


def scrolled(state: State, key: str) -> State:
    """Return the state with the body moved; what is too far is put right when it is drawn."""
    return replace(state, scroll=max(0, state.scroll + SCROLLS[key]))


def choose_mistake(state: State, key: str) -> State:
    """Return the state after a key on the list of mistakes."""
    known = state.scene.demo.mistakes
    if key in {"up", "down"}:
        return replace(
            state, chosen=(state.chosen + (1 if key == "down" else -1)) % max(1, len(known))
        )
    at = CHOICES.find(key) if len(key) == 1 else state.chosen if key == "enter" else -1
    if key == "w":
        return turn_back(state)
    if not 0 <= at < len(known):
        return state
    return state.opened("look").shown_by(known[at])


def _query(state: State, by: int) -> State:
    query = max(0, min(state.focus.query + by, state.scene.lesson.n_queries - 1))
    return at_query(state, query)


def at_query(state: State, query: int) -> State:
    """Return the state with another query; its key is again the one that it weighs most."""
    if query == state.focus.query:
        return state
    return replace(state, focus=replace(state.focus, query=query, key=None))


def at_key(state: State, key: int) -> State:
    """Return the state with another key."""
    focus = state.scene.lesson.focus(replace(state.focus, key=key))
    return replace(state, focus=focus)


def _key(state: State, by: int) -> State:
    trace = state.scene.working.trace
    if not state.n_layers:
        return replace(state, scroll=max(0, state.scroll + by))
    key = key_in(trace, state.focus, state.layer) + by
    return at_key(state, max(0, min(key, trace.sizes["keys"] - 1)))


def _stage(by: int) -> Callable[[State], State]:
    def move(state: State) -> State:
        stages = state.stages if state.n_layers else ("", *state.stages)
        if not stages:
            return state
        at = stages.index(state.step) + by if state.step in stages else 0
        return replace(state, step=stages[at % len(stages)])

    return move


def _head(state: State) -> State:
    there_are = n_heads(state.scene.lesson.working.trace)
    if there_are == 1:
        return state.told("there is one head here")
    head = (state.focus.head + 1) % there_are
    return replace(state, focus=replace(state.focus, head=head, key=None))


def _layer(state: State) -> State:
    knob = state.scene.knob("layer")
    if knob is not None:
        return _next_layer(state, int(knob.least or 1), int(knob.most or 1))
    if state.n_layers < 2:
        return state.told("there is one layer here" if state.n_layers else "no layers here")
    trace, layer = state.scene.working.trace, (state.layer + 1) % state.n_layers
    step = weights_of(trace, layer) if state.step in layers(trace) else state.step
    return replace(state, layer=layer, step=step, focus=replace(state.focus, key=None))


def _next_layer(state: State, least: int, most: int) -> State:
    """Return the state at the next layer of a model, where the lesson shows one at a time."""
    now = state.scene.lesson.working.knobs.get("layer")
    layer = now + 1 if isinstance(now, int) and now < most else least
    return state.changed(lambda scene: scene.set_to("layer", str(layer)), f"layer {layer}")


def _turn(state: State) -> State:
    return replace(state, focus=replace(state.focus, columns=not state.focus.columns))


def _switch(state: State, mistake: str, what: str) -> State:
    if mistake not in state.scene.demo.mistakes:
        return state.told(f"this lesson cannot do without {what}")
    return state.shown_by("" if state.scene.mistake == mistake else mistake)


def _warm(state: State, factor: float) -> State:
    knob = state.scene.knob("temperature")
    if knob is None:
        return state.told("this lesson has no temperature")
    now = float(str(state.scene.lesson.knobs["temperature"]))
    least, most = knob.least or 1e-6, knob.most or 1e6
    value = f"{max(least, min(now * factor, most)):g}"
    return state.changed(lambda scene: scene.set_to("temperature", value), f"temperature {value}")


def _next_seed(state: State) -> State:
    knob = state.scene.knob("seed")
    if knob is None:
        return state.told("nothing is drawn from a seed here")
    stands = in_force(state.scene.lesson, knob)
    seed = int(stands) + 1 if stands else 0
    return state.changed(lambda scene: scene.set_to("seed", str(seed)), f"seed {seed}")


def _mistakes(state: State) -> State:
    if not state.scene.demo.mistakes:
        return state.told("this lesson makes no mistakes")
    return state.opened("mistakes")


def _knobs(state: State) -> State:
    if not state.scene.knobs:
        return state.told("there is nothing to set here")
    return state.opened("knobs")


def _inputs(state: State) -> State:
    if not state.scene.inputs:
        return state.told("the numbers of this lesson cannot be set one by one")
    return replace(state.opened("matrix"), matrix=state.scene.inputs[0], cell=(0, 0))


def _read(state: State, page: Page) -> State:
    words = "this is the right way: without the mistake" if state.scene.mistake else ""
    return state.opened(page).told(words)


LOOKS: dict[str, Callable[[State], State]] = {
    "space": _stage(1),
    "enter": _stage(1),
    "backspace": _stage(-1),
    "b": _stage(-1),
    "h": _head,
    "l": _layer,
    "t": _turn,
    "r": _next_seed,
    "w": _mistakes,
    "e": _knobs,
    "n": _inputs,
    "u": lambda state: state.undone(),
    "m": lambda state: _read(state, "matrices"),
    "v": lambda state: _read(state, "lesson"),
    "?": lambda state: state.opened("help"),
}
