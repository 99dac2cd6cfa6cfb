"""The lesson `learn` at its knobs: a course from its first step to its last, at one sentence."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from attn_study.demos.working import Working
from attn_study.demos.workings.courses import COURSES
from attn_study.demos.workings.pupil import Pupil, look, traced
from attn_study.demos.workings.tasks import N_KEPT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attn_study.attention.trace import Trace
    from attn_study.demos.workings.courses import Course
    from attn_study.demos.workings.pupil import Look, Moment
    from attn_study.demos.workings.tasks import Item


class Growing:
    """The trace of a pupil at one sentence, a moment longer with every `add`."""

    def __init__(self, pupil: Pupil, item: Item) -> None:
        self._pupil, self._item = pupil, item
        self._moments: list[Moment] = []
        self._looks: list[Look] = []

    def add(self, moment: Moment) -> None:
        """Look at the sentence with the model as it is now."""
        self._moments.append(moment)
        self._looks.append(look(self._pupil, moment, self._item))

    @property
    def trace(self) -> Trace:
        """The steps up to now."""
        return traced(self._pupil, self._item, self._moments, self._looks)


@cache
def learned(case: str, layers: int, seed: int) -> tuple[Pupil, tuple[Moment, ...]]:
    """Return a pupil with its whole course behind it; trained once, however often it is asked."""
    pupil = Pupil(COURSES[case], layers, seed)
    return pupil, tuple(pupil.moments())


def compute(
    *,
    case: str = "agreement",
    layers: int | None = None,
    seed: int | None = None,
    sentence: int = 0,
    mistake: str = "",
) -> Working:
    """Return a model's whole course, watched at one sentence.

    `layers` and `seed` are those of the course where they are not given. `sentence` is the one of
    the textbook where it is 0, else one of those kept. No mistake of attention can be made here,
    so `mistake` changes nothing.
    """
    layers, seed = _settled(case, layers, seed)
    pupil, moments = learned(case, layers, seed)
    growing = Growing(pupil, _item(pupil, sentence))
    for moment in moments:
        growing.add(moment)
    return _working(growing.trace, case, layers, seed, sentence)


def frames(
    *,
    case: str = "agreement",
    layers: int | None = None,
    seed: int | None = None,
    sentence: int = 0,
) -> Iterator[Working]:
    """Yield the same a moment longer each time, as soon as the model has come so far."""
    layers, seed = _settled(case, layers, seed)
    pupil = Pupil(COURSES[case], layers, seed)
    growing = Growing(pupil, _item(pupil, sentence))
    for moment in pupil.moments():
        growing.add(moment)
        yield _working(growing.trace, case, layers, seed, sentence)


def _settled(case: str, layers: int | None, seed: int | None) -> tuple[int, int]:
    """Return layers and seed as they are given, else those of the course."""
    course = COURSES[case]
    return layers or course.layers, course.seed if seed is None else seed


def _item(pupil: Pupil, sentence: int) -> Item:
    return pupil.kept[sentence - 1] if sentence else pupil.course.watched


def _working(trace: Trace, case: str, layers: int, seed: int, sentence: int) -> Working:
    numbers = int(trace["model"].values[-2])
    knobs: dict[str, int | float | str | None] = {
        "case": case,
        "layers": layers,
        "seed": seed,
        "sentence": sentence,
    }
    noticed = _noticed(trace, COURSES[case], -1)
    return Working(trace, f"{numbers:,} numbers, seed {seed}", noticed, knobs)


def notice(working: Working, at: int) -> str:
    """Return what to notice at a moment, by its place; negative ones count from the end."""
    return _noticed(working.trace, course_of(working), at)


def _noticed(trace: Trace, course: Course, at: int) -> str:
    step, right, on_target = (trace[name].values[at] for name in ("steps", "right", "on_target"))
    return (
        f"step {step:.0f}: {right:.0f} of {N_KEPT} unseen right, "
        f"{on_target:.2f} of the weight on {course.decides}"
    )


def line(working: Working) -> str:
    """Return the newest moment in one line."""
    course, trace = course_of(working), working.trace
    step, loss, right, on_target = (
        float(trace[name].values[-1]) for name in ("steps", "loss", "right", "on_target")
    )
    told = f"step {step:>3.0f}   loss {loss:.4f}   right {right:>3.0f} of {N_KEPT}"
    return f"{told}   on {course.decides} {on_target:.2f}"


def course_of(working: Working) -> Course:
    """Return the course of a working."""
    return COURSES[str(working.knobs["case"])]
