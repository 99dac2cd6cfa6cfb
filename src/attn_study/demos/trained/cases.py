"""Prepared sentences of the toy language with slots: one word in them turns the next word over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.demos.demo import Knob
from attn_study.errors import UserError
from attn_study.language.apart import split
from attn_study.language.families import adjective, agreement, coref, fit, names, sense, tower
from attn_study.language.words import (
    ANIMALS,
    ATTRACTORS,
    BEINGS,
    LANDS,
    OBJECTS,
    PERSONS,
    PLACES,
    PLURALS,
    SENSES,
    SIZED,
    TEXTURES,
    THINGS,
    TOO,
    TOO_BIG,
    TOO_SMALL,
    TOWERS,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from attn_study.language.apart import Split
    from attn_study.language.sentence import Sentence

NOUN = Knob("noun", None, "A noun of the sentence.")
PLACE = Knob("place", None, "The other noun, where there is one.")
ADJECTIVE = Knob("adjective", None, "The adjective.")
WORD = Knob("word", "", "The word that decides, whatever it is.")
SLOTS = (NOUN, PLACE, ADJECTIVE, WORD)

HEADS = tuple(word for noun in (*OBJECTS, *PERSONS) for word in (noun, PLURALS[noun]))
NOUNS_BETWEEN = tuple(word for noun in ATTRACTORS for word in (noun, PLURALS[noun]))
ECHOED = 40  # characters of what was given that an error repeats
PEOPLE = (("harry", "potter"), ("john", "reed"))


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with slots.

    `slots` maps each to the words that fit, the one that stands there by default first;
    `decides` is the slot whose word turns the next word over, and `turned` another word for it.
    `belongs` says whether the `pair` of words, which names slots, has met in training.
    `of_senses` is a word of several senses that the case is about, where it is about one.
    """

    slots: Mapping[str, Sequence[str]]
    decides: str
    build: Callable[[Mapping[str, str]], Sentence]
    turned: Callable[[str], str]
    belongs: Callable[[Mapping[str, str]], Split]
    pair: str
    about: str
    of_senses: str = ""

    def settle(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return a word for every slot: what is given, else the default.

        Raises UserError for a slot that the sentence does not have, for a word that does not fit
        it, and for one word in two slots.
        """
        found = {slot: fitting[0] for slot, fitting in self.slots.items()}
        for slot, word in given.items():
            at = self.decides if slot == "word" else slot
            if at not in self.slots:
                hint = "its slots: " + ", ".join(f"--{each}" for each in self.slots)
                raise UserError(f"this sentence has no {slot}", hint=hint)
            if at != slot and _plain(given.get(at, word)) != _plain(word):
                raise UserError(f"--word and --{at} are the same slot here", hint="give one")
            found[at] = self._fitting(at, word, slot)
        if len(set(found.values())) < len(found):
            raise UserError(f"{found['noun']!r} stands twice", hint="two different words, please")
        return found

    def other(self, slots: Mapping[str, str]) -> dict[str, str]:
        """Return the slots with the word that decides turned over."""
        return {**slots, self.decides: self.turned(slots[self.decides])}

    def _fitting(self, slot: str, word: str, typed: str) -> str:
        """Return the word as the slot has it; an error names the slot as it was typed."""
        fitting = self.slots[slot]
        if _plain(word) not in fitting:
            shown = repr(word if len(word) <= ECHOED else f"{word[:ECHOED]}…")
            hint = "one of: " + ", ".join(fitting)
            raise UserError(f"{shown} does not fit the slot --{typed}", hint=hint)
        return _plain(word)


def _plain(word: str) -> str:
    return word.strip().casefold()


def _first(word: str, others: Sequence[str]) -> tuple[str, ...]:
    """Return the words with one of them first."""
    return (word, *(other for other in others if other != word))


def _number(noun: str) -> str:
    """Return the plural of a singular, the singular of a plural."""
    singulars = {many: one for one, many in PLURALS.items()}
    return PLURALS.get(noun) or singulars[noun]


def _one(noun: str) -> str:
    return noun if noun in PLURALS else _number(noun)


def _chicken(slots: Mapping[str, str]) -> Sentence:
    nouns = {"animal": slots["noun"], "place": slots["place"]}
    return coref.build(nouns, coref.going(*nouns.values()), slots["adjective"])


def _trophy(slots: Mapping[str, str]) -> Sentence:
    return fit.build(slots["noun"], slots["place"], slots["adjective"])


def _things(slots: Mapping[str, str]) -> Split:
    first, second = sorted((slots["noun"], slots["place"]), key=THINGS.index)
    return split(first, second, THINGS, THINGS)


def _keys(slots: Mapping[str, str]) -> Sentence:
    return agreement.build(slots["noun"], ("to", "the", slots["place"]), "lost")


def _sensed(word: str, first: str, about: str) -> Case:
    cues = _first(first, sense.cues(word))
    senses = list(SENSES[word])

    def turned(cue: str) -> str:
        at = senses.index(sense.sense_of(word, cue))
        return sense.pointers(word, senses[(at + 1) % len(senses)])[0]

    return Case(
        slots={"word": cues},
        decides="word",
        build=lambda slots: sense.build(word, slots["word"]),
        turned=turned,
        belongs=lambda slots: sense.split(word, slots["word"]),
        pair=f"“{word}” with “{{word}}”",
        about=about,
        of_senses=word,
    )


def _creature(slots: Mapping[str, str]) -> Sentence:
    land = next(like for like, land in LANDS.items() if land == slots["place"])
    return adjective.roaming((slots["adjective"], "blue"), slots["noun"], land)


def _names(slots: Mapping[str, str]) -> Sentence:
    again = [first for first, _ in PEOPLE].index(slots["noun"])
    return names.build(PEOPLE, again)


CASES = {
    "chicken": Case(
        slots={
            "noun": ANIMALS,
            "place": PLACES,
            "adjective": (*TOO["animal"], *TOO["place"]),
        },
        decides="adjective",
        build=_chicken,
        turned=lambda word: "wide" if word in TOO["animal"] else "tired",
        belongs=lambda slots: split(slots["noun"], slots["place"], ANIMALS, PLACES),
        pair="“{noun}” with “{place}”",
        about="“it” comes before the adjective: a causal model cannot know there yet.",
    ),
    "keys": Case(
        slots={"noun": _first("keys", HEADS), "place": NOUNS_BETWEEN},
        decides="noun",
        build=_keys,
        turned=_number,
        belongs=lambda slots: split(
            _one(slots["noun"]), _one(slots["place"]), (*OBJECTS, *PERSONS), ATTRACTORS
        ),
        pair="“{noun}” with “{place}”",
        about="The verb agrees with the head of the subject, not with the nearest noun.",
    ),
    "bank": _sensed("bank", "pond", "One vector in the table of words; the layers make two of it."),
    "mole": _sensed(
        "mole",
        "shrew",
        "One vector in the table of words; the layers make one of four senses of it.",
    ),
    "tower": Case(
        slots={"noun": tuple(TOWERS), "adjective": tuple(SIZED)},
        decides="adjective",
        build=lambda slots: tower.build(slots["noun"], slots["adjective"]),
        turned=lambda word: "famous" if SIZED[word] == "tiny" else "miniature",
        belongs=lambda slots: split(slots["noun"], slots["adjective"], list(TOWERS), list(SIZED)),
        pair="a {adjective} {noun} tower",
        about="A tower is huge until a word in front of its name makes it tiny.",
    ),
    "creature": Case(
        slots={
            "noun": BEINGS,
            "place": tuple(LANDS.values()),
            "adjective": tuple(TEXTURES),
        },
        decides="adjective",
        build=_creature,
        turned=lambda word: "scaly" if word != "scaly" else "fluffy",
        belongs=lambda slots: split(slots["noun"], slots["adjective"], BEINGS, list(TEXTURES)),
        pair="a {adjective} {noun}",
        about="The noun asks for adjectives before it; “verdant” belongs to another noun.",
    ),
    "trophy": Case(
        slots={
            "noun": THINGS,
            "place": _first("suitcase", THINGS),
            "adjective": (*TOO_BIG, *TOO_SMALL),
        },
        decides="adjective",
        build=_trophy,
        turned=lambda word: "small" if word in TOO_BIG else "big",
        belongs=_things,
        pair="“{noun}” with “{place}”",
        about="Both nouns are things: it takes what went into what, and the adjective.",
    ),
    "names": Case(
        slots={"noun": tuple(first for first, _ in PEOPLE)},
        decides="noun",
        build=_names,
        turned=lambda word: "john" if word == "harry" else "harry",
        belongs=lambda _: names.split(PEOPLE),
        pair="these two people together",
        about="In training every first name has any surname: only this sentence tells.",
    ),
}
