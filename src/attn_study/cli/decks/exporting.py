"""A deck in another format: into a file, or onto standard output."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.cli.outputs import check_foreign
from attn_study.cli.streams import writing
from attn_study.errors import UserError, near
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.cli.study import Study
    from attn_study.cli.world import World
    from attn_study.deck.card import Card
    from attn_study.deck.formats import Exported
    from attn_study.memory.catalogue import Source

    Rows = tuple[Mapping[str, object], ...]

COLUMNS = 80  # of the picture of a demo
BINARY = ("apkg",)


def export_deck(study: Study, source: Source, output: Path | None, to: str) -> None:
    """Write a deck into `output`, or onto standard output, and say what was lost on the way."""
    from attn_study.cli.decks.carrying import export_rows

    name = _format(output, to)
    rows = export_rows(study, source.deck)
    made = _exported(Path(source.path), name, rows)
    for loss in (*made.losses, *_unlearned(name, rows)):
        study.world.say(f"note: {loss}")
    if output is None:
        _onto_stdout(study.world, made.data, name)
        return
    check_foreign(output, study.world.home)
    from attn_study.files import write_bytes

    write_bytes(output, made.data)
    study.world.say(f"wrote {output}")


def _format(output: Path | None, to: str) -> str:
    """Return the format that is asked for, by its name or by the suffix of the file."""
    from attn_study.deck.formats import FORMATS

    written = {"yaml": (".yaml", ".yml")} | {
        name: form.suffixes for name, form in FORMATS.items() if form.writes
    }
    if to:
        if to not in written:
            hint = near(to, written) or "one of: " + ", ".join(written)
            raise UserError(f"a deck cannot be written as {to!r}", hint=hint)
        return to
    if output is None:
        return "json"
    found = next((name for name, ends in written.items() if output.suffix.lower() in ends), "")
    if not found:
        suffixes = ", ".join(ends[0] for ends in written.values())
        what = f"the suffix {output.suffix!r} names no format"
        raise UserError(what, where=str(output), hint=f"one of {suffixes}, or say --to FORMAT")
    return found


def _unlearned(name: str, rows: Rows) -> list[str]:
    """Return what is to be said of the log of a deck in a format that has no place for it."""
    learned = {row["card"] for row in rows if row["card"]}
    if name == "json" or not learned:
        return []
    return [counted(len(learned), "card(|s) without (its|their) schedule and log; json has them")]


def _exported(path: Path, name: str, rows: Rows) -> Exported:
    from attn_study import __version__
    from attn_study.deck.formats import Exported, WriteOptions, writer
    from attn_study.deck.reader import read
    from attn_study.files import load_bytes

    if name == "yaml":
        return Exported(load_bytes(path))
    reading = read(path)
    deck = reading.deck
    if deck is None or not deck.cards:
        raise UserError("there is no card to write", where=str(path))
    options = WriteOptions(
        name,
        picture=cache(_picture),
        rows=rows,
        tool=f"attn-study {__version__}",
        time=int(path.stat().st_mtime),
    )
    made = writer(name).write(deck, options)
    faulty = len({one.line for one in reading.complaints if not one.warning})
    lost = "card(|s) with a mistake, which `attn-study deck check` names"
    return replace(made, losses=(*made.losses, counted(faulty, lost))) if faulty else made


def _picture(card: Card) -> str | None:
    """Return the card's demo as an SVG, on a light ground as cards have elsewhere."""
    from attn_study.demos import exists, load
    from attn_study.demos.lesson import Lesson
    from attn_study.render.lesson import lesson_page
    from attn_study.render.svg import svg

    if not exists(card.demo):
        return None
    try:
        lesson = Lesson.of(load(card.demo), dict(card.knobs))
    except UserError:
        return None  # `deck check` names what is wrong with it
    return svg(
        lesson_page(lesson, COLUMNS), COLUMNS, f"attn-study demo {lesson.demo.name}", "light"
    )


def _onto_stdout(world: World, data: bytes, name: str) -> None:
    if name in BINARY and world.stdout.isatty():
        raise UserError(f"{name} is no text for a terminal", hint="name a file with -o FILE")
    with writing():
        world.stdout.flush()
        world.stdout.buffer.write(data)
        world.stdout.buffer.flush()
