"""The collection inside an Anki package, unpacked in memory and within limits."""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, NoReturn

from attn_study.errors import UserError
from attn_study.extras import install

if TYPE_CHECKING:
    from typing import IO

    from attn_study.deck.formats.exchange import File

# The newest form first: older ones beside it hold a note that asks for a newer Anki
NAMES = ("collection.anki21b", "collection.anki21", "collection.anki2")
LARGEST = 64 << 20  # bytes of a collection, unpacked; a deck file holds less
LARGEST_DIRECTORY = 4 << 20  # bytes of the list of entries: some 60,000 of them
LARGEST_WINDOW = 32 << 20  # bytes that zstandard may look back; Anki asks for 8 MB at most
CHUNK = 1 << 20
END, END_LENGTH = b"PK\5\6", 22  # the record behind the list of entries
FAR_END, FAR_LENGTH = b"PK\6\7", 20  # and what stands before it in very large archives
ENCRYPTED = 1
HINT = "export it again from Anki: File, Export, Anki Deck Package (.apkg)"


def collection(file: File) -> bytearray:
    """Return the SQLite file in a package; entries are found by name and never written to disk.

    Raises UserError for what is no package, is damaged, or unpacks beyond the limits.
    """
    _check_directory(file)
    try:
        with zipfile.ZipFile(BytesIO(file.data)) as archive:
            known = set(archive.namelist())
            name = next((name for name in NAMES if name in known), None)
            if name is None:
                _refuse(file, "this archive holds no Anki collection")
            info = archive.getinfo(name)
            if info.flag_bits & ENCRYPTED:
                _refuse(file, f"{name} is encrypted")
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                _refuse(file, f"{name} is packed in a way that Anki does not use")
            with archive.open(info) as packed:
                data = _read(file, packed)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError, RuntimeError) as reason:
        raise UserError(
            f"this Anki package is damaged: {reason}", where=str(file.path), hint=HINT
        ) from reason
    return _expand(file, data) if name == NAMES[0] else data


def _check_directory(file: File) -> None:
    """Refuse what is no archive, or lists more entries than fit into memory."""
    data = file.data
    if not data.startswith(b"PK"):
        page = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
        what = "an empty file" if not data else "a web page" if page else "another kind of file"
        _refuse(file, f"this is {what}, not an Anki package")
    at = len(data) - END_LENGTH
    if not (data.startswith(END, at) and data.endswith(b"\0\0")):
        at = data.rfind(END, max(0, at - (1 << 16)))
    if at < 0:
        _refuse(file, "this Anki package is cut off")
    is_far = data.startswith(FAR_END, max(0, at - FAR_LENGTH))
    if is_far or int.from_bytes(data[at + 12 : at + 16], "little") > LARGEST_DIRECTORY:
        _refuse(file, "this archive lists too many entries for an Anki package")


def _read(file: File, packed: IO[bytes]) -> bytearray:
    """Unpack in pieces, and stop where the limit is reached whatever the archive declares."""
    data = bytearray()
    while piece := packed.read(CHUNK):
        data += piece
        if len(data) > LARGEST:
            _refuse(file, f"the collection unpacks to more than {LARGEST >> 20} MB")
    return data


def _expand(file: File, data: bytearray) -> bytearray:
    """Undo the compression inside the archive, which packages have had since 2022."""
    try:
        import zstandard
    except ImportError as reason:
        what = "this Anki package is of the new form, which needs `zstandard`"
        hint = f"{install('anki')}, or export with “Support older Anki versions” ticked"
        raise UserError(what, where=str(file.path), hint=hint) from reason
    try:
        expander = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW)
        with expander.stream_reader(BytesIO(data)) as packed:
            return _read(file, packed)
    except zstandard.ZstdError as reason:
        raise UserError(
            f"this Anki package is damaged: {reason}", where=str(file.path), hint=HINT
        ) from reason


def _refuse(file: File, what: str) -> NoReturn:
    raise UserError(what, where=str(file.path), hint=HINT)
