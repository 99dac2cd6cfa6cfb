"""What bytes mean: one read is one press, and nothing typed blindly is a key."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.screen.keys import (
    PASTE_END,
    PASTE_LIMIT,
    PASTE_START,
    Press,
    decode,
    forget,
    from_windows,
    settle,
)
from scripted import ScriptedKeyboard

COUPLE, DUTCH, ACUTE = "👩\u200d💻", "🇳🇱", "e\u0301"


def read(*chunks: bytes) -> list[Press]:
    """Every press of some reads, the bytes left open settled at the end."""
    presses: list[Press] = []
    pending = b""
    for chunk in chunks:
        found, pending = decode(chunk, pending)
        presses += found
    return [*presses, *settle(pending)[0]]


@pytest.mark.parametrize(
    ("chunk", "key"),
    [
        (b"1", "1"),
        (b"U", "U"),
        (b" ", "space"),
        (b"\r", "enter"),
        (b"\n", "enter"),
        (b"\t", "tab"),
        (b"\x7f", "backspace"),
        (b"\b", "backspace"),
        (b"\x01", "ctrl-a"),
        (b"\x03", "ctrl-c"),
        (b"\x1a", "ctrl-z"),
        (b"\x1b", "escape"),
        ("√".encode(), "√"),
        (ACUTE.encode(), ACUTE),
        (COUPLE.encode(), COUPLE),
        (DUTCH.encode(), DUTCH),
        (b"\x1b[A", "up"),  # xterm
        (b"\x1bOB", "down"),  # xterm with application keys
        (b"\x1b[1;5D", "left"),  # with Ctrl
        (b"\x1b[c", "right"),  # rxvt with Shift
        (b"\x1bOa", "up"),  # rxvt with Ctrl
        (b"\x1b[H", "home"),
        (b"\x1b[1~", "home"),  # Linux
        (b"\x1b[7~", "home"),  # rxvt
        (b"\x1bOF", "end"),
        (b"\x1b[8^", "end"),  # rxvt with Ctrl
        (b"\x1b[3~", "delete"),
        (b"\x1b[3$", "delete"),  # rxvt with Shift
        (b"\x1b[5~", "pageup"),
        (b"\x1b[6;2~", "pagedown"),
        (b"\x1bOM", "enter"),  # keypad
    ],
)
def test_every_key_has_one_name_whatever_the_terminal_sends(chunk: bytes, key: str) -> None:
    assert read(chunk) == [Press(key)]


@pytest.mark.parametrize(
    "chunk",
    [
        b"\x00",
        b"\xff",
        b"\xc3",
        "\u200b".encode(),
        "\x9b".encode(),
        b"\x1bx",
        "\x1bé".encode(),
        b"\x1b\r",
        b"\x1b[",
        b"\x1b[Z",
        b"\x1b[15~",
        b"\x1b[[A",
        b"\x1b[?1;2c",
        b"\x1b[24;80R",
        b"\x1b[<0;3;4M",
        b"\x1b[201~",
        b"\x1b]11;rgb:0/0/0\x07",
        b"\x1bP1$r0m\x1b\\",
        b"\x1b[1;\x01",
        b"\x1b[A\x1b[B",
    ],
)
def test_what_is_no_key_is_unknown_and_never_text(chunk: bytes) -> None:
    assert {press.key for press in read(chunk)} <= {"unknown", "ctrl-a"}
    assert Press("unknown") in read(chunk)


@pytest.mark.parametrize(
    ("chunks", "keys"),
    [
        ([b"\x1b", b"[A"], ["up"]),
        ([b"\x1b[1", b";5", b"C"], ["right"]),
        ([b"\xe2\x88", b"\x9a"], ["√"]),
        ([b"3", b"\x1b[3", b"~"], ["3", "delete"]),
        ([b"\x1b[", b"["], ["unknown"]),
    ],
)
def test_a_key_cut_by_the_end_of_a_read_is_put_together(
    chunks: list[bytes], keys: list[str]
) -> None:
    assert read(*chunks) == [Press(key) for key in keys]


@pytest.mark.parametrize(
    ("chunk", "presses"),
    [
        (b"33", [Press("burst", "33")]),
        (b"\r\r\r", [Press("burst", "\n\n\n")]),
        (b"softmax\r3\r3\r", [Press("burst", "softmax\n3\n3\n")]),
        (b" 3", [Press("burst", " 3")]),
        (b"\x7f\x7f\x7fdog", [Press("burst", "\x7f\x7f\x7fdog")]),
        (b"a\xffb\x00", [Press("burst", "ab")]),
        (b"\x1b[D3", [Press("burst", "3")]),
        (b"3\x1b[", [Press("burst", "3"), Press("unknown")]),
        (b"\x1b[200~x\x1b[201~\r", [Press("paste", "x"), Press("burst", "\n")]),
    ],
)
def test_several_keys_in_one_read_are_a_burst(chunk: bytes, presses: list[Press]) -> None:
    assert read(chunk) == presses


def test_a_repeated_arrow_counts_once() -> None:
    assert read(b"\x1b[B\x1b[B\x1b[B") == [Press("down")]


@pytest.mark.parametrize("chunk", [b"\x03\x03", b"\r\r\x03", b"\x1b\x03"])
def test_ctrl_c_is_heard_among_other_keys(chunk: bytes) -> None:
    assert read(chunk)[-1] == Press("ctrl-c")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"softmax\r3\r3\r", "softmax\n3\n3\n"),
        (b"a\r\nb\nc", "a\nb\nc"),
        (b"\x1b[A1\x1b[200~", "\x1b[A1\x1b[200~"),
        (b"\xff", "\ufffd"),
        (b"", ""),
    ],
)
def test_a_bracketed_paste_is_text_and_nothing_else(body: bytes, text: str) -> None:
    assert read(PASTE_START + body + PASTE_END) == [Press("paste", text)]


def test_a_paste_is_kept_up_to_its_limit_and_its_end_is_still_found() -> None:
    presses: list[Press] = []
    pending = PASTE_START
    for _ in range(PASTE_LIMIT // 50_000 + 3):
        found, pending = decode(b"x\r" * 25_000, pending)
        presses += found
        assert len(pending) <= PASTE_LIMIT + 20
    for piece in (PASTE_END[:2], PASTE_END[2:], b"1"):
        found, pending = decode(piece, pending)
        presses += found
    assert [press.key for press in presses] == ["paste", "1"]
    assert len(presses[0].text) == PASTE_LIMIT


def test_ctrl_c_alone_ends_a_paste_whose_end_was_lost() -> None:
    assert read(PASTE_START, b"x\r", b"\x03", b"1") == [Press("ctrl-c"), Press("1")]


def test_what_is_forgotten_of_a_paste_leaves_its_rest_a_paste() -> None:
    _, pending = decode(PASTE_START + b"3\r3\r" + PASTE_END[:3], b"")
    assert [press.key for press in decode(PASTE_END[3:], forget(pending))[0]] == ["paste"]
    assert forget(b"\x1b[") == b""


def cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in pairwise(ends) if start < end]


places = st.lists(st.integers(0, 400), max_size=8)
piece = st.one_of(
    st.binary(max_size=5),
    st.text(max_size=4).map(str.encode),
    st.sampled_from([b"\x1b", b"\x1b[", b"\x1bO", b"\x1b]", b"\r", PASTE_START, PASTE_END]),
)


@given(st.lists(piece, max_size=12).map(b"".join), places)
def test_no_bytes_in_no_pieces_are_too_strange(data: bytes, places: list[int]) -> None:
    for press in read(*cut(data, places)):
        assert press.key
        assert bool(press.text) <= (press.key in {"paste", "burst"})


@given(st.text(st.characters(exclude_characters="\x1b\x03", exclude_categories=["Cs"])), places)
def test_a_pasted_text_is_one_press_in_whatever_pieces_it_comes(
    text: str, places: list[int]
) -> None:
    data = PASTE_START + text.encode() + PASTE_END
    presses: list[Press] = []
    pending = b""
    for chunk in cut(data, places):
        found, pending = decode(chunk, pending)
        presses += found
    assert presses == [Press("paste", text.replace("\r\n", "\n").replace("\r", "\n"))]
    assert pending == b""


@given(st.lists(piece, max_size=8).map(b"".join))
def test_a_key_that_could_answer_comes_alone(data: bytes) -> None:
    presses, _ = decode(data, b"")
    answers = [press for press in presses if press.character or press.key == "enter"]
    assert not answers or len(presses) == 1


@pytest.mark.parametrize(
    ("codes", "keys"),
    [
        ("1", ["1"]),
        ("\xe0H", ["up"]),
        ("\x00P", ["down"]),
        ("\xe0S", ["delete"]),
        ("\xe0R", ["unknown"]),  # Insert
        ("\x00;", ["unknown"]),  # F1
        ("\xe0", ["à"]),
        ("\ud83d\ude00", ["😀"]),
        ("\x03", ["ctrl-c"]),
    ],
)
def test_the_windows_console_sends_the_same_keys(codes: str, keys: list[str]) -> None:
    assert read(from_windows(codes)) == [Press(key) for key in keys]


def test_a_script_is_read_to_its_end_and_then_the_input_ends() -> None:
    with ScriptedKeyboard(["1", None, Press("paste", "x")]) as keyboard:
        presses = [keyboard.read() for _ in range(5)]
    assert presses == [Press("1"), None, Press("paste", "x"), Press("eof"), Press("eof")]
