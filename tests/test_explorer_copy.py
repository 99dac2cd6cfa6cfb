"""What the explorer copies: a command that shows the same numbers, a card that opens at them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attn_study.attention.trace import to_json
from attn_study.cli.demo_matrix import read_matrices
from attn_study.deck.reader import parse
from attn_study.demos import load
from attn_study.demos.lesson import Lesson
from attn_study.demos.working import Focus
from attn_study.screen.explorer.copying import card, command_line, no_card
from attn_study.screen.explorer.helping import keys_of
from attn_study.screen.explorer.scene import Scene
from cli_helpers import Shell
from explorer_helpers import after, opened, text, typed

if TYPE_CHECKING:
    from collections.abc import Callable

    from attn_study.deck.card import Card
    from attn_study.screen.explorer.state import State

SETTING = st.sampled_from(["left", "up", "h", "k", "s", "t", "r", "[", "]", "u"])
AWKWARD = ["it's a cat", 'she said "no"', "$HOME `ls` \\ !x", "-1 + 1", "注意 é", "a: b # c", "'x'"]


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    return Shell(tmp_path_factory.mktemp("copied"))


def edited() -> State:
    state = after(opened("multihead"), "n", "4", "enter", "n", "h", *"-1.5", "enter", "escape")
    return after(state, "h", "]")


STATES: dict[str, Callable[[], State]] = {
    "as it opens": opened,
    "numbers set": edited,
    "a mistake": lambda: after(opened(), "k"),
    "a mistake at another row": lambda: after(opened(), "k", "right", "right"),
    "random": lambda: after(opened(text="a bee sees", d_k=3), "r", "h", "t"),
    "a case": lambda: after(opened(case="creature"), "left"),
    "another lesson": lambda: after(opened("cross", swap="yes"), "s", "left"),
    "a row of its own": lambda: after(opened(text="a a b a"), "left", "left", "left"),
    "a temperature": lambda: after(opened("simplified"), "[", "["),
    "sizes": lambda: opened("params", d_model=768, heads=12),
}


def shown_by(shell: Shell, line: str) -> dict[str, Any]:
    """What the command of a copied line writes as JSON."""
    words = shlex.split(line)
    assert words[0] == "attn-study"
    assert words[-1] == "--explore"
    return shell.done(*words[1:-1], "--json").json


@pytest.mark.parametrize("name", STATES)
def test_the_command_shows_the_very_numbers(shell: Shell, name: str) -> None:
    state = STATES[name]()
    report = shown_by(shell, command_line(state.scene, state.focus))
    assert report["steps"] == to_json(state.scene.working.trace)
    assert report["weights"] == state.scene.working.weights
    assert report.get("mistake", "") == state.scene.mistake


@pytest.mark.parametrize("name", STATES)
def test_the_command_looks_at_the_same_row_in_the_same_layout(shell: Shell, name: str) -> None:
    state = STATES[name]()
    line = command_line(state.scene, state.focus)
    said = shell.done(*shlex.split(line)[1:-1], "--plain").out
    labels = state.scene.working.trace.labels("queries")
    if labels and not state.scene.mistake and state.scene.demo.name != "multihead":
        assert f"“{labels[state.focus.query]}”" in said
    assert ("--queries columns" in line) == state.focus.columns


@pytest.mark.parametrize("words", AWKWARD)
def test_words_of_any_kind_survive_the_shell_and_the_deck(shell: Shell, words: str) -> None:
    state = opened(text=words)
    report = shown_by(shell, command_line(state.scene, state.focus))
    assert report["steps"] == to_json(state.scene.working.trace)
    assert dict(read(card(state.scene, state.focus)).knobs)["text"] == words


@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(["head", "multihead", "qkv"]), st.lists(SETTING, max_size=8))
def test_whatever_was_pressed_can_be_copied(shell: Shell, name: str, keys: list[str]) -> None:
    state = after(opened(name), *keys)
    report = shown_by(shell, command_line(state.scene, state.focus))
    assert report["steps"] == to_json(state.scene.working.trace)


@pytest.mark.parametrize(
    ("words", "query", "named"),
    [("a a b a", 0, "1"), ("a a b a", 2, "b"), ("2 1 b", 0, "1"), ("a - b", 1, "-")],
)
def test_a_token_that_would_not_mean_itself_is_named_by_its_number(
    words: str, query: int, named: str
) -> None:
    scene = opened(text=words).scene
    line = command_line(scene, Focus(query))
    assert line.endswith(f" --query {named} --explore")


def test_own_matrices_are_named_by_their_file(shell: Shell) -> None:
    path = shell.file(
        "own.yaml",
        "x: [[1, 2]]\nw_q: [[1], [0]]\nw_k: [[1], [1]]\nw_v: [[2], [0]]\nw_o: [[1, 1]]\n",
    )
    given = {"matrix": read_matrices(Path(path)), "temperature": "2"}
    scene = Scene.of(load("head"), given, named={"matrix": str(path)})
    line = command_line(scene, scene.lesson.look)
    assert shown_by(shell, line)["steps"] == to_json(scene.working.trace)
    assert no_card(scene, scene.lesson.look) == "A card cannot hold the matrices of a file."
    assert card(scene, scene.lesson.look) == ""


def read(cards: str) -> Card:
    """The one card of a deck file that has nothing else."""
    found = parse(f"deck: mine\ncards:\n{cards}\n", Path("mine.yaml"))
    assert not found.complaints, found.complaints
    assert found.deck is not None
    (only,) = found.deck.cards
    return only


@pytest.mark.parametrize("name", STATES)
def test_the_card_is_read_and_its_demo_opens_at_the_same_numbers(name: str) -> None:
    """Also at the head and the query that it asks about."""
    state = STATES[name]()
    state = after(state, "escape") if state.scene.mistake else state
    focus = state.scene.lesson.look
    found = read(card(state.scene, focus))
    lesson = Lesson.of(load(found.demo), dict(found.knobs))
    assert to_json(lesson.working.trace) == to_json(state.scene.lesson.working.trace)
    assert lesson.look == focus
    trace = lesson.working.trace
    if "weights" not in trace:
        assert found.back == lesson.working.notice
    else:
        by_head = trace["weights"].values.reshape(-1, *trace["weights"].values.shape[-2:])
        assert found.back == f"{by_head[focus.head, focus.query].max():.4f}"


def test_a_deck_with_the_card_passes_its_check(shell: Shell) -> None:
    cards = card(edited().scene, edited().focus)
    path = shell.file("mine.yaml", f"deck: mine\ntitle: Mine\ncards:\n{cards}\n")
    assert shell.attn("deck", "check", str(path)).code == 0


TRAINED = {"weights": "trained", "case": "keys"}  # it looks at head 1.3 first


@pytest.mark.parametrize(
    ("name", "given", "keys", "said"),
    [
        ("multihead", TRAINED, "h", "the head. For a card: h to head 1.3."),
        ("multihead", TRAINED, "hhhh", ""),
        ("context", {"case": "keys"}, "h", "the head. For a card: h to head 1.3."),
        ("stack", {}, "l", "the layer. For a card: l to the first layer."),
        ("params", {}, "", ""),
        ("head", {}, "<", "the query. For a card: ← → to “it”."),
        ("head", {}, "<>", ""),
        (
            "head",
            {},
            "k",
            "the mistake no-mask and the query. For a card: esc for the right way, ← → to “it”.",
        ),
        ("head", {}, "k>>", "the mistake no-mask. For a card: esc for the right way."),
    ],
)
def test_there_is_a_card_only_of_what_its_demo_opens_at(
    name: str, given: dict[str, object], keys: str, said: str
) -> None:
    arrows = {"<": "left", ">": "right"}
    state = after(opened(name, **given), *(arrows.get(key, key) for key in keys), "c")
    shown = " ".join(text(state, 120, 40).split())
    assert ("front:" in shown) == (not said)
    assert (f"A card cannot hold {said}" in shown) == bool(said)
    assert ("c" in {key for key, *_ in keys_of(state, 80)}) == (not said)
    again = after(state, "c")
    assert again.copied.startswith("attn-study demo" if said else f"  - id: {name}-")
    assert ("there is no card" in again.words) == bool(said)


def test_a_command_line_says_what_it_leaves_out() -> None:
    assert "A command line" not in text(after(opened(), "left", "c"))
    said = " ".join(text(after(opened("stack"), "l", "space", "down", "c"), 100, 40).split())
    assert "A command line cannot say the stage, the layer and the key." in said


def test_a_card_asks_about_the_cell_on_screen_and_nothing_else() -> None:
    state = after(opened("multihead", weights="trained"), "up")
    found = read(card(state.scene, state.focus))
    keys = state.scene.working.trace.labels("keys")
    weight = state.scene.working.trace["weights"].values[state.focus.head, state.focus.query]
    assert found.front == (
        f"Demo multihead with trained weights reads “{' '.join(keys)}”. "
        f"In head 2.{state.focus.head + 1}, what weight does “the” (word 15) give to "
        "“the” (word 2)?"
    )
    assert state.focus.key == 1
    assert found.back == f"{weight[state.focus.key]:.4f}"


@pytest.mark.parametrize(
    ("name", "given", "front"),
    [
        ("head", {}, "Demo head reads “The chicken it”. What weight does “it” give to “chicken”?"),
        ("params", {}, "What does demo params show?"),
        (
            "params",
            {"d_model": 768, "heads": 12},
            "What does demo params with d_model 768 and heads 12 show?",
        ),
        (
            "multihead",
            {"text": "a b", "d_k": 3},
            "Demo multihead with d_k 3 reads “a b”. In head 1, what weight does “b” give to “b”?",
        ),
    ],
)
def test_the_front_of_a_card_is_a_sentence(name: str, given: dict[str, object], front: str) -> None:
    state = opened(name, **given)
    assert read(card(state.scene, state.focus)).front == front


def test_a_card_at_the_end_of_a_new_deck_passes_the_check(shell: Shell) -> None:
    shell.done("deck", "new", "own")
    path = shell.home / "decks" / "own.yaml"
    for state in (opened(), edited()):
        whole = path.read_text(encoding="utf-8").rstrip() + "\n"
        path.write_text(f"{whole}{card(state.scene, state.focus)}\n", encoding="utf-8")
    said = shell.attn("deck", "check", str(path))
    assert (said.code, "warning" in said.out + said.err) == (0, False), said.out + said.err


def test_c_copies_the_command_and_then_the_card() -> None:
    state = after(typed(after(opened(), "n"), "7"), "enter", "escape", "c")
    assert (state.page, state.copied) == ("copy", "attn-study demo head --set x.1.1=7 --explore")
    state = after(state, "c")
    assert state.copied == card(state.scene, state.focus)
    assert after(state, "c").copied.startswith("attn-study")
    assert re.search(r"as a card for a deck file +✓ copied", text(state))
