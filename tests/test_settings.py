"""settings.toml: what it may hold, what is said when it holds something else."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attn_study import files
from attn_study.errors import UserError
from attn_study.settings import WHOLE, Settings, change, exclude, include, load, parse
from cli_helpers import Shell, held

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


def test_without_a_file_the_defaults_hold(path: Path) -> None:
    assert load(path) == Settings(new=10, reviews=200, rollover=4, math="unicode")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Settings()),
        ("# a comment\n", Settings()),
        ("\ufeffnew = 3\r\n", Settings(new=3)),
        ("new = 0\nreviews = 9999\nrollover = 23", Settings(new=0, reviews=9999, rollover=23)),
        ("math = 'ascii'", Settings(math="ascii")),
        ("linked = ['a', 'b']\nhidden = []", Settings(linked=("a", "b"))),
        ("[deck.mine]\nnew = 5", Settings(deck={"mine": {"new": 5}})),
        ("deck.'two words'.reviews = 5", Settings(deck={"two words": {"reviews": 5}})),
    ],
)
def test_what_the_file_says_replaces_a_default(path: Path, text: str, expected: Settings) -> None:
    path.write_text(text, encoding="utf-8", newline="")
    assert load(path) == expected


WRONG = {
    "new = 'x'": "new takes a whole number",
    "new = 1.0": "new takes a whole number",
    "new = true": "new takes a whole number",
    "new = -1": "from 0 to 9999",
    "rollover = 24": "from 0 to 23",
    "math = 'latex'": "one of: unicode, ascii",
    "math = 5": "one of: unicode, ascii",
    "math = ['ascii']": "one of: unicode, ascii",
    "linked = 'x'": "list of texts",
    "hidden = [1]": "list of texts",
    "sync = 1": "should be a text",
    "nwe = 5": "did you mean new?",
    "qqqqq = 5": "one of: deck, hidden",
    "[deck.mine]\nqqqqq = 5": "one of: new, reviews",
    "deck = 5": "tables such as [deck.mine]",
    "deck = {mine = 5}": "tables such as [deck.mine]",
    "[deck.mine]\nnwe = 5": "did you mean new?",
    "[deck.mine]\nnew = 'x'": "new takes a whole number",
    "new": "not valid TOML",
    "new = 1\nnew = 2": "not valid TOML",
    "new = " + "9" * 5000: "not valid TOML",
    "x = " + "[" * 5000: "not valid TOML",
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[:24])
def test_a_wrong_file_is_named_with_what_it_should_say(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as refused:
        load(path)
    assert refused.value.where == str(path)
    assert WRONG[text] in str(refused.value)
    assert refused.value.hint


@pytest.mark.parametrize("damage", ["bytes", "folder"])
def test_a_file_that_cannot_be_read_is_named(path: Path, damage: str) -> None:
    if damage == "bytes":
        path.write_bytes(b"new = 5 # \xff")
    else:
        path.mkdir()
    for attempt in (load, lambda path: change(path, "new", 5)):
        with pytest.raises(UserError) as refused:
            attempt(path)
        assert refused.value.where == str(path)
        assert "move the file away" in refused.value.hint


def test_a_damaged_file_stops_commands_but_not_help_and_is_never_rewritten(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    path = shell.file("home/settings.toml", "new = ")
    for words in (("today",), ("review",), ("config",), ("config", "new", "5"), ("deck", "list")):
        said = shell.attn(*words)
        assert (said.code, said.out) == (2, ""), words
        assert str(path) in said.err
    assert path.read_text(encoding="utf-8") == "new = "
    shell.done("--help")
    shell.done("--version")


@pytest.mark.parametrize("text", ["new = ", 'math = "asci"', "no_such = 1", None])
@pytest.mark.parametrize("words", [("demo",), ("demo", "head"), ("demo", "head", "--json")])
def test_a_lesson_goes_on_without_settings_and_names_what_is_wrong_in_one_line(
    tmp_path: Path, words: tuple[str, ...], text: str | None
) -> None:
    shell = Shell(tmp_path)
    sound = shell.attn(*words)
    path = tmp_path / "home" / "settings.toml"
    if text is None:  # a folder cannot be read as a file
        path.mkdir(parents=True)
    else:
        path = shell.file("home/settings.toml", text)
    said = shell.attn(*words)
    assert (said.code, said.out) == (0, sound.out)
    if "--json" in words:  # no line is drawn
        assert said.notices == []
    else:
        (notice,) = said.notices
        assert str(path) in notice
        assert "defaults" in notice


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_changing_one_setting_changes_no_other_line(path: Path, end: str) -> None:
    lines = ["# top", "reviews = 50 # fifty", "", "[deck.mine] # mine", "new = 1", ""]
    path.write_text(end.join(lines), encoding="utf-8", newline="")
    change(path, "new.mine", 2)
    lines[4] = "new = 2"
    assert path.read_bytes().decode() == end.join(lines)


def test_a_setting_put_in_front_of_tables_does_not_fall_into_one(path: Path) -> None:
    change(path, "new.mine", 1)
    change(path, "new.a b", 2)
    change(path, "rollover", 3)
    include(path, "linked", "c:\\x")
    include(path, "linked", "ü")
    assert load(path) == Settings(
        rollover=3, linked=("c:\\x", "ü"), deck={"mine": {"new": 1}, "a b": {"new": 2}}
    )


def test_a_list_takes_a_text_once_and_lets_it_go(path: Path) -> None:
    for item in ("a", "b", "a"):
        include(path, "linked", item)
    assert load(path) == Settings(linked=("a", "b"))
    exclude(path, "linked", "a")
    assert load(path) == Settings(linked=("b",))


def test_nothing_is_written_while_another_process_changes_the_settings(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(path, "new", 5)
    monkeypatch.setattr(files, "WAIT", 0)
    with held(path.with_suffix(".lock")), pytest.raises(UserError, match="in use by another"):
        change(path, "new", 6)
    assert load(path) == Settings(new=5)
    change(path, "new", 6)
    assert load(path) == Settings(new=6)


@given(st.sampled_from(sorted(WHOLE)), st.integers(-5, 20_000))
def test_a_number_is_taken_exactly_when_it_may_stand_in_the_file(key: str, number: int) -> None:
    least, most = WHOLE[key]
    if least <= number <= most:
        assert parse(key, str(number)) == number
    else:
        with pytest.raises(UserError):
            parse(key, str(number))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["C"]), min_size=1),
        st.integers(0, 9999),
        max_size=4,
    )
)
def test_limits_of_decks_with_any_name_read_back(path: Path, decks: dict[str, int]) -> None:
    path.unlink(missing_ok=True)
    for name, number in decks.items():
        change(path, f"new.{name}", number)
    assert {name: limits["new"] for name, limits in load(path).deck.items()} == decks
    if decks:
        assert tomllib.loads(path.read_text(encoding="utf-8"))["deck"].keys() == decks.keys()
