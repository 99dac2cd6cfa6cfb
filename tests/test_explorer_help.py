"""The keys that the explorer names are those that do something in the lesson, on the page."""

from __future__ import annotations

import pytest

from attn_study.screen.explorer.helping import keys_of
from explorer_helpers import after, opened, text


@pytest.mark.parametrize(
    ("name", "given", "lacking"),
    [
        ("head", {}, "hl"),
        ("multihead", {"weights": "trained"}, "r"),
        ("stack", {}, "krwn"),
        ("context", {}, "k[rn"),
        ("params", {}, "←↑hlk[rwnt"),
    ],
)
def test_help_names_the_keys_that_do_something_in_the_lesson(
    name: str, given: dict[str, object], lacking: str
) -> None:
    *_, rows = text(after(opened(name, **given), "?"), 80, 40).partition("\n\n")
    named = {line[1] for line in rows.split("\n\n")[0].splitlines() if line[1:2].strip()}
    for key in ("←", "↑", *"hlk[rwenupmvtcq"):
        assert (key in named) == (key not in lacking), key


def test_a_lesson_that_plays_has_moments_where_others_have_queries() -> None:
    state = opened("learn", layers="1")
    for keys in ((), ("v",), ("m",)):
        offered = {does for _, does, _ in keys_of(after(state, *keys), 120)}
        assert "moment" in offered
        assert "query" not in offered


@pytest.mark.parametrize(
    ("name", "given", "page", "offered"),
    [
        ("stack", {}, "v", False),  # it shows every head
        ("multihead", {}, "v", False),
        ("multihead", {"weights": "trained"}, "v", True),
        ("context", {}, "v", True),
        ("context", {}, "m", False),  # here too
        ("multihead", {}, "n", True),
        ("head", {}, "n", False),
    ],
)
def test_a_head_is_offered_where_another_one_looks_different(
    name: str, given: dict[str, object], page: str, offered: bool
) -> None:
    state = after(opened(name, **given), page)
    assert ("h" in {key for key, *_ in keys_of(state, 120)}) == offered
    shown = text(state, 120, 200).splitlines()
    assert (text(after(state, "h"), 120, 200).splitlines() != shown) == offered
