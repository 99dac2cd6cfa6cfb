"""Text files read as they are, and written whole or not at all."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from attn_study.errors import UserError
from attn_study.files import load, write

if TYPE_CHECKING:
    from pathlib import Path


def test_a_text_is_written_and_loaded_with_its_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "new" / "mine.yaml"
    for text in ("\ufeffa\r\nb\n", "é"):
        write(path, text)
        assert load(path) == text
    assert [one.name for one in path.parent.iterdir()] == ["mine.yaml"]


def test_a_link_is_written_through(tmp_path: Path) -> None:
    real, link = tmp_path / "real.yaml", tmp_path / "link.yaml"
    real.write_text("old", encoding="utf-8")
    try:
        link.symlink_to(real)
    except OSError:
        pytest.skip("no links here")
    write(link, "new")
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "new"


@pytest.mark.skipif(os.name != "posix", reason="modes are a POSIX thing")
def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    write(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_file_that_cannot_be_written_is_named_and_leaves_no_litter(tmp_path: Path) -> None:
    folder = tmp_path / "folder.yaml"
    folder.mkdir()
    with pytest.raises(UserError) as error:
        write(folder, "text")
    assert error.value.where == str(folder)
    assert [one.name for one in tmp_path.iterdir()] == ["folder.yaml"]


def test_a_file_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_bytes(b"caf\xe9")
    for path in (bad, tmp_path / "none.yaml", tmp_path):
        with pytest.raises(UserError) as error:
            load(path)
        assert error.value.where == str(path)
