"""A trained model as a file: its numbers, its words, a record of its making, and a checksum.

The file is an `.npz`: `np.load` gives each parameter by its name, and `model.json` inside is plain
text. Its members are not compressed, so that the bytes are the same whatever built zlib; the wheel
packs them, and the zeros behind the digits that ship pack well.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile, ZipFile, ZipInfo

import numpy as np

from attn_study.attention.model.parameters import Parameters, Size
from attn_study.errors import UserError
from attn_study.files import load_bytes, write_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import DTypeLike, NDArray

    from attn_study.attention.model.parameters import Floats

SCHEMA = "attn-study/model/1"
ABOUT = "model.json"
TRAINED = Path(__file__).with_name("trained.npz")
AGAIN = "install the program again, with the first command of README.md"
SIGNIFICANT = 11  # bits of a float16, the leading 1 included
BITS = 7  # of them that ship: no answer on the held-out sentences needs more, and they pack better
LAYERS = 1_000  # a layer has several names, and each is made before an array is looked for
LARGEST = 1_000_000  # any size of a model, so that a wrong number cannot take all memory


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """A model as its file has it: read-only parameters, a word for each number, and the record.

    `record` is what the training says of itself: seed, steps, grammar, recipe, scores, heads.
    """

    parameters: Parameters
    words: tuple[str, ...]
    record: Mapping[str, Any]


def save(
    path: Path, parameters: Parameters, words: Sequence[str], record: Mapping[str, Any]
) -> None:
    """Write the model and its checksum beside it; the same model gives the same bytes.

    Its numbers are rounded as `as_shipped` does.

    Raises UserError when a number does not fit a float16, or the files cannot be written.
    """
    about = {"schema": SCHEMA, "size": parameters.size.as_json(), "words": list(words)}
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        archive.writestr(_member(ABOUT), json.dumps(about | {"record": record}, indent=1))
        for name, array in parameters.items():
            archive.writestr(_member(f"{name}.npy"), _npy(name, array))
    content = file.getvalue()
    write_bytes(path, content)
    line = f"{sha256(content).hexdigest()}  {path.name}\n"
    write_bytes(checksum_of(path), line.encode())


def load(path: Path, dtype: DTypeLike = np.float64) -> Stored:
    """Return the model of a file, its numbers as `dtype`.

    Raises UserError, which says what to do, when the file or its checksum is missing, when they
    do not fit each other, or when it holds another thing than a model. Pickled objects are never
    loaded.
    """
    try:
        content = load_bytes(path)
        _check(content, checksum_of(path))
        return _stored(content, dtype)
    except UserError as error:
        raise UserError(f"no trained model: {error.what}", where=str(path), hint=AGAIN) from error


def as_shipped(numbers: Floats) -> NDArray[np.float16]:
    """Return numbers as a file holds them: float16 of `BITS` significant bits, too large ones ∞.

    Rounded to the nearest, halves away from 0: to add half of the last bit that stays to a float's
    bits, and to clear those behind it, does that, into the exponent too.
    """
    with np.errstate(over="ignore"):
        bits = np.asarray(numbers).astype("<f2").view("<u2")
    behind = (1 << (SIGNIFICANT - BITS)) - 1
    rounded: NDArray[np.float16] = (bits + (behind + 1) // 2 & ~np.uint16(behind)).view("<f2")
    return rounded


@cache
def trained() -> Stored:
    """Return the model that comes with the program, in float64; UserError as `load` raises it."""
    return load(TRAINED)


def checksum_of(path: Path) -> Path:
    """Return where the checksum of a model stands, as `sha256sum` writes it."""
    return path.with_suffix(".sha256")


def _member(name: str) -> ZipInfo:
    """An entry that says nothing of when and where it was made."""
    entry = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    return entry


def _npy(name: str, array: Floats) -> bytes:
    half = as_shipped(array)  # what is too large becomes infinite, and is refused
    if not np.isfinite(half).all():
        raise UserError(f"{name} holds a number that does not fit a float16")
    file = BytesIO()
    np.lib.format.write_array(file, half, version=(1, 0), allow_pickle=False)
    return file.getvalue()


def _check(content: bytes, beside: Path) -> None:
    said = load_bytes(beside).decode("ascii", "replace").split()
    if said[:1] != [sha256(content).hexdigest()]:
        raise UserError(f"it is damaged, its checksum is not that of {beside.name}")


def _stored(content: bytes, dtype: DTypeLike) -> Stored:
    try:
        with ZipFile(BytesIO(content)) as archive:
            about = json.loads(archive.read(ABOUT))
            if about["schema"] != SCHEMA:
                raise UserError(f"it is of another kind, {about['schema']!r}")
            size, words, record = _size(about["size"]), tuple(about["words"]), about["record"]
            if not isinstance(record, dict):
                raise UserError("it has no record of its making")
            arrays = {name: _array(archive, name) for name in size.shapes()}
    except (
        ArithmeticError,
        KeyError,
        TypeError,
        ValueError,
        EOFError,
        OSError,
        BadZipFile,
    ) as error:
        raise UserError(f"it cannot be read: {error}") from error
    if {name: array.shape for name, array in arrays.items()} != size.shapes():
        raise UserError("its arrays have other shapes than it says")
    if len(words) != size.n_words:
        raise UserError(f"it has {len(words)} words for {size.n_words} numbers")
    flat = np.concatenate([array.ravel() for array in arrays.values()]).astype(dtype)
    if not np.isfinite(flat).all():
        raise UserError("it holds a number that is not finite")
    flat.setflags(write=False)
    return Stored(Parameters(size, flat), words, record)


def _size(found: Mapping[str, Any]) -> Size:
    size = Size(**found)
    for name, value in size.as_json().items():
        least, most = int(name != "d_hidden"), LAYERS if name == "n_layers" else LARGEST
        if type(value) is not int or not least <= value <= most:
            raise UserError(f"its {name} cannot be {value!r}")
    return size


def _array(archive: ZipFile, name: str) -> Floats:
    with archive.open(f"{name}.npy") as file:
        found: Floats = np.lib.format.read_array(file, allow_pickle=False)
    if found.dtype.kind != "f":
        raise UserError(f"its {name} is not made of floats")
    return found
