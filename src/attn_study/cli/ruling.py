"""The settings that are rules of the log, because they change what the answers mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.memory.event import Draft
from attn_study.memory.rules import EVERY_DECK, LEAST_RETENTION, MOST_RETENTION, SCHEDULERS
from attn_study.memory.sm2 import INTERVAL_CAP
from attn_study.settings import LONGEST

if TYPE_CHECKING:
    from attn_study.cli.world import World
    from attn_study.memory.rules import Rules

CAP = "interval_cap"  # days
OF_DECKS = ("scheduler", "retention", "fuzz")  # alone for every deck, or as NAME.DECK for one
YES_NO = {"on": True, "off": False}


def is_rule(key: str) -> bool:
    """Return whether a setting is kept in the log."""
    return key == CAP or key.partition(".")[0] in OF_DECKS


def rule_facts(rules: Rules) -> dict[str, object]:
    """Return the rules in force, as settings; `retention` and `fuzz` only where FSRS has a deck."""
    facts: dict[str, object] = {CAP: rules.cap, "scheduler": rules.choice(EVERY_DECK).scheduler}
    for deck, choice in rules.decks.items():
        behind = f".{deck}" if deck else ""
        facts[f"scheduler{behind}"] = choice.scheduler
        if choice.scheduler == "fsrs":
            facts[f"retention{behind}"] = choice.retention
            facts[f"fuzz{behind}"] = "on" if choice.fuzz else "off"
    return facts


def change_rule(world: World, key: str, text: str) -> str:
    """Write a rule; return what holds now. Raises UserError for a value it cannot have."""
    name, _, deck = key.partition(".")
    value = _value(key, name, text)
    with world.open(write=True) as study:
        if deck:
            study.deck(deck)
        data = {name: value} if name == CAP else {name: value, "deck": deck}
        study.log.write([Draft("", "rule", data=data)], study.moment())
    return f"{key} = {text}, for all answers so far too; `attn-study undo` takes it back"


def _value(key: str, name: str, text: str) -> object:
    if name == CAP:
        is_number = text.isascii() and text.isdigit() and len(text) <= LONGEST
        if is_number and 1 <= int(text) <= INTERVAL_CAP:
            return int(text)
        hint = f"{CAP} takes a whole number of days from 1 to {INTERVAL_CAP}"
    elif name == "scheduler":
        if text in SCHEDULERS:
            return text
        hint = f"scheduler takes one of: {', '.join(SCHEDULERS)}"
    elif name == "fuzz":
        if text in YES_NO:
            return YES_NO[text]
        hint = "fuzz takes on or off"
    else:
        share = _share(text)
        if LEAST_RETENTION <= share <= MOST_RETENTION:
            return share
        hint = f"retention takes a share from {LEAST_RETENTION} to {MOST_RETENTION}"
    raise UserError(f"{text!r} is no value of {key}", hint=hint)


def _share(text: str) -> float:
    """Return the number that a text such as 0.85 names, 0 where it names none."""
    try:
        return float(text) if text.isascii() and len(text) <= LONGEST else 0.0
    except ValueError:
        return 0.0
