"""A foreign file as decks of the learner's own: merged with what is there, and put in words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.cli.decks.planning import Plan, content, refusal, target_of
from attn_study.cli.decks.sizes import size
from attn_study.errors import UserError, near
from attn_study.refresh import BUILT_IN
from attn_study.wording import counted

if TYPE_CHECKING:
    from attn_study.cli.decks.neighbours import Neighbours
    from attn_study.cli.decks.planning import Wishes
    from attn_study.cli.study import Study
    from attn_study.deck.card import Card, Deck
    from attn_study.deck.composing import Heading
    from attn_study.deck.formats import Imported, Skipped
    from attn_study.deck.merging import Merged
    from attn_study.memory.catalogue import Source

LARGEST = 100 << 20  # bytes of a file that is read
SHOWN = 20  # cards left out that are named one by one
PREVIEW = 3  # cards shown before anything is written
WIDEST = 76  # cells of one of them


@dataclass(frozen=True, slots=True)
class Opened:
    """A foreign file and what it holds."""

    path: Path
    decks: tuple[Imported, ...]


@dataclass(frozen=True, slots=True)
class Import:
    """One foreign deck, merged, with what the file says beside its cards."""

    plan: Plan
    imported: Imported
    merged: Merged
    stands_for_built_in: bool

    def words(self, wishes: Wishes) -> str:
        """Return what comes of the deck, in lines."""
        merged, deck = self.merged, self.plan.deck
        what = "would add" if wishes.dry_run else "added"
        counts = f"{len(merged.added)} new, {len(merged.changed)} changed, {merged.same} as before"
        lines = [f"{what} {deck.name}: {size(deck)} ({counts})"]
        if merged.others:
            stay = "card(|s) of the deck (is|are) not in the file and stay(s|)"
            lines.append(f"  {counted(len(merged.others), stay)}: {_few(merged.others)}")
        if merged.unsectioned:
            lost = "card(|s) without (its|their) section: this deck has none"
            lines.append(f"  {counted(merged.unsectioned, lost)}")
        lines += [f"  {remark}" for remark in self.imported.remarks]
        lines += [f"  left out: {one}" for one in _named(merged.skipped, self.plan.path)]
        if self.stands_for_built_in:
            lines.append("  it takes the place of the built-in deck of that name")
        if not wishes.dry_run:
            return "\n".join(lines)
        if merged.skipped and not wishes.skip_bad:
            lines.append("  as it is, nothing would be added: --skip-bad adds the others")
        return "\n".join([*lines, *_preview(merged)])

    def learn(self, study: Study) -> list[str]:
        """Take in what was learned elsewhere, inside `log.writing`; return words on it."""
        from attn_study.cli.decks.carrying import carry, import_rows

        said = []
        deck = self.plan.deck.name
        if self.imported.rows:
            said.append(import_rows(study, deck, self.imported.rows))
        if self.imported.history is not None:
            said.append(carry(study, deck, self.merged.ids, self.imported.history))
        return [f"{deck}: {words}" for words in said if words]


def opened(path: Path, wishes: Wishes, *, alone: bool) -> Opened:
    """Read a foreign file; what was said of it must fit where it is `alone`.

    Raises UserError for what is no file of cards.
    """
    from attn_study.deck.formats import FORMATS, File, ReadOptions, reader
    from attn_study.deck.formats.recognise import recognise

    known = [form for form, what in FORMATS.items() if what.reads]
    if wishes.format and wishes.format not in known:
        hint = near(wishes.format, known) or "one of: " + ", ".join(known)
        raise UserError(f"no format is called {wishes.format!r}", hint=hint)
    file = File(path, loaded(path))
    name = wishes.format or _by_separators(wishes) or recognise(file, wishes.encoding)
    if alone:
        wishes.refuse_misfits(name, path)
    options = ReadOptions(
        format=name,
        encoding=wishes.encoding,
        field_separator=_unescaped(wishes.field_separator),
        row_separator=_unescaped(wishes.row_separator),
        schedule=wishes.schedule,
    )
    return Opened(path, reader(name).read(file, options))


def loaded(path: Path) -> bytes:
    """Return what stands in a file that is not too large to be a deck."""
    from attn_study.files import load_bytes

    size = path.stat().st_size
    if size > LARGEST:
        hint = "split it; from an Anki package, leave the media out"
        raise UserError(f"larger than {LARGEST >> 20} MB", where=str(path), hint=hint)
    return load_bytes(path)


def imports(study: Study, file: Opened, wishes: Wishes, beside: Neighbours) -> list[Import]:
    """Merge the decks of a foreign file with those that are there, `beside` all others.

    Raises UserError naming every note that is no sound card, unless bad cards may be skipped or
    nothing is to be written.
    """
    if wishes.name and len(file.decks) > 1:
        hint = "leave --name out: they keep their own names"
        raise UserError(f"{len(file.decks)} decks, one name", where=str(file.path), hint=hint)
    for deck in file.decks:
        _check_rows(file.path, deck, wishes.name)
    made = [_merged(study, file.path, one, wishes.name, beside) for one in file.decks]
    _refuse_faults(made, file.path, wishes)
    return made


def _check_rows(path: Path, imported: Imported, wanted: str) -> None:
    """Refuse a log that could not be taken in, before anything is written."""
    from attn_study.memory.exchange.foreign import events

    if imported.rows and wanted not in ("", imported.name):
        hint = "leave --name out; a deck that is renamed later keeps its log by `formerly:`"
        raise UserError("its log speaks of the deck by its name", where=str(path), hint=hint)
    try:
        events(imported.rows)
    except UserError as error:
        raise UserError(error.what, where=str(path), hint=error.hint) from error


def _by_separators(wishes: Wishes) -> str:
    """Return the format that separators speak of; "" where none was named."""
    if wishes.row_separator:
        return "quizlet"
    return "csv" if wishes.field_separator else ""


def _unescaped(text: str) -> str:
    """Return a separator as it was meant: a shell hands on a backslash and a letter."""
    return text.replace("\\t", "\t").replace("\\n", "\n").replace("\\r", "\r")


def _merged(
    study: Study, path: Path, imported: Imported, wanted: str, beside: Neighbours
) -> Import:
    """Merge one deck with the learner's deck of its name, or with the built-in one."""
    from attn_study.files import load

    heading = _heading(imported, path, wanted)
    there = {source.deck: source for source in study.catalogue.decks()}.get(heading.deck)
    target = target_of(study, heading.deck, there)
    own = (load(Path(there.path)), _read(there)) if there else None
    merged = _sound(imported, heading, own, target, beside)
    beside.coming.append(merged.deck)
    data = merged.text.encode() if there is None or merged.changes else None
    plan = Plan(path, merged.deck, target, data, content(target))
    is_copy = there is not None and there.origin == BUILT_IN and merged.changes
    return Import(plan, imported, merged, is_copy)


def _sound(
    imported: Imported,
    heading: Heading,
    own: tuple[str, Deck] | None,
    target: Path,
    beside: Neighbours,
) -> Merged:
    """Merge without the notes that `deck check` would find wrong: they are skipped, with why.

    Raises UserError when a card that is there already would be wrong.
    """
    from attn_study.cli.decks.lessons import lesson_fault
    from attn_study.deck.merging import merge

    faults: dict[str, str] = {}
    while True:
        merged = merge(
            imported,
            heading,
            own,
            target,
            lambda name, keys: faults.get(f"{heading.deck}/{name}") or lesson_fault(keys),
        )
        found = beside.faults(merged.deck)
        if not found:
            return merged
        new = {card.stem for card in merged.added}
        new |= {f"{heading.deck}/{name}" for name in merged.changed}
        for one in found:
            if one.card not in new - faults.keys():
                raise UserError(one.what, where=str(target), hint=one.hint)
            faults[one.card] = f"{one.what} ({one.hint})"


def _heading(imported: Imported, path: Path, wanted: str) -> Heading:
    from attn_study.deck.binder import as_name
    from attn_study.deck.composing import Heading

    name = as_name(wanted or imported.name) or as_name(path.stem) or "imported"
    if wanted and name != wanted:
        hint = f"letters, digits and . _ - only, as in {name}"
        raise UserError(f"{wanted!r} cannot be the name of a deck", hint=hint)
    title = imported.title or imported.name or name
    return Heading(name, title, imported.source, imported.language, imported.formerly)


def _read(source: Source) -> Deck:
    """Read the deck that is there; one with mistakes is mended first, lest they be lost."""
    from attn_study.deck.reader import read

    reading = read(Path(source.path))
    errors = [one for one in reading.complaints if not one.warning]
    if reading.deck is None or errors:
        hint = "`attn-study deck check` shows them; nothing was added"
        raise UserError("this deck has mistakes of its own", where=source.path, hint=hint)
    return reading.deck


def _refuse_faults(made: list[Import], path: Path, wishes: Wishes) -> None:
    skipped = [one for deck in made for one in deck.merged.skipped]
    sound = sum(len(deck.plan.deck.notes) - len(deck.merged.others) for deck in made)
    if not skipped or wishes.dry_run or (wishes.skip_bad and sound):
        return
    raise UserError("\n".join([*_named(skipped, path), f"{path}: {refusal(sound, len(skipped))}"]))


def _named(skipped: list[Skipped] | tuple[Skipped, ...], path: Path) -> list[str]:
    """Return a line for each note left out, as far as they can be read at once."""
    lines = [f"{path}:{one.line}: {one.what}" if one.line else one.what for one in skipped[:SHOWN]]
    more = len(skipped) - SHOWN
    return [*lines, f"… and {more} more"] if more > 0 else lines


def _few(names: tuple[str, ...]) -> str:
    return ", ".join(names[:PREVIEW]) + (", …" if len(names) > PREVIEW else "")


def _preview(merged: Merged) -> list[str]:
    """Return the first cards that would be added, and those that would change, a line each."""
    changed = [f"  changed: {_few(merged.changed)}"] if merged.changed else []
    return [*(f"  {_line(card)}" for card in merged.added[:PREVIEW]), *changed]


def _line(card: Card) -> str:
    from attn_study.render.text import cut

    both = f"{card.asked} → {card.back or card.answer}" if not card.cloze else card.cloze
    return cut(" ".join(both.split()), WIDEST)
