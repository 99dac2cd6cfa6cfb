"""A model that learns a course: how it was at each moment, and what it did with a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.arrays import frozen
from attn_study.attention.model.forward import forward
from attn_study.attention.model.learning import Exam, Texts, beginning, marks, steps
from attn_study.attention.model.parameters import Parameters, Size
from attn_study.attention.stages import softmax
from attn_study.attention.trace import Trace
from attn_study.language.words import START

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attn_study.attention.arrays import Array
    from attn_study.attention.model.forward import Numbers
    from attn_study.attention.model.learning import Marks
    from attn_study.demos.workings.courses import Course
    from attn_study.demos.workings.tasks import Item

WIDTH = 32  # d_model
SIZES = ("words", "positions", "d_model", "layers", "heads", "numbers learned", "sentences kept")


@dataclass(frozen=True, slots=True)
class Moment:
    """The model after some steps: all its numbers in one row, and how it did in the exam."""

    step: int
    flat: Array
    marks: Marks


class Pupil:
    """A model that is to learn a course: its words by number, its sizes, and what it is given."""

    def __init__(self, course: Course, layers: int, seed: int) -> None:
        self.course, self.seed = course, seed
        self.training = course.items(seed)
        self.kept = course.items(None)
        every = [*self.training, *self.kept, course.watched]
        found = {word for item in every for word in (*item.words, item.answer)}
        self.numbers = {word: at for at, word in enumerate((START, *sorted(found)))}
        longest = 1 + max(len(item.words) for item in every)
        self.size = Size(len(self.numbers), longest, WIDTH, layers, course.heads, d_hidden=0)

    def moments(self) -> Iterator[Moment]:
        """Yield the model before the first step, and then as often as the course says."""
        exam = self._exam()
        model = beginning(self.size, self.seed, even=self.course.even)
        yield Moment(0, frozen(model.flat), marks(model, exam))
        for step in steps(model, self._texts(), self.course.pace, self.seed):
            if step % self.course.every == 0:
                yield Moment(step, frozen(model.flat), marks(model, exam))
            if step == self.course.steps:
                return

    def tokens(self, words: Sequence[str]) -> Numbers:
        """Return the numbers of words, (t), the start token's first."""
        return np.array([self.numbers[word] for word in (START, *words)])

    def _texts(self) -> Texts:
        tokens = self._filled(self.training)
        following, counted = np.zeros_like(tokens), np.zeros(tokens.shape)
        for row, item in enumerate(self.training):
            after = self.tokens((*item.words, item.answer))[1:]
            following[row, : len(after)] = after
            counted[row, 0 if self.course.whole else len(item.words) : len(after)] = 1
        return Texts(tokens, following, counted)

    def _exam(self) -> Exam:
        return Exam(
            self._filled(self.kept),
            asks=np.array([len(item.words) for item in self.kept]),
            answers=np.array([self.numbers[item.answer] for item in self.kept]),
            targets=np.array([item.target + 1 for item in self.kept]),
            head=self.course.watch[-1],
        )

    def _filled(self, items: Sequence[Item]) -> Numbers:
        """Return texts as numbers, (b, t), with the start token behind those that are shorter."""
        tokens = np.zeros((len(items), self.size.n_positions), dtype=np.int64)
        for row, item in enumerate(items):
            tokens[row, : len(item.words) + 1] = self.tokens(item.words)
        return tokens


@dataclass(frozen=True, slots=True)
class Look:
    """What a model did with one sentence at one moment.

    `scores` (keys) of the last layer's head, divided by √d_k, for the word that asks; `first`
    (keys up to the one that asks there) the weights in layer 1, empty where there is one layer;
    `shares` (answers) of the right next word and of the wrong one.
    """

    scores: Array
    first: Array
    shares: Array


def look(pupil: Pupil, moment: Moment, item: Item) -> Look:
    """Return what the model of that moment does with a sentence."""
    run = forward(Parameters(pupil.size, moment.flat), pupil.tokens(item.words)[np.newaxis])
    (first, _), (last, _) = run.layers[0], run.layers[-1]
    at, watch = asks_first(pupil, item), pupil.course.watch
    shares = softmax(run.logits[0, -1])
    return Look(
        scores=frozen(last.scaled_scores[0, watch[-1], -1]),
        first=frozen([] if at is None else first.weights[0, watch[0], at, : at + 1]),
        shares=shares[[pupil.numbers[word] for word in answers(item)]],
    )


def asks_first(pupil: Pupil, item: Item) -> int | None:
    """Return which token's look is shown of the first of two layers; None where there is one."""
    return None if pupil.size.n_layers == 1 else pupil.course.first(item) + 1


def answers(item: Item) -> tuple[str, ...]:
    """Return the right next word, and the one that the other reading would have."""
    return (item.answer, item.wrong) if item.wrong else (item.answer,)


def traced(pupil: Pupil, item: Item, moments: Sequence[Moment], looks: Sequence[Look]) -> Trace:
    """Return the steps of the lesson; `moments` and `looks` go together."""
    size, every = pupil.size, [moment.marks for moment in moments]
    told = {"moments": tuple(f"step {moment.step}" for moment in moments)}
    keys = {"keys": (START, *item.words)}
    n_kept = len(pupil.kept)
    sizes = (
        size.n_words, size.n_positions, size.d_model, size.n_layers, size.n_heads,
        len(moments[0].flat), n_kept,
    )  # fmt: skip
    scores = np.stack([one.scores for one in looks])
    exp = np.exp(scores)
    total = exp.sum(axis=-1)
    at, over = ("moments",), ("moments", "keys")
    trace = (
        Trace()
        .add("model", ("sizes",), sizes, "how large the model is", {"sizes": SIZES})
        .add("steps", at, [moment.step for moment in moments], "steps of training so far", told)
        .add("loss", at, [one.loss for one in every], "-ln of the right word’s share, the mean "
             "over the sentences kept from training, in nats", told)
        .add("right", at, [one.right for one in every], "sentences kept whose likeliest next "
             "word is the right one", told)
        .add("accuracy", at, [one.right / n_kept for one in every], "right ÷ sentences kept", told)
        .add("on_target", at, [one.on_target for one in every], "the weight on the word that "
             "decides, the mean over the sentences kept", told)
    )  # fmt: skip
    first = asks_first(pupil, item)
    if first is not None:
        says = "layer 1: the same of the head that has most of it"
        trace = trace.add("first_on_target", at, [one.earlier for one in every], says, told)
        name = (START, *item.words)[first]
        axis = {"first_keys": (START, *item.words)[: first + 1]}
        values = np.stack([one.first for one in looks])
        says = f"layer 1: the weights that “{name}” gives"
        trace = trace.add("first_weights", ("moments", "first_keys"), values, says, told | axis)
    return (
        trace.add("scaled_scores", over, scores, "q · k ÷ √d_k of the last word", told | keys)
        .add("exp", over, exp, "e^scaled", told | keys)
        .add("row_sum", at, total, "the sum of exp over the keys", told)
        .add("weights", over, exp / total[:, np.newaxis], "exp ÷ sum", told | keys)
        .add(
            "next_word",
            ("moments", "answers"),
            np.stack([one.shares for one in looks]),
            "the share of the right next word, and of the one that would be wrong",
            told | {"answers": answers(item)},
        )
    )
