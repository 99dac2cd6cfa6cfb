"""No module of the lessons imports another that imports it in turn, not even inside a function."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from typing import TYPE_CHECKING

from cli_helpers import SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROOM = "attn_study.demos"
FOLDER = SOURCES / "attn_study" / "demos"


def named(path: Path) -> str:
    """The name of the module of a file."""
    parts = path.relative_to(SOURCES).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {named(path): path for path in FOLDER.rglob("*.py")}


def for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def imports(node: ast.AST) -> Iterator[str]:
    """What is imported anywhere under a node, as module or as a name in one."""
    for child in ast.iter_child_nodes(node):
        if for_types(child):
            continue
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module:
            yield from (f"{child.module}.{alias.name}" for alias in child.names)
        yield from imports(child)


def needed(path: Path) -> set[str]:
    """The modules of the lessons that a module imports; that of a lesson by name is not known."""
    every = imports(ast.parse(path.read_text(encoding="utf-8")))
    found = {name if name in MODULES else name.rpartition(".")[0] for name in every}
    return found & {*MODULES}


def test_no_lesson_is_imported_in_a_circle() -> None:
    graph = {name: needed(path) for name, path in MODULES.items()}
    assert f"{ROOM}.trained.layer" in graph[f"{ROOM}.weighing"]  # inside a function
    order = list(TopologicalSorter(graph).static_order())
    assert len(order) == len(MODULES) > 60
