"""The settings that are rules of the log, because they change what the answers mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.extras import install
from attn_study.memory.event import Draft
from attn_study.memory.rules import (
    CHOICES,
    EVERY_DECK,
    LEAST_RETENTION,
    MOST_RETENTION,
    SCHEDULERS,
    fsrs_is_installed,
    is_days,
    is_retention,
)
from attn_study.memory.sm2 import INTERVAL_CAP
from attn_study.settings import LONGEST

if TYPE_CHECKING:
    from attn_study.cli.world import World
    from attn_study.memory.rules import Rules

CAP = "interval_cap"  # days
YES_NO = {"on": True, "off": False}


def is_rule(key: str) -> bool:
    """Return whether a setting is kept in the log: those of `CHOICES` alone or as NAME.DECK."""
    name, dot, deck = key.partition(".")
    return key == CAP or (name in CHOICES and bool(deck) == bool(dot))


def rule_facts(rules: Rules) -> dict[str, object]:
    """Return the rules in force, as settings: what was chosen, and what FSRS aims at."""
    facts: dict[str, object] = {CAP: rules.cap, "scheduler": rules.choice(EVERY_DECK).scheduler}
    for deck, chosen in rules.decks.items():
        choice = rules.choice(deck)
        known = {"retention", *chosen} if choice.scheduler == "fsrs" else chosen
        for name in (name for name in CHOICES if name in known):
            facts[f"{name}.{deck}" if deck else name] = _said(getattr(choice, name))
    return facts


def change_rule(world: World, key: str, text: str) -> str:
    """Write a rule; return what holds now. Raises UserError for a value it cannot have."""
    name, _, deck = key.partition(".")
    value = _value(key, name, text) if text or name == CAP else None
    with world.open(write=True) as study:
        if deck:
            study.deck(deck)
        data = {name: value} if name == CAP else {name: value, "deck": deck}
        study.log.write([Draft("", "rule", data=data)], study.moment())
        rules = study.log.rules()
    found = rules.cap if name == CAP else getattr(rules.choice(deck), name)
    said = f"{key} = {_said(found)}, for all answers so far too; `attn-study undo` takes it back"
    if value not in (None, found):
        return f"{said}\nbut {text} does not count: a rule dated later than today has the last word"
    return said


def _said(value: object) -> object:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else value


def _value(key: str, name: str, text: str) -> object:
    """Return the value that a text gives a rule; raises UserError where it gives none."""
    if name == CAP:
        value: object = (
            int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else 0
        )
        fits, hint = is_days(value), f"a whole number of days from 1 to {INTERVAL_CAP}"
    elif name == "scheduler":
        value, fits, hint = text, text in SCHEDULERS, f"one of: {', '.join(SCHEDULERS)}"
    elif name == "fuzz":
        value, fits, hint = YES_NO.get(text), text in YES_NO, "on or off"
    else:
        value = _share(text)
        fits, hint = is_retention(value), f"a share from {LEAST_RETENTION} to {MOST_RETENTION}"
    if not fits:
        raise UserError(f"{text!r} is no value of {key}", hint=f"{name} takes {hint}")
    if value == "fsrs" and not fsrs_is_installed():
        raise UserError("the package of FSRS is not installed", hint=install("fsrs"))
    return value


def _share(text: str) -> float:
    """Return the number that a text such as 0.85 names, 0 where it names none."""
    try:
        return float(text) if text.isascii() and len(text) <= LONGEST else 0.0
    except ValueError:
        return 0.0


def without_fsrs(rules: Rules) -> list[str]:
    """Return a notice where decks chose FSRS and its package is not installed."""
    if rules.installed or not rules.fsrs_decks:
        return []
    named = ", ".join(deck or "every deck" for deck in rules.fsrs_decks)
    return [f"FSRS is not installed: SM-2 sets the dates of {named} until it is; {install('fsrs')}"]
