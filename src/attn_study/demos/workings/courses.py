"""The courses of the lesson `learn`: what a model is taught, how, and what is claimed of it."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from attn_study.attention.model.learning import Pace
from attn_study.demos.workings.tasks import (
    Item,
    agreement_items,
    coref_items,
    fit_items,
    of_any,
    of_coref,
    repeat_items,
    repeated,
)
from attn_study.language.families import agreement, coref, fit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Claim:
    """What holds after the last step, whatever the seed out of `seeds`.

    Of the sentences kept, from `least` to `most` are right, as shares; `on_target` is the least
    mean weight on the word that decides.
    """

    least: float
    most: float = 1.0
    on_target: float = 0.0
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class About:
    """What is said under the picture; of the numbers of the moment it may name `{on_target}`, and
    `{earlier}`, the weight of the first layer where there are two.

    `task` stands there at every moment. After the last step `reached` follows where the claim is
    reached, and `less` where the words are right though the weight does not reach it.
    """

    task: str = ""
    reached: str = ""
    less: str = ""


SHARED = (
    "With two layers either may read {decides}: here the first gives it {{earlier:.2f}} of a "
    "head’s weight, the second {{on_target:.2f}}."
)


@dataclass(frozen=True, slots=True)
class Course:
    """One thing to learn: from what, in how many steps, with how many from look to look.

    `items` gives those for training by a seed, and without one those kept from the model.
    `watched` is the sentence whose attention is shown, `decides` what its head should look at.
    `claims` and `about`, the words under the picture, hang on the number of layers. `watch` is the
    head that is shown in the first layer and in the last, from 0; `first` says which word asks in
    the first of two layers, by its position. `even` has every W^Q begin at 0, so that the
    attention begins evenly spread; `whole` has every next word count in the loss, not the last
    alone. `seed` is the one that is taken where none is given.
    """

    items: Callable[[int | None], list[Item]]
    watched: Item
    decides: str
    steps: int
    every: int
    pace: Pace
    claims: Mapping[int, Claim]
    about: Mapping[int, About]
    layers: int = 1
    heads: int = 1
    watch: tuple[int, ...] = (0,)
    first: Callable[[Item], int] = attrgetter("target")
    even: bool = True
    whole: bool = False
    seed: int = 0


KEYS = of_any(agreement.build("keys", ("to", "the", "cabinet"), "lost"))
CHICKEN = of_coref(
    coref.build({"animal": "chicken", "place": "road"}, coref.going("chicken", "road"), "tired")
)
TROPHY = of_any(fit.build("trophy", "suitcase", "big"))
ZIB = repeated(("zib", "wug", "dax", "fep", "mip"), 0)

FIT = 4  # where “fit” stands in a sentence of fit
UNSEEN = "Unseen: sentences, not pairs."
COURSES = {
    "agreement": Course(
        items=agreement_items,
        watched=KEYS,
        decides="the head noun",
        steps=60,
        every=1,
        pace=Pace(batch=32, rate=5e-3),
        claims={1: Claim(0.97, on_target=0.8)},
        about={
            1: About(
                "Which verb comes next hangs on the head noun, not on the noun right before it. "
                "Nobody tells the head so: a wrong next word moves all of its numbers a little.",
                "The row above is what became of it.",
                "Less weight was enough here: a head reads a sum.",
            ),
            2: About(SHARED.format(decides="the head noun")),
        },
    ),
    "coref": Course(
        items=coref_items,
        watched=CHICKEN,
        decides="the noun meant",
        steps=120,
        every=2,
        pace=Pace(batch=32, rate=5e-3),
        claims={1: Claim(0.97, on_target=0.8)},
        about={
            1: About(
                "Who was too tired? Here the noun comes right after the adjective, the first word "
                "that can tell: at “it” all were still possible. Animals are tired, roads wide, "
                "soups salty: that too is learned from next words alone.",
            ),
            2: About(SHARED.format(decides="the noun meant")),
        },
    ),
    "depth": Course(
        items=fit_items,
        watched=TROPHY,
        decides="the noun meant",
        steps=180,
        every=3,
        pace=Pace(batch=64, rate=5e-3),
        claims={1: Claim(0.35, most=0.65), 2: Claim(0.97)},
        about={
            1: About(
                "Which thing is meant hangs on which went into which and on big or small. Neither "
                "alone says anything, and one layer only adds up what it reads: a coin toss, and "
                f"more steps would not help. Two layers can do it: --layers 2. {UNSEEN}"
            ),
            2: About(
                UNSEEN,
                "Layer 1: words read the thing before them. Layer 2: “the” goes by big or small to "
                "words that read either, hardly to the noun.",
            ),
        },
        first=lambda item: FIT,
    ),
    "repeat": Course(
        items=repeat_items,
        watched=ZIB,
        decides="what came next",
        layers=2,
        heads=2,
        steps=600,
        every=10,
        pace=Pace(batch=32, rate=5e-3),
        claims={2: Claim(0.95, on_target=0.7, seeds=(8,))},
        about={
            1: About(
                "To find a word by the one before it takes two layers: --layers 2. One can only go "
                "by places: after 4 to 7 words they begin again."
            ),
            2: About(
                "What came next comes next again.",
                "Layer 1: a word finds itself further back, and so a place. Layer 2 looks one "
                "place further on and copies the word there: an induction head. It comes late and "
                "quickly; few seeds come to it within these steps.",
                "Right, but not by an induction head: this head of layer 2 gives {on_target:.2f} "
                "of its weight to what came next. A head of layer 1 already gives it "
                "{earlier:.2f}.",
            ),
        },
        watch=(1, 1),
        first=lambda item: len(item.words) - 1,
        even=False,
        whole=True,
        seed=8,
    ),
}
