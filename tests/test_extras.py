"""What adds a part that is not installed: from where this program came, by the pip beside it."""

from __future__ import annotations

import json
import shlex
import sys
from importlib import metadata
from typing import TYPE_CHECKING

import pytest

from attn_study import extras
from attn_study.extras import install

if TYPE_CHECKING:
    from pathlib import Path


class Installed:
    """A distribution whose record of its origin says this."""

    def __init__(self, record: str | None) -> None:
        self._record = record

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return self._record


def came_from(monkeypatch: pytest.MonkeyPatch, record: str | None) -> None:
    monkeypatch.setattr(metadata, "distribution", lambda _: Installed(record))


def test_a_copy_is_installed_again_from_its_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "my copy ü"
    came_from(monkeypatch, json.dumps({"url": folder.as_uri(), "dir_info": {}}))
    assert shlex.split(install("anki")) == [
        sys.executable,
        "-m",
        "pip",
        "install",
        f"{folder}[anki]",
    ]


@pytest.mark.parametrize("record", [None, "", "{", "[]", '{"url": "https://example.org/a.whl"}'])
def test_what_came_from_elsewhere_is_asked_of_the_index(
    monkeypatch: pytest.MonkeyPatch, record: str | None
) -> None:
    came_from(monkeypatch, record)
    assert install("fsrs").endswith("-m pip install 'attn-study[fsrs]'")


def test_where_there_is_no_pip_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    came_from(monkeypatch, None)
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    assert install("fsrs") == "install the program again as 'attn-study[fsrs]'"
