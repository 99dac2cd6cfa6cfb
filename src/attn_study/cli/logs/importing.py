"""`log import`: a log from elsewhere, taken in whole or not at all, and never twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.cli.logs.faults import Fault, named, refuse
from attn_study.cli.logs.recognise import recognise
from attn_study.errors import UserError
from attn_study.memory.fold import canonical
from attn_study.wording import cards, counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from attn_study.cli.logs.answers import Answers, Placed
    from attn_study.cli.study import Study
    from attn_study.memory.exchange.incoming import Refused

OWN = ("jsonl", "csv")
UNCHANGED = "no row is ever changed"
UNHELD = "card(|s) (is|are) in no deck; (its|their) rows are kept and counted all the same"
MOVED = (
    "of these stand(s|) on another study day than the zone gives now: to move (it|them), "
    "take the first import back with undo and import anew"
)
SHOWN = 5  # decks that are named


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the learner said of the file; empty where it is to speak for itself."""

    deck: str = ""
    zone: str = ""
    format: str = ""
    dry_run: bool = False
    skip_bad: bool = False

    @property
    def verb(self) -> str:
        """What comes of the rows."""
        return "would bring in" if self.dry_run else "brought in"


def import_log(study: Study, path: Path, wishes: Wishes) -> list[str]:
    """Bring in a log; return lines on what came.

    Raises UserError naming every row that cannot be one, unless such rows may be skipped or
    nothing is to be written.
    """
    layout = recognise(path, wishes.format)
    if layout in OWN:
        for option, said in (("--deck", wishes.deck), ("--zone", wishes.zone)):
            if said:
                hint = f"leave {option} out: its rows say it themselves"
                raise UserError("this is a log of our own", where=str(path), hint=hint)
        return _own(study, path, layout, wishes)
    return _foreign(study, path, layout, wishes)


def _own(study: Study, path: Path, layout: str, wishes: Wishes) -> list[str]:
    """Take in rows that an attn-study wrote, by the union with those that are here."""
    from attn_study.cli.logs.own import read_own
    from attn_study.cli.progress import counting
    from attn_study.memory.exchange.incoming import waiting

    with counting(study.world) as tell, waiting(study.log, tell) as incoming:
        wrong = read_own(path, layout, incoming)
        faults: list[Fault] = []
        sound = 0

        def check(refused: list[Refused]) -> None:
            nonlocal faults, sound
            faults = sorted([*wrong, *map(_fault, refused)])
            sound = incoming.count - len(refused)
            _check(faults, sound, path, wishes)

        if wishes.dry_run:
            check(incoming.sift())
        else:
            incoming.take_in(check)
        days, about = incoming.taken("day"), incoming.taken("card").keys() - {""}
    fresh = sum(days.values())
    span = _span(days.keys(), about) if fresh else ""
    line = f"{wishes.verb} {counted(fresh, 'row(|s)')}{span}"
    return [line, *_beside(study, path, sound - fresh, about, faults, wishes)]


def _fault(row: Refused) -> Fault:
    return Fault(row.line, f"{row.why}; {UNCHANGED}" if row.contradicts else row.why)


def _foreign(study: Study, path: Path, layout: str, wishes: Wishes) -> list[str]:
    """Take in answers that another program kept, as one batch of this device."""
    from attn_study.cli.logs.answers import placed
    from attn_study.cli.logs.zones import zone_of
    from attn_study.cli.progress import progress
    from attn_study.memory.exchange.incoming import waiting
    from attn_study.memory.exchange.outgoing import newest

    zone = zone_of(study.world, wishes.zone)
    with progress(study.world) as tell:
        tell("reading")
        found = _read(path, layout, wishes.deck)

        def compared() -> Placed:
            there = placed(study, found.answers, zone)
            _check(
                sorted([*found.faults, *there.faults]), len(there.rows) + there.known, path, wishes
            )
            return there

        mark, there = newest(study.log), compared()
        if there.rows and not wishes.dry_run:
            tell("taking in")

            def check(_: list[Refused]) -> None:
                if newest(study.log) != mark and len(compared().rows) != len(there.rows):
                    raise UserError("another import was faster", where=str(path), hint="try again")

            with waiting(study.log) as incoming:
                for row in study.log.placed([(row.draft, row.moment) for row in there.rows]):
                    incoming.put("", 0, row)
                incoming.take_in(check)
    faults = sorted([*found.faults, *there.faults])
    span = _span({str(day) for day in there.days}, there.cards) if there.rows else ""
    lines = [f"{wishes.verb} {counted(len(there.rows), 'answer(|s)')}{span}"]
    lines += [f"  {remark}" for remark in found.remarks]
    lines += _beside(study, path, there.known, there.cards, faults, wishes)
    if there.moved:
        lines.append(f"  {counted(there.moved, MOVED)}")
    if there.rows and not wishes.dry_run:
        lines.append("`attn-study undo` takes all of it back")
    return lines


def _read(path: Path, layout: str, wanted: str) -> Answers:
    """Read the answers in a file, their cards filed under the deck that is wanted."""
    from attn_study.deck.binder import as_name

    if wanted and as_name(wanted) != wanted:
        near = as_name(wanted)
        hint = "letters, digits and . _ - only" + (f", as in {near}" if near else "")
        raise UserError(f"{wanted!r} cannot be the name of a deck", hint=hint)
    otherwise = as_name(path.stem) or "imported"
    if layout == "anki":
        from attn_study.cli.logs.anki import read_anki

        return read_anki(path, wanted, otherwise)
    from attn_study.cli.logs.reviews import read_reviews

    return read_reviews(path, wanted or otherwise)


def _check(faults: Sequence[Fault], sound: int, path: Path, wishes: Wishes) -> None:
    """Refuse a file with faults, unless they may be left out or nothing is to be written."""
    if faults and not wishes.dry_run and not (wishes.skip_bad and sound):
        refuse(faults, path, sound)


def _span(days: AbstractSet[str], about: AbstractSet[str]) -> str:
    """Return of how many cards rows are, and of which days."""
    first, last = min(days), max(days)
    when = f"on {first}" if first == last else f"on {len(days):,} days from {first} to {last}"
    return f" of {cards(len(about))}, {when}"


def _beside(
    study: Study,
    path: Path,
    known: int,
    about: AbstractSet[str],
    faults: Sequence[Fault],
    wishes: Wishes,
) -> list[str]:
    """Let the catalogue know what came in; return what is to be said beside its number."""
    alias = study.log.aliases()
    held = set(study.catalogue.names())
    counting = {canonical(card, alias) for card in about}
    if not wishes.dry_run:
        study.catalogue.saw(counting & held)
        study.catalogue.mend_hints()
    decks = sorted({card.partition("/")[0] for card in about})
    lines = [f"  under {_few(decks)}"] if decks else []
    if lost := len(counting - held):
        lines.append(f"  {counted(lost, UNHELD)}")
    if known:
        lines.append(f"  {counted(known, 'row(|s) (was|were)')} here already")
    lines += [f"  left out: {line}" for line in named(faults, path)]
    if faults and not wishes.skip_bad:
        lines.append("  as it is, nothing would come in: --skip-bad brings in the others")
    return lines


def _few(decks: Sequence[str]) -> str:
    more = len(decks) - SHOWN
    listed = ", ".join(decks[:SHOWN]) + (f" and {more:,} more" if more > 0 else "")
    return f"the deck{'' if len(decks) == 1 else 's'} {listed}"
