"""What is installed stays small: the files that pyproject names for the wheel, packed as it is."""

from __future__ import annotations

import tomllib
from base64 import urlsafe_b64encode
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
MOST_BYTES = 1_000_000
SPARE = 2_000  # for what the build writes besides: the other metadata, the end of the archive

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def described() -> str:
    """The file whose text the metadata holds."""
    return str(PROJECT["project"]["readme"])


def shipped() -> Iterator[tuple[str, bytes]]:
    """The files of the wheel's folders by name, without what Python keeps beside them."""
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    folders = {folder: Path(folder).name for folder in wheel["packages"]} | wheel["force-include"]
    for folder, name in folders.items():
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield f"{name}/{path.relative_to(ROOT / folder).as_posix()}", path.read_bytes()


def record(files: dict[str, bytes]) -> str:
    """The list of files with their checksums, which hardly gets smaller when it is packed."""
    return "".join(
        f"{name},sha256={urlsafe_b64encode(sha256(content).digest()).decode()},{len(content)}\n"
        for name, content in files.items()
    )


def test_the_wheel_stays_under_a_million_bytes() -> None:
    files = dict(shipped())
    assert {"attn_study/cli/main.py", "attn_study/attention/model/trained.npz"} <= {*files}
    assert [name for name in files if name.startswith("attn_study/decks/")]
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        archive.writestr("RECORD", record(files))
        for name in (described(), "LICENSE"):
            archive.write(ROOT / name, name)
    assert len(packed.getvalue()) < MOST_BYTES - SPARE, f"{len(packed.getvalue()):,} bytes"
