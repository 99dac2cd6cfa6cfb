"""Damaged files by the thousand, read in one process that dies rather than hang or grow.

`python fuzzing.py SEED FIRST COUNT PROGRESS` reads the files FIRST … FIRST + COUNT - 1 and prints a
report as JSON; the number of the file at hand stands in the file PROGRESS. `made(SEED, NUMBER)`
gives the same file again.
"""

from __future__ import annotations

import io
import json
import os
import random
import signal
import sys
import traceback
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import zstandard

from anki_package import Package, zipped
from attn_study.deck import reader as decks
from attn_study.deck.binder import as_name
from attn_study.deck.composing import Heading
from attn_study.deck.formats import FORMATS, File, Imported, ReadOptions, WriteOptions
from attn_study.deck.formats import reader as format_reader
from attn_study.deck.formats import writer as format_writer
from attn_study.deck.formats.recognise import YAML, recognise
from attn_study.deck.merging import merge
from attn_study.errors import UserError
from attn_study.memory.exchange.foreign import events

if TYPE_CHECKING:
    from attn_study.deck.card import Deck

ROOM = 300_000_000  # bytes a worker may take beyond what it has when it begins
SECONDS = 10  # of computing for one file
LONGEST = 200_000  # characters of one repeated token
MOST_DECKS = 3  # of one file that are merged
BUILT_IN = Path(__file__).parent.parent / "decks"
TOKENS = (
    "{{c1::", "}}", "::", ":::", '"', '""', "'", r"\(", r"\)", r"\[", "$", "$$", "`", "```", "~~~",
    "\n", "\r\n", "\r", "\t", ",", ";", "|", "#", "# ", "---\n", "Q: ", "A: ", "C: ", "[", "]",
    "{", "}", "&", "*a", "&a ", "!!python/object:os.system ", "- ", ": ", "? ", "|\n", ">\n",
    "#separator:tab\n", "#html:true\n", "#separator:,\n", "#columns:front\tback\n", "sep=;\n",
    "<!-- attn-study {", "-->", "<b>", "<div>", "</div>", "&lt;", "&#0;", "&#x110000;", "<",
    "[sound:x.mp3]", '<img src="x.png">', "cards:\n", "deck: x\n", "sections:\n", "null", "NaN",
    '"schema": "attn-study/deck/1"', "\\", "\\u0000", "\\ud800", "\0", "\ufeff", "\x85", "\u2028",
    "\u200b", "e\u0301", "1e999", "-1", "9" * 400, "- [" * 30, "[[" * 40,
)  # fmt: skip
DECK = r"""deck: mine
title: Mine
source: A book
sections:
  - title: "1 Scores"
    cards:
      - id: scale
        front: Why divide by \(\sqrt{d_k}\)?
        back: |
          Large scores saturate the softmax.

          ```
          Q: not a card
          ```
        tags: [scores, softmax]
        demo: scale
        with: {d_k: 64}
      - id: roles
        kind: reversed
        front: <unk>
        back: a token that is not known
      - id: holes
        cloze: The {{c1::query::one side}} asks, the {{c2::\(k_{j}\)}} answers, {{c1::both}}.
        note: $5 is no formula
  - title: "2 Answers"
    cards:
      - id: number
        front: What is 1/4?
        answer: "0.25"
        accept: ["1/4", "a quarter"]
        tolerance: 0.01
        after: [scale]
      - id: option
        front: What sums to 1?
        choices:
          - a row of weights
          - {text: a column of weights, why: softmax goes along the keys}
        answer: a row of weights
      - front: Seen?
        back: yes
        figure: {tokens: [it, cat], weights: [0.25, 0.75], from: it}
"""
MARKDOWN = """---
name = "Notes"
---
# Notes

Q: What is $x$?
A: A vector,
one a token.

C: [Attention] weighs [values::what].
---
what :: that
this ::: that

```
Q: code
```
"""
# The tables that newer packages have beside those of the older ones, their columns in Protobuf
NEWER = r"""
CREATE TABLE config (key, val);
INSERT INTO config VALUES ('creationOffset', '-60'), ('rollover', '4');
CREATE TABLE notetypes (id, name, config);
INSERT INTO notetypes VALUES (100, 'Basic', x'0800'), (104, 'Cloze', x'0801');
CREATE TABLE fields (ntid, ord, name, config);
INSERT INTO fields VALUES (100, 0, 'Front', x''), (100, 1, 'Back', x''), (104, 0, 'Text', x'');
CREATE TABLE templates (ntid, ord, name, config);
INSERT INTO templates VALUES (100, 0, 'Card 1', x'0a097b7b46726f6e747d7d');
INSERT INTO templates VALUES (104, 0, 'Cloze', x'0a0e7b7b636c6f7a653a546578747d7d');
CREATE TABLE decks (id, name);
INSERT INTO decks VALUES (1, 'Mine' || char(31) || 'One');
"""
QUIZLET = b"query\twhat asks\nkey\twhat answers\n"


class Seed(NamedTuple):
    """A sound file to be damaged: the format it is in, and how its name ends."""

    format: str
    suffix: str
    data: bytes


@cache
def seeds() -> tuple[Seed, ...]:
    """Return a sound file of every format, and of our own decks."""
    deck = decks.parse(DECK, Path("mine.yaml")).deck
    assert deck is not None
    row = {
        "id": 1, "uid": "0" * 32, "device": "d", "tick": 1, "batch": "b", "card": "mine/scale",
        "kind": "review", "grade": 4, "day": "2026-01-02", "at": "2026-01-02T12:00:00.000+00:00",
        "offset": 0, "seconds": 1.5, "data": {},
    }  # fmt: skip
    found = [Seed(YAML, ".yaml", DECK.encode()), Seed("markdown", ".md", MARKDOWN.encode())]
    found.append(Seed("quizlet", ".txt", QUIZLET))
    for name, form in FORMATS.items():
        if form.writes:
            sent = format_writer(name).write(deck, WriteOptions(name, rows=(row,)))
            found.append(Seed(name, form.suffixes[0], sent.data))
    lines = (BUILT_IN / "attention.yaml").read_text(encoding="utf-8").split("\n")
    found.append(Seed(YAML, ".yaml", "\n".join(lines[:120]).encode()))
    older, newer = _package(), _package()
    newer.sql = NEWER
    found.append(Seed("apkg", ".apkg", zipped({"collection.anki2": older.database()})))
    packed = zstandard.compress(newer.database())
    found.append(Seed("apkg", ".apkg", zipped({"collection.anki21b": packed, "meta": b"\x08\x03"})))
    return tuple(found)


def _package() -> Package:
    """What a learner of Anki may have: notes of two types, with and without a history."""
    package = Package()
    package.note("Basic", "a<br>b &lt;unk&gt; [sound:x.mp3]", r"\(x\)", tags=" one two ")
    package.note("Cloze", r"{{c1::\(\frac{a}{b}\)::hint}} and {{c2::b}}", "", cards=2)
    package.note("Basic", "known", "yes", type=2, queue=2, due=9, ivl=7, factor=2300, reps=3)
    package.answer(4, 3, 1_700_000_100_000)
    return package


@cache
def large_seeds() -> tuple[Seed, ...]:
    """Return our own decks whole; they take longer to read."""
    return tuple(Seed(YAML, ".yaml", path.read_bytes()) for path in sorted(BUILT_IN.glob("*.yaml")))


def made(seed: int, number: int) -> tuple[Seed, random.Random]:
    """Return the damaged file of that number, and the dice that go on from there."""
    dice = random.Random(f"{seed}/{number}")
    start = dice.choice(large_seeds() if dice.random() < 0.01 else seeds())
    if start.format == "apkg" and dice.random() < 0.6:
        data = _inside(start.data, dice)
    else:
        data = _damaged(start.data, dice)
    return start._replace(data=data), dice


def _inside(package: bytes, dice: random.Random) -> bytes:
    """A package that is sound on the outside: one of its members is damaged."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(out, "w") as new:
        names = old.namelist()
        chosen = dice.choice(names)
        for name in names:
            data = old.read(name)
            if name == chosen:
                is_packed = name == "collection.anki21b" and dice.random() < 0.8
                data = _repacked(data, dice) if is_packed else _damaged(data, dice)
            new.writestr(name, data)
    return out.getvalue()


def _repacked(data: bytes, dice: random.Random) -> bytes:
    return zstandard.compress(_damaged(zstandard.decompress(data), dice))


def _damaged(data: bytes, dice: random.Random) -> bytes:
    for _ in range(dice.choice((1, 1, 2, 3, 5))):
        data = dice.choice(DAMAGES)(data, dice)
    return data


def _place(data: bytes, dice: random.Random) -> int:
    return dice.randrange(len(data) + 1)


def _slice(data: bytes, dice: random.Random) -> tuple[int, int]:
    begin = _place(data, dice)
    return begin, min(len(data), begin + dice.choice((1, 3, 10, 50, 400)))


def _flip(data: bytes, dice: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.choice((1, 2, 8)) if data else 0):
        changed[dice.randrange(len(data))] = dice.randrange(256)
    return bytes(changed)


def _cut(data: bytes, dice: random.Random) -> bytes:
    return data[: _place(data, dice)]


def _lose(data: bytes, dice: random.Random) -> bytes:
    begin, end = _slice(data, dice)
    return data[:begin] + data[end:]


def _double(data: bytes, dice: random.Random) -> bytes:
    begin, end = _slice(data, dice)
    at = _place(data, dice)
    return data[:at] + data[begin:end] * dice.choice((1, 2, 40)) + data[at:]


def _splice(data: bytes, dice: random.Random) -> bytes:
    other = dice.choice(seeds()).data
    begin, end = _slice(other, dice)
    at = _place(data, dice)
    return data[:at] + other[begin:end] + data[at:]


def _insert(data: bytes, dice: random.Random) -> bytes:
    at = _place(data, dice)
    return data[:at] + dice.choice(TOKENS).encode() + data[at:]


def _insert_line(data: bytes, dice: random.Random) -> bytes:
    at = data.rfind(b"\n", 0, _place(data, dice)) + 1
    return data[:at] + dice.choice(TOKENS).encode() + data[at:]


def _repeat(data: bytes, dice: random.Random) -> bytes:
    token = dice.choice(TOKENS).encode()
    most = LONGEST if dice.random() < 0.05 else LONGEST // 100
    at = _place(data, dice)
    return data[:at] + token * dice.randrange(1, max(2, most // len(token))) + data[at:]


def _recode(data: bytes, dice: random.Random) -> bytes:
    name = dice.choice(("utf-16", "utf-16-le", "utf-8-sig", "cp1252", "utf-32"))
    return data.decode("utf-8", errors="replace").encode(name, errors="replace")


DAMAGES = (_flip, _cut, _lose, _double, _splice, _insert, _insert, _insert_line, _repeat, _recode)


@dataclass
class Report:
    """What a run found. `faults` pairs the number of a file with what was wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[int, str]] = field(default_factory=list)

    def read(self, seed: int, number: int) -> None:
        """Read one damaged file; whatever happens is counted."""
        start, dice = made(seed, number)
        path = Path(f"damaged-{number}{dice.choice((start.suffix, '.txt', ''))}")
        try:
            wrong = self._ways(File(path, start.data), start.format, dice)
        except Exception:
            wrong = traceback.format_exc()
        self.counts["files"] += 1
        if wrong:
            self.faults.append((number, f"{start.format} {path}\n{wrong}"))

    def _ways(self, file: File, format: str, dice: random.Random) -> str:
        """Read the file as what it looks like, or as what it was."""
        schedule = dice.random() < 0.5
        return self.wrong(file, "" if dice.random() < 0.6 else format, schedule=schedule, dice=dice)

    def wrong(
        self,
        file: File,
        format: str = "",
        *,
        schedule: bool = False,
        dice: random.Random | None = None,
    ) -> str:
        """Read a file, as what it looks like without a format, and say what is wrong with that."""
        dice = dice or random.Random(0)
        try:
            format = format or recognise(file)
        except UserError as error:
            self.counts["not recognised"] += 1
            return _unplaced(error, file)
        if format == YAML:
            return self._deck(file)
        try:
            found = format_reader(format).read(file, ReadOptions(format, schedule=schedule))
        except UserError as error:
            is_text = format != "apkg"
            self.counts["refused"] += is_text
            self.counts["refused with a line"] += is_text and error.where != str(file.path)
            return _unplaced(error, file)
        self.counts[f"read as {format}"] += 1
        if not found:
            return "no deck, and no refusal"
        return next(filter(None, map(_unsound, found)), "") or self._taken_in(found, file, dice)

    def _taken_in(self, found: tuple[Imported, ...], file: File, dice: random.Random) -> str:
        """Go on with what was read as the command does, and send it out again."""
        for one in found[:MOST_DECKS]:
            try:
                events(one.rows)
                self.counts["logs believed"] += bool(one.rows)
            except UserError:
                self.counts["logs refused"] += 1
            if wrong := self._merged(one, file.path, dice):
                return wrong
        return ""

    def _merged(self, one: Imported, path: Path, dice: random.Random) -> str:
        """Make a deck file of it; taken in a second time it changes nothing."""
        name = as_name(one.name) or "imported"
        heading = Heading(name, one.title or name, one.source, one.language, one.formerly)
        try:
            made = merge(one, heading, None, path)
        except UserError as error:
            self.counts["not merged"] += 1
            return "" if error.what else f"no reason: {error!r}"
        self.counts["merged"] += 1
        again = merge(one, heading, (made.text, made.deck), path)
        if again.changes or again.text != made.text:
            return f"taken in twice it is another deck: {made.text!r} {again.text!r}"
        return self._sent(made.deck, dice)

    def _sent(self, deck: Deck, dice: random.Random) -> str:
        """Write the deck in some format and read that; a refusal says why."""
        if not deck.cards:
            return ""
        format = dice.choice([name for name, form in FORMATS.items() if form.writes])
        try:
            sent = format_writer(format).write(deck, WriteOptions(format))
            back = format_reader(format).read(File(Path("sent"), sent.data), ReadOptions(format))
        except UserError as error:
            self.counts[f"not sent as {format}"] += 1
            return "" if error.what else f"no reason: {error!r}"
        self.counts[f"sent as {format}"] += 1
        return next(filter(None, map(_unsound, back)), "")

    def _deck(self, file: File) -> str:
        reading = decks.parse(file.data, file.path)
        self.counts["read as yaml"] += 1
        if reading.deck is None and not reading.complaints:
            return "no deck, and no complaint"
        said = [str(one) for one in reading.complaints[:50]]
        return next((one for one in said if not one.startswith(str(file.path))), "")


def _unplaced(error: UserError, file: File) -> str:
    """A refusal names the file, in one line."""
    if not error.where.startswith(str(file.path)):
        return f"the refusal does not name the file: {error!r} at {error.where!r}"
    return "" if error.what and len(error.what) < 2_000 else f"not a sentence: {error.what[:200]}"


def _unsound(found: Imported) -> str:
    """What is imported has notes, or says why not; texts can be written to a file."""
    if not found.notes and not found.skipped and not found.rows:
        return "" if found.name else "nothing was imported, and nobody said so"
    for note in found.notes:
        json.dumps(note.fields, ensure_ascii=False).encode()
    json.dumps([one.what for one in found.skipped], ensure_ascii=False).encode()
    return ""


def _bytes_in_use() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")


def most_bytes() -> int:
    """Return the most bytes of memory that this process had at once.

    `ru_maxrss` would not do: a process begins with that of the one which started it.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    kilobytes = next(line for line in status.splitlines() if line.startswith("VmHWM:")).split()[1]
    return int(kilobytes) * 1_024


def main() -> None:
    """Read the files and print the report; the kernel ends what takes too long or too much."""
    import resource  # not on Windows, where `made` is still of use

    seed, first, count = map(int, sys.argv[1:4])
    report = Report()
    for warm in seeds():  # libraries are loaded before memory is measured
        report._ways(File(Path(f"sound{warm.suffix}"), warm.data), warm.format, random.Random(1))
    report = Report()
    limit = _bytes_in_use() + ROOM
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    progress = os.open(sys.argv[4], os.O_WRONLY | os.O_CREAT)
    for number in range(first, first + count):
        os.pwrite(progress, f"{number:12d}".encode(), 0)
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)  # its signal kills who does not heed it
        report.read(seed, number)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    said: dict[str, Any] = {"counts": report.counts, "faults": report.faults, "peak": most_bytes()}
    print(json.dumps(said))


if __name__ == "__main__":
    main()
