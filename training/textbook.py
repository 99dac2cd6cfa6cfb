"""The sentences of the textbooks, whose pairs of words never meet in training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.demos.trained.cases import PEOPLE
from attn_study.language.families import adjective, agreement, coref, fit, names, sense, tower

if TYPE_CHECKING:
    from attn_study.language.sentence import Sentence

CUES = {"bank": ("pond", "money"), "mole": ("shrew", "biopsy", "carbon", "agency")}


def _who(animal: str, place: str, why: str) -> Sentence:
    return coref.build({"animal": animal, "place": place}, coref.going(animal, place), why)


SENTENCES: tuple[Sentence, ...] = (
    *(_who("chicken", "road", why) for why in ("tired", "wide")),
    *(_who("animal", "street", why) for why in ("tired", "wide")),
    *(fit.build("trophy", "suitcase", size) for size in ("big", "small")),
    agreement.build("keys", ("to", "the", "cabinet"), "lost"),
    agreement.build("key", ("to", "the", "cabinets"), "lost"),
    *(sense.build(word, cue) for word, cues in CUES.items() for cue in cues),
    adjective.roaming(("fluffy", "blue"), "creature", "verdant"),
    adjective.pair(("spiky",), "beast", ("fluffy", "blue"), "creature"),
    tower.build("eiffel", "miniature"),
    names.build(PEOPLE, 0),
    names.build(PEOPLE, 1),
)
