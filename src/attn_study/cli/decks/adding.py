"""`deck add`: the files that are meant, each read as what it is, and all brought in together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.cli.decks.planning import (
    Plan,
    carry_out,
    content,
    link_to,
    refusal,
    refuse_twins,
    target_of,
)
from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.cli.decks.foreign import Import
    from attn_study.cli.decks.planning import Wishes
    from attn_study.cli.study import Study
    from attn_study.deck.complaint import Complaint
    from attn_study.deck.reader import Reading

LOOSE = (".txt", ".md", ".markdown", ".json")  # names of files that often hold no cards at all


def add_decks(study: Study, named: str, wishes: Wishes) -> str:
    """Bring in a file, or every one in a folder; all of them or none.

    Raises UserError naming every mistake, with nothing added, unless bad cards may be skipped.
    """
    if not named:
        raise UserError("no file is named", hint="`attn-study deck add .` takes this whole folder")
    source = Path(named)
    own, foreign = _sorted_out(source, wishes)
    if own and source.is_file():
        wishes.refuse_misfits("yaml", source)
    ours = _ours(study, own, wishes)
    theirs, left = _theirs(study, foreign, wishes, alone=source.is_file())
    plans = [*(plan for plan, _ in ours), *(one.plan for one in theirs)]
    if not plans:
        raise UserError("no deck could be read", where=str(source), hint="\n".join(left))
    refuse_twins(plans)
    said = [*(words for _, words in ours), *(one.words(wishes) for one in theirs), *left]
    if not wishes.dry_run:
        said += _carry_out(study, source, plans, theirs, wishes)
    return "\n".join(said)


def _theirs(
    study: Study, paths: list[Path], wishes: Wishes, *, alone: bool
) -> tuple[list[Import], list[str]]:
    """Plan for foreign files. A text in a folder that turns out to hold no cards is left out."""
    if not paths:
        return [], []
    from attn_study.cli.decks.foreign import imports, opened

    found: list[Import] = []
    left: list[str] = []
    for path in paths:
        try:
            file = opened(path, wishes, alone=alone)
        except UserError as error:
            if alone or path.suffix.lower() not in LOOSE:
                raise
            left.append(f"left out: {error.where or path}: {error.what}")
            continue
        found += imports(study, file, wishes)
    return found, left


def _carry_out(
    study: Study, source: Path, plans: list[Plan], theirs: list[Import], wishes: Wishes
) -> list[str]:
    if wishes.link:
        link_to(study, source)
        return []
    said = carry_out(study, plans, lambda: [words for one in theirs for words in one.learn(study)])
    if said:
        from attn_study.cli.decks.carrying import met

        for one in theirs:
            met(study, one.plan.deck.name)
    return said


def _sorted_out(source: Path, wishes: Wishes) -> tuple[list[Path], list[Path]]:
    """Return the deck files and the foreign files that are meant."""
    from attn_study.deck.library import SUFFIXES as YAML
    from attn_study.deck.library import files

    if not (source.is_file() or source.is_dir()):
        hint = "a deck in any format, a folder of them, or the name of a built-in deck put away"
        raise UserError("there is no such file or folder", where=str(source), hint=hint)
    if source.is_file() and wishes.is_foreign:
        return [], [source]
    if source.is_file():
        is_ours = source.suffix.lower() in YAML or _is_ours(source, wishes.encoding)
        return ([source], []) if is_ours else ([], [source])
    found = [file.path for file in files(source, [], built_in=source)]  # only what lies below it
    foreign = [] if wishes.link else _foreign(source)
    if not found and not foreign:
        hint = ", ".join(f"*{suffix}" for suffix in (*YAML, *_suffixes()))
        raise UserError("no deck file in this folder", where=str(source), hint=hint)
    return found, foreign


def _is_ours(path: Path, encoding: str) -> bool:
    """Return whether a file holds a deck of ours; raises UserError for one that holds none."""
    from attn_study.cli.decks.foreign import loaded
    from attn_study.deck.formats import File
    from attn_study.deck.formats.recognise import YAML, recognise

    return recognise(File(path, loaded(path)), encoding) == YAML


def _suffixes() -> list[str]:
    """What the names of foreign files end with."""
    from attn_study.deck.formats import FORMATS

    return [suffix for form in FORMATS.values() for suffix in form.suffixes]


def _foreign(folder: Path) -> list[Path]:
    """Files below a folder whose names say that they may hold cards, in the order of names."""
    known = _suffixes()
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in known
        and path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def _ours(study: Study, paths: list[Path], wishes: Wishes) -> list[tuple[Plan, str]]:
    """Plan for deck files, with what is to be said of each."""
    if not paths:
        return []
    from attn_study.cli.decks.checking import look

    found = look(study.world, paths)
    readings = [(file.path, reading) for file, reading in found.asked]
    _refuse_faults(readings, found.errors, skip_bad=wishes.skip_bad)
    return [_planned(study, path, one, wishes) for path, one in readings if one.deck]


def _refuse_faults(
    readings: list[tuple[Path, Reading]], errors: list[Complaint], *, skip_bad: bool
) -> None:
    """Refuse files with mistakes, as `deck check` names them.

    What cannot be read is left out where bad cards may be skipped; what is wrong with a card that
    reads well would come in with it, and is refused all the same.
    """
    unread = [one for _, reading in readings for one in reading.complaints if not one.warning]
    within = [one for one in errors if one.line and one not in unread]
    faulty = {_note(one) for one in within}
    cards = [card for _, reading in readings if reading.deck for card in reading.deck.cards]
    sound = sum(card.stem not in faulty for card in cards)
    if not within and (not unread or (skip_bad and sound)):
        return
    bad = len({(one.path, one.line) for one in unread}) + len(faulty)
    where = readings[0][0] if len(readings) == 1 else "together"
    said = refusal(sound, bad, skippable=not within)
    if skip_bad and within:
        said += "; --skip-bad leaves out only what cannot be read"
    shown = [str(one) for one in errors if one in unread or one in within]
    raise UserError("\n".join([*shown, f"{where}: {said}"]))


def _note(complaint: Complaint) -> str:
    """Return the card that a complaint names, without which of its cards it is."""
    return complaint.what.partition(": ")[0].partition(":")[0]


def _planned(study: Study, path: Path, reading: Reading, wishes: Wishes) -> tuple[Plan, str]:
    """Compare a deck file with the deck of its name that is there already."""
    from attn_study.files import load_bytes
    from attn_study.wording import cards

    deck = reading.deck
    assert deck is not None
    there = {source.deck: source for source in study.catalogue.decks()}.get(deck.name)
    before = study.catalogue.texts(deck.name)
    after = {card.id: card for card in deck.cards}
    new, gone = len(after.keys() - before.keys()), len(before.keys() - after.keys())
    both = after.keys() & before.keys()
    changed = sum(_differs(before[card], after[card].to_json()) for card in both)
    target = path if wishes.link else target_of(study, deck.name, there)
    sound = all(one.warning for one in reading.complaints)
    data, held = (None, None) if wishes.link else (load_bytes(path), content(target))
    plan = Plan(path, deck, target, data, held, sound)
    what = "would add" if wishes.dry_run else "added"
    number = cards(len(deck.cards))
    return plan, f"{what} {deck.name}: {number} ({new} new, {changed} changed, {gone} gone)"


def _differs(before: str, after: str) -> bool:
    """Return whether a card reads differently; where it stands in the file does not count."""
    from dataclasses import replace

    from attn_study.deck.card import Card

    first, second = (replace(Card.from_json(text), line=0) for text in (before, after))
    return first != second
