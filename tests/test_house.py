"""The house: who may import whom, what a daily command loads, how files and help look."""

from __future__ import annotations

import ast
import json
import re
import shlex
import sys
from functools import cache
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
    "extras": ((), ()),
    "collector": ((), ()),
    "places": (("errors",), ("platformdirs",)),
    "settings": (("errors", "files"), ("tomlkit",)),
    "files": (("errors",), ()),
    "memory": (("memory", "errors"), ()),
    "memory/health/schedulers": (("memory", "errors", "extras"), ()),
    "memory/insight/forecast": (("memory", "errors"), ("numpy",)),
    "memory/schema": (("memory", "errors"), ("sqlite_utils",)),
    "memory/fsrs": (("memory", "errors"), ("fsrs",)),
    "memory/safety/backup": (("memory", "errors", "files"), ()),
    "memory/safety/copies": (("memory", "errors", "files"), ()),
    "memory/safety/restoring": (("memory", "errors", "files"), ()),
    "memory/sync": (("memory", "errors", "files"), ()),
    "deck": (("deck", "errors", "files", "wording", "collector"), ("yaml",)),
    "deck/formats/anki/models": ((), ("genanki",)),
    "deck/formats/anki/writing": (("deck", "errors", "wording", "extras"), ("genanki",)),
    "deck/formats/anki/archive": (("errors", "extras"), ("zstandard",)),
    "attention": (("attention", "errors"), ("numpy",)),
    # The one file of this room that is on disk: the trained weights
    "attention/model/stored": (("attention", "errors", "files"), ("numpy",)),
    # Words alone, so that lessons and the training draw the same sentences
    "language": (("language", "errors"), ()),
    "demos": (("attention", "demos", "language", "errors"), ("numpy",)),
    "render": (("render", "errors", "wording", "demos.panels"), ("rich",)),
    "render/insight/plots": (("render", "errors"), ("rich", "plotille")),
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
    # the hands and ears of the explorer; what it knows and draws is as plain as the other rooms
    "screen/explorer/app": (("screen", "render"), ("rich", "textual")),
    "screen/explorer/driver": (("screen",), ("textual",)),
    "sitting": (("posed", "memory", "errors"), ()),
    "computed": (("attention", "demos", "deck", "errors"), ()),
    "posed": (("computed", "deck", "demos", "errors"), ()),
    "review": (("sitting", "posed", "computed", "memory", "deck", "demos", "errors"), ()),
    "quiz": (("posed", "computed", "deck", "demos", "errors"), ()),
    "heirs": (("memory", "deck"), ()),
    "renamed": (("memory", "deck", "wording"), ()),
    "refresh": (("heirs", "memory", "deck", "errors", "wording"), ()),
    "cli": (("",), ("typer", "rich")),
    "cli/demo_matrix": (("",), ("yaml", "numpy")),
    "cli/logs/parquet": (("",), ("pyarrow",)),
}
# For types alone more may be named, but never these.
UNKNOWN = {
    "memory": ("deck", "attention", "demos", "render", "screen", "sitting", "review"),
    "deck": ("memory", "attention", "demos", "render", "screen", "sitting", "review"),
    "attention": ("memory", "deck", "demos", "render", "screen", "sitting", "review"),
    "language": ("memory", "deck", "attention", "demos", "render", "screen", "sitting", "review"),
    "demos": ("memory", "deck", "render", "screen", "sitting", "review"),
    "render": ("screen", "review", "refresh"),
}
# A few words and rules are worth more in one place than a straight line between rooms.
DEPARTURES = {
    ("render/cards.py", "memory.search"),  # the names of standings
    ("render/face.py", "memory.leech"),  # why a card is a leech
    ("render/insight/stats.py", "memory.leech"),
    ("render/insight/stats_words.py", "memory.words"),
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
    "plotille",
    "jinja2",
    "jsonschema",
    "genanki",
    "zstandard",
    "fsrs",
    "pyarrow",
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
# Runs command after command in one process, where what one loads stays loaded.
LOADED = """
import json, os, sys
kept = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
loaded = {}
from attn_study.cli.main import main
for line in json.loads(sys.argv.pop()):
    sys.argv[:] = ["attn-study", *line.split()]
    try:
        main()
    except SystemExit as ended:
        loaded[line] = [ended.code, sorted(sys.modules)]
os.write(kept, json.dumps(loaded).encode())
os._exit(0)
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


@cache
def tree(file: str) -> ast.Module:
    return ast.parse((HOUSE / file).read_text(encoding="utf-8"))


@cache
def nodes(file: str) -> list[ast.AST]:
    return list(ast.walk(tree(file)))


@cache
def imports(file: str) -> list[Import]:
    """Every import of a file, those inside functions included."""
    typed = {
        id(inner)
        for node in nodes(file)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for branch in node.body
        for inner in ast.walk(branch)
    }
    return [
        Import(name.removeprefix("attn_study").lstrip("."), _is_ours(name), id(node) in typed)
        for node in nodes(file)
        for name in _names(node, file)
    ]


def dotted(node: ast.Attribute | ast.Name) -> str:
    """The name as it is written, empty where it begins with a call or the like."""
    if isinstance(node, ast.Name):
        return node.id
    before = dotted(node.value) if isinstance(node.value, ast.Attribute | ast.Name) else ""
    return f"{before}.{node.attr}" if before else ""


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


def test_a_room_imports_only_what_it_may() -> None:
    assert not [
        f"{file} imports {found.name}"
        for file in FILES
        for found in imports(file)
        if not found.for_types and (file, found.name) not in DEPARTURES
        if not _may_import(room(file), found)
    ]


def _may_import(room: str, found: Import) -> bool:
    inside, outside = ROOMS[room]
    if found.ours:
        return within(found.name, inside)
    return found.name.partition(".")[0] in sys.stdlib_module_names or within(found.name, outside)


def test_even_types_stay_among_acquaintances() -> None:
    assert not [
        f"{file} names {found.name}"
        for file in FILES
        for found in imports(file)
        if found.ours and (file, found.name) not in DEPARTURES
        if within(found.name, _strangers(file))
    ]


def _strangers(file: str) -> tuple[str, ...]:
    strangers = UNKNOWN.get(file.partition("/")[0], ())
    return strangers if file.startswith(("cli/", "__main__")) else (*strangers, "cli")


@pytest.mark.parametrize(("file", "name"), sorted(DEPARTURES))
def test_a_departure_that_nobody_takes_is_no_departure(file: str, name: str) -> None:
    assert name in [found.name for found in imports(file) if not found.for_types]


def test_only_the_command_line_touches_the_world() -> None:
    assert not [
        f"{file}:{node.lineno}: {name}"
        for file in FILES
        if not file.startswith("cli/")
        for node in nodes(file)
        if isinstance(node, ast.Attribute | ast.Name) and (name := dotted(node)) in WORLD
    ]


def test_dice_are_handed_in() -> None:
    told = ("memory/log.py", "memory/device.py", "memory/schema.py", "files.py")
    may = {
        "random": ("language/grammar.py",),  # makes its dice from the seed that is handed in
        "secrets": told,
        "uuid": told,
    }
    assert not [
        f"{file} imports {found.name}"
        for file in FILES
        for found in imports(file)
        if not found.for_types and file not in may.get(found.name, (file,))
    ]


def test_a_file_says_its_idea_and_fits_the_eye() -> None:
    assert not [fault for file in FILES for fault in _faults_of_form(file)]


def _faults_of_form(file: str) -> Iterator[str]:
    module = tree(file)
    says = (ast.get_docstring(module) or "").partition("\n")[0]
    if not says.endswith("."):
        yield f"{file} does not begin with a sentence"
    if len((HOUSE / file).read_text(encoding="utf-8").splitlines()) > 300:
        yield f"{file} is longer than 300 lines"
    for node in nodes(file):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            if lines > 50:
                yield f"{file}: {node.name} has {lines} lines"


def test_a_daily_command_loads_nothing_heavy(shell: Shell) -> None:
    shell.done("card", "grade", "attention/scaling", "good")
    said = shell.process(json.dumps(DAILY), before=LOADED)
    loaded = json.loads(said.out)
    assert {line: code or 0 for line, (code, _) in loaded.items()} == dict.fromkeys(DAILY, 0)
    assert all("attn_study.cli.app" in names for _, names in loaded.values())
    heavy = {line: set(HEAVY).intersection(names) for line, (_, names) in loaded.items()}
    assert heavy == {line: set() for line in DAILY}


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
    "stats": ("stats",),
    "stats-ahead": ("stats", "--ahead", "30"),
    "sync": ("sync", "."),
    "backup": ("backup",),
    "doctor": ("doctor",),
    "config": ("config",),
}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_one_object_that_names_its_schema(shell: Shell, name: str) -> None:
    shell.done("card", "grade", "attention/scaling", "good")
    report = shell.done(*REPORTS[name], "--json").json
    assert next(iter(report)) == "schema"
    assert report["schema"] == f"attn-study/{name}/1"
