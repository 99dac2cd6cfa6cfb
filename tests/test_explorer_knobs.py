"""The list behind `e` has what can be set now, and nothing that would be refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attn_study.demos import load
from attn_study.demos.setup import ONE_HEAD, TWO_HEADS
from attn_study.errors import UserError
from attn_study.screen.explorer.editing import knobs_of
from attn_study.screen.explorer.helping import keys_of
from attn_study.screen.explorer.standing import explained
from explorer_helpers import after, drawn, opened, text, typed
from lessons import ALL

if TYPE_CHECKING:
    from attn_study.demos.demo import Knob
    from attn_study.screen.explorer.scene import Scene
    from attn_study.screen.explorer.state import State

CASES = ("chicken", "keys", "bank", "mole", "tower", "creature", "trophy", "names")
# How weights refuse a setting.
OTHER_WEIGHTS = ("means nothing with", "this sentence has no", "own matrices")
SETTINGS = [
    *((name, {}) for name in ALL if name != "learn"),
    *(("context", {"case": case}) for case in CASES),
    *(("stack", {"case": case}) for case in CASES),
    *(("multihead", {"weights": "trained", "case": case}) for case in CASES),
    *((name, {"weights": "toy"}) for name in ("context", "stack", "multihead")),
    ("multihead", {"text": "one two three", "heads": 4, "d_model": 8}),
    ("multihead", {"matrix": TWO_HEADS}),
    *(
        (name, {"matrix": ONE_HEAD})
        for name in ALL
        if name != "multihead" and any(knob.name == "matrix" for knob in load(name).knobs)
    ),
]


def names(state: State) -> set[str]:
    return {knob.name for knob in knobs_of(state)}


def is_refused(scene: Scene, knob: Knob) -> bool:
    """Whether these weights have no use for a knob, whatever it is set to.

    What a word or a number must be besides is another matter.
    """
    values = knob.choices or ((knob.least or 0, 1, 2) if knob.kind is not str else ("2.3", "zzz"))
    for value in values:
        try:
            scene.set_to(knob.name, value)
        except UserError as error:
            if any(part in error.what for part in OTHER_WEIGHTS):
                return True
        else:
            return False
    return False


@pytest.mark.parametrize(("name", "given"), SETTINGS)
def test_what_is_listed_can_be_set_and_what_can_be_set_is_listed(
    name: str, given: dict[str, object]
) -> None:
    """The weights are listed always: a word for them says what stands in their way."""
    state = opened(name, **given)
    knobs = [knob for knob in state.scene.demo.knobs if knob.name not in {"matrix", "weights"}]
    fitting = {knob.name for knob in knobs if not is_refused(state.scene, knob)}
    assert names(state) - {"weights"} == fitting


@pytest.mark.parametrize(
    ("name", "value"),
    [("text", "a b"), ("seed", 0), ("d_model", 4), ("d_k", 2), ("d_v", 2), ("heads", 2)],
)
def test_own_matrices_bring_what_would_make_random_ones(name: str, value: object) -> None:
    state = opened("multihead", matrix=TWO_HEADS)
    assert name not in names(state)
    assert name in names(opened("multihead"))
    with pytest.raises(UserError, match="own matrices bring their own words and sizes"):
        state.scene.set_to(name, value)


def test_the_list_follows_the_weights() -> None:
    state = after(opened("multihead"), "e")
    assert "d_model" in text(state)
    assert "adjective" not in text(state)
    state = after(state, "enter")  # on the line of the weights
    assert state.scene.lesson.knobs["weights"] == "trained"
    assert "d_model" not in text(state)
    assert "adjective" in text(state)


def test_the_list_follows_the_case() -> None:
    state = after(opened("context"), "e", "down")
    assert names(state) >= {"noun", "place", "adjective"}
    while state.scene.lesson.knobs["case"] != "bank":
        state = after(state, "right")
    assert not names(state) & {"noun", "place", "adjective"}


@pytest.mark.parametrize("name", ["context", "stack"])
@pytest.mark.parametrize("weights", ["trained", "toy"])
def test_every_case_that_is_offered_can_be_chosen(name: str, weights: str) -> None:
    state = after(opened(name, weights=weights), "e", "down")
    case = next(knob for knob in knobs_of(state) if knob.name == "case")
    seen = set()
    for _ in case.choices:
        state = after(state, "right")
        seen.add(state.scene.lesson.knobs["case"])
    assert seen == {*case.choices}
    others = {*load(name).knobs[1].choices} - seen
    assert bool(others) == (weights == "toy")
    for other in others:
        with pytest.raises(UserError, match="there is no case"):
            state.scene.set_to("case", other)


def test_a_knob_is_set_on_its_line_whatever_is_left_out() -> None:
    state = after(opened("stack", weights="toy"), "e")
    while knobs_of(state)[state.chosen].name != "layers":
        state = after(state, "down")
    state = after(typed(after(state, "enter", "backspace"), "1"), "enter")
    assert state.scene.lesson.knobs["layers"] == 1


def test_undo_that_changes_the_list_leaves_the_mark_where_it_was_or_near() -> None:
    trained = after(opened("stack", weights="toy"), "e", "enter")
    state = after(trained, *["up"] * 3)
    assert knobs_of(state)[state.chosen].name == "layers"
    state = after(state, "u")
    assert state.scene.lesson.knobs["weights"] == "toy"
    assert knobs_of(state)[state.chosen].name == "layers"
    trained = after(opened("context", weights="toy"), "e", "enter")
    state = after(trained, "up")
    assert knobs_of(state)[state.chosen].name == "layer"
    assert text(after(state, "u")).count("▸") == 1


@pytest.mark.parametrize(
    ("name", "given", "key", "offered"),
    [
        ("context", {}, "l", True),
        ("context", {"weights": "toy"}, "l", False),
        ("multihead", {}, "r", True),
        ("multihead", {"weights": "trained"}, "r", False),
        ("multihead", {"weights": "trained"}, "l", True),
        ("multihead", {}, "l", False),
        ("head", {"matrix": ONE_HEAD}, "r", False),
        ("head", {}, "r", True),
    ],
)
def test_a_key_that_would_be_refused_is_not_offered(
    name: str, given: dict[str, object], key: str, offered: bool
) -> None:
    state = opened(name, **given)
    assert (key in {shown for shown, *_ in keys_of(state, 120)}) == offered
    after_it = after(state, key)
    assert (len(after_it.past) == 1) == offered


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("context", {}, "noun chicken"),
        ("context", {}, "place road"),
        ("context", {}, "layer 2"),
        ("multihead", {"weights": "trained"}, "case chicken"),
        ("multihead", {}, "d_model 4"),
        ("multihead", {"d_k": 3}, "d_v 4"),
        ("multihead", {"d_k": 3}, "seed 0"),
        ("multihead", {}, "seed –"),  # nothing is drawn
        ("head", {}, "text The chicken it"),
        ("cross", {}, "target das Huhn"),
        ("scale", {}, "d_k –"),  # no width is looked at more than another
    ],
)
def test_the_list_has_what_is_in_force_also_where_it_was_not_set(
    name: str, given: dict[str, object], said: str
) -> None:
    shown = [" ".join(line.split()) for line in text(after(opened(name, **given), "e")).split("\n")]
    assert [line for line in shown if line.removeprefix("▸ ").startswith(f"{said} ")]


def test_what_was_not_set_is_dimmed() -> None:
    lines = drawn(after(opened("multihead", d_k=3), "e"))
    dimmed = {
        str(line.plain[span.start : span.end])
        for line in lines[3:-1]
        for span in line.spans
        if "dim" in str(span.style)
    }
    assert {"toy", "8", "4", "0", "–"} <= dimmed
    assert "3" not in dimmed


@pytest.mark.parametrize(
    ("name", "knob", "says"),
    [
        (
            "context",
            "case",
            "A sentence (one of chicken, keys, bank, mole, tower, creature, trophy, names)",
        ),
        ("context", "layer", "Which layer of the trained model. (from 1 to 2)"),
        ("learn", "case", "agreement, coref, depth or repeat."),
        ("learn", "layers", "How many layers, 1 or 2."),
        ("learn", "seed", "Another model to begin with. (0 or more)"),
        ("scale", "seed", "Other random queries and keys. (0 or more)"),
        ("head", "set", "Single numbers of the inputs: x.3.1=2 w_q.1.2.1=-1."),
    ],
)
def test_what_a_knob_may_be_is_said_once_and_in_whole_words(
    name: str, knob: str, says: str
) -> None:
    found = next(each for each in load(name).knobs if each.name == knob)
    assert explained(found) == says


def test_the_arrows_begin_at_what_is_in_force() -> None:
    state = after(opened("context"), "e", *["up"])
    assert knobs_of(state)[state.chosen].name == "layer"
    assert after(state, "left").scene.lesson.knobs["layer"] == 1
    assert "from 1 to 2" in after(state, "right").words
