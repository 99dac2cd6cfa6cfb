"""The house: who may import whom, what a daily command loads, how files and help look."""

from __future__ import annotations

import ast
import json
import re
import shlex
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from typer.main import get_command

from attn_study.cli.app import app
from cli_helpers import SOURCES, Shell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOUSE = SOURCES / "attn_study"
FILES = sorted(path.relative_to(HOUSE).as_posix() for path in HOUSE.rglob("*.py"))

# Room or file: what of this program it may import, and what of others besides the standard
# library. The longest name that fits a file counts.
ROOMS = {
    "__init__": ((), ()),
    "__main__": (("cli",), ()),
    "errors": ((), ()),
    "wording": ((), ()),
    "collector": ((), ()),
    "places": (("errors",), ("platformdirs",)),
    "settings": (("errors", "files"), ("tomlkit",)),
    "files": (("errors",), ()),
    "memory": (("memory", "errors"), ()),
    "memory/schema": (("memory", "errors"), ("sqlite_utils",)),
    "memory/fsrs": (("memory", "errors"), ("fsrs",)),
    "deck": (("deck", "errors", "files", "wording", "collector"), ("yaml",)),
    "deck/formats/anki/models": ((), ("genanki",)),
    "deck/formats/anki/writing": (("deck", "errors", "wording"), ("genanki",)),
    "deck/formats/anki/archive": (("errors",), ("zstandard",)),
    "attention": (("attention", "errors"), ("numpy",)),
    "demos": (("attention", "demos", "errors"), ("numpy",)),
    "render": (("render", "errors", "wording", "demos.panels"), ("rich",)),
    "screen": (
        (
            "screen",
            "render",
            "errors",
            "sitting",
            "deck.kinds",
            "memory.sm2",
            "memory.words",
            "demos",
        ),
        ("rich",),
    ),
    "sitting": (("posed", "memory", "errors"), ()),
    "computed": (("attention", "demos", "deck", "errors"), ()),
    "posed": (("computed", "deck", "demos", "errors"), ()),
    "review": (("sitting", "posed", "computed", "memory", "deck", "demos", "errors"), ()),
    "quiz": (("posed", "computed", "deck", "errors"), ()),
    "heirs": (("memory", "deck"), ()),
    "renamed": (("memory", "deck", "wording"), ()),
    "refresh": (("heirs", "memory", "deck", "errors", "wording"), ()),
    "cli": (("",), ("typer", "rich")),
    "cli/demo_matrix": (("",), ("yaml", "numpy")),
}
# For types alone more may be named, but never these.
UNKNOWN = {
    "memory": ("deck", "attention", "demos", "render", "screen", "sitting", "review"),
    "deck": ("memory", "attention", "demos", "render", "screen", "sitting", "review"),
    "attention": ("memory", "deck", "demos", "render", "screen", "sitting", "review"),
    "demos": ("memory", "deck", "render", "screen", "sitting", "review"),
    "render": ("screen", "review", "refresh"),
}
# A few words and rules are worth more in one place than a straight line between rooms.
DEPARTURES = {
    ("render/cards.py", "memory.search"),  # the names of standings
    ("render/history.py", "memory.words"),  # the names of grades
    ("render/events.py", "memory.words"),  # an event in words
}

HEAVY = [
    "numpy",
    "yaml",
    "sqlite_utils",
    "pydantic",
    "textual",
    "rich.markdown",
    "rich.traceback",
    "asyncio",
    "importlib.metadata",
    "tomlkit",
    "jinja2",
    "jsonschema",
    "genanki",
    "zstandard",
    "fsrs",
]
DAILY = (
    "review --plain",
    "today",
    "today --json",
    "today --count",
    "card grade attention/scaling good",
    "card list is:due",
    "card show attention/scaling",
    "card suspend attention/scaling",
    "deck list",
    "log",
    "undo",
    "config",
    "--help",
    "--version",
)
LOADED = """
import atexit, json, sys
atexit.register(lambda: print("\\0" + json.dumps(sorted(sys.modules)), file=sys.__stderr__))
sys.argv[0] = "attn-study"
from attn_study.cli.main import main
main()
"""

CLOCKS = {"datetime.now", "datetime.today", "datetime.utcnow", "date.today", "time.time"}
WORLD = {"os.environ", "os.getenv", "sys.argv", "input", "print", "breakpoint"} | CLOCKS


class Import(NamedTuple):
    """One imported module; ours are named without the program's name."""

    name: str
    ours: bool
    for_types: bool


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def tree(file: str) -> ast.Module:
    return ast.parse((HOUSE / file).read_text(encoding="utf-8"))


def imports(file: str) -> list[Import]:
    """Every import of a file, those inside functions included."""
    module = tree(file)
    typed = {
        id(inner)
        for node in ast.walk(module)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for branch in node.body
        for inner in ast.walk(branch)
    }
    return [
        Import(name.removeprefix("attn_study").lstrip("."), _is_ours(name), id(node) in typed)
        for node in ast.walk(module)
        for name in _names(node, file)
    ]


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] == "attn_study"


def _names(node: ast.AST, file: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"{file}: a relative import hides what it names"
        bare = node.module == "attn_study"
        yield from (
            f"attn_study.{alias.name}" if bare else str(node.module) for alias in node.names
        )


def within(name: str, rooms: tuple[str, ...]) -> bool:
    return any(not room or name == room or name.startswith(f"{room}.") for room in rooms)


def room(file: str) -> str:
    """The entry of `ROOMS` that holds for a file."""
    path = file.removesuffix(".py")
    found = [name for name in ROOMS if path == name or path.startswith(f"{name}/")]
    assert found, f"{file} is a new room: say in ROOMS whom it may import"
    return max(found, key=len)


@pytest.mark.parametrize("file", FILES)
def test_a_room_imports_only_what_it_may(file: str) -> None:
    inside, outside = ROOMS[room(file)]
    for found in imports(file):
        if found.for_types or (file, found.name) in DEPARTURES:
            continue
        if found.ours:
            assert within(found.name, inside), f"{file} imports {found.name}"
        elif found.name.partition(".")[0] not in sys.stdlib_module_names:
            assert within(found.name, outside), f"{file} imports {found.name}"


@pytest.mark.parametrize("file", FILES)
def test_even_types_stay_among_acquaintances(file: str) -> None:
    strangers = UNKNOWN.get(file.partition("/")[0], ())
    for found in imports(file):
        if found.ours and (file, found.name) not in DEPARTURES:
            assert not within(found.name, strangers), f"{file} names {found.name}"
            is_cli = file.startswith(("cli/", "__main__"))
            assert is_cli or not within(found.name, ("cli",)), f"{file} names {found.name}"


@pytest.mark.parametrize(("file", "name"), sorted(DEPARTURES))
def test_a_departure_that_nobody_takes_is_no_departure(file: str, name: str) -> None:
    assert name in [found.name for found in imports(file) if not found.for_types]


@pytest.mark.parametrize("file", FILES)
def test_only_the_command_line_touches_the_world(file: str) -> None:
    used = {
        ast.unparse(node)
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Attribute | ast.Name)
    }
    assert file.startswith("cli/") or not used & WORLD


@pytest.mark.parametrize("file", FILES)
def test_dice_are_handed_in(file: str) -> None:
    names = {found.name for found in imports(file)}
    assert "random" not in names
    if file not in ("memory/log.py", "memory/device.py", "memory/schema.py", "files.py"):
        assert not names & {"secrets", "uuid"}


@pytest.mark.parametrize("file", FILES)
def test_a_file_says_its_idea_and_fits_the_eye(file: str) -> None:
    module = tree(file)
    says = (ast.get_docstring(module) or "").partition("\n")[0]
    assert says.endswith("."), f"{file} does not begin with a sentence"
    assert len((HOUSE / file).read_text(encoding="utf-8").splitlines()) <= 300
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            assert lines <= 50, f"{file}: {node.name} has {lines} lines"


@pytest.mark.parametrize("words", DAILY)
def test_a_daily_command_loads_nothing_heavy(shell: Shell, words: str) -> None:
    shell.done("card", "grade", "attention/scaling", "good")
    script = f"import sys\nexec({LOADED!r})\nsys.exit()"
    said = shell.process(*words.split(), before=script)
    assert said.code == 0, said.err
    loaded = json.loads(said.err.partition("\0")[2])
    assert "attn_study.cli.app" in loaded
    assert not set(HEAVY).intersection(loaded)


def commands(command: Any, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with its words, groups included."""
    yield path, command
    for name in command.list_commands(None) if hasattr(command, "list_commands") else ():
        yield from commands(command.get_command(None, name), *path, name)


COMMANDS = dict(commands(get_command(app)))


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_and_option_says_what_it_is_for(path: tuple[str, ...]) -> None:
    command = COMMANDS[path]
    assert command.help
    for parameter in command.params:
        assert parameter.param_type_name == "argument" or parameter.help, parameter.name


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_fits_one_screen_and_works_without_a_home(shell: Shell, path: tuple[str, ...]) -> None:
    shell.file("home", "in the way of the folder")
    said = shell.done(*path, "--help")
    assert (len(said.lines) <= 24, max(map(len, said.lines)) <= 80) == (True, True), said.out
    assert said == shell.done(*path, "-h")
    assert not said.err


def shown(said: str) -> Iterator[list[str]]:
    """The words of every example in a help text."""
    for match in re.finditer(r"^ *attn-study((?: [^ \n]+| (?=\"))*(?: \"[^\"]*\")*)", said, re.M):
        yield shlex.split(match[1])


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_example_in_help_names_commands_and_options_that_exist(
    shell: Shell, path: tuple[str, ...]
) -> None:
    for words in shown(shell.done(*path, "--help").out):
        known: tuple[str, ...] = ()
        while words and (*known, words[0]) in COMMANDS:
            known = (*known, words.pop(0))
        command = COMMANDS[known]
        assert not words or not hasattr(command, "commands"), words
        options = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options


def test_the_first_help_names_every_command(shell: Shell) -> None:
    said = shell.done("--help").out
    named = set(re.findall(r"attn-study ([a-z]+)", said))
    assert {path[0] for path in COMMANDS if path} <= named | {"today"}


def test_the_version_is_said_in_one_line(shell: Shell) -> None:
    said = shell.done("--version").out
    assert re.fullmatch(r"attn-study \d+\.\d+\.\d+\S*\n", said)


REPORTS = {
    "today": ("today",),
    "card-list": ("card", "list"),
    "card": ("card", "show", "attention/scaling"),
    "deck-list": ("deck", "list"),
    "log": ("log",),
    "quiz": ("quiz",),
    "config": ("config",),
}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_one_object_that_names_its_schema(shell: Shell, name: str) -> None:
    shell.done("card", "grade", "attention/scaling", "good")
    report = shell.done(*REPORTS[name], "--json").json
    assert next(iter(report)) == "schema"
    assert report["schema"] == f"attn-study/{name}/1"
