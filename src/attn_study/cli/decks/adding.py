"""`deck add`: the files that are meant, each read as what it is, and all brought in together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.cli.decks.planning import carry_out, link_to, refuse_twins
from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.cli.decks.foreign import Import
    from attn_study.cli.decks.planning import Plan, Wishes
    from attn_study.cli.study import Study
    from attn_study.deck.card import Deck

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
    ours, coming = _ours(study, own, wishes)
    theirs, left = _theirs(study, foreign, wishes, coming, alone=source.is_file())
    plans = [*(plan for plan, _ in ours), *(one.plan for one in theirs)]
    if not plans:
        raise UserError("no deck could be read", where=str(source), hint="\n".join(left))
    refuse_twins(plans)
    said = [*(words for _, words in ours), *(one.words(wishes) for one in theirs), *left]
    if not wishes.dry_run:
        said += _carry_out(study, source, plans, theirs, wishes)
    return "\n".join(said)


def _ours(
    study: Study, paths: list[Path], wishes: Wishes
) -> tuple[list[tuple[Plan, str]], list[Deck]]:
    """Plan for deck files; return as well the decks that they hold."""
    if not paths:
        return [], []
    from attn_study.cli.decks.checking import look
    from attn_study.cli.decks.own import ours

    planned = ours(study, look(study.world, paths), wishes)
    return planned, [plan.deck for plan, _ in planned]


def _theirs(
    study: Study, paths: list[Path], wishes: Wishes, coming: list[Deck], *, alone: bool
) -> tuple[list[Import], list[str]]:
    """Plan for foreign files, beside the decks that are `coming` with them.

    A text in a folder that turns out to hold no cards is left out.
    """
    if not paths:
        return [], []
    from attn_study.cli.decks.foreign import imports, opened
    from attn_study.cli.decks.neighbours import Neighbours

    beside = Neighbours(study.world, coming)
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
        found += imports(study, file, wishes, beside)
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
