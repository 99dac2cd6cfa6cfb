"""One seed's run on disk: written whole every few hundred steps, so a killed run goes on."""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict, dataclass
from io import BytesIO
from math import isfinite
from time import perf_counter
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np
from steps import SIZE, Recipe, beginning, train

from attn_study.attention.model.parameters import Parameters
from attn_study.attention.model.stored import as_shipped
from attn_study.errors import UserError
from attn_study.files import load_bytes, write_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attn_study.attention.model.adamw import AdamW
    from attn_study.attention.model.parameters import Floats


ARRAYS = ("flat", "mean", "square")
AGAIN = "delete it to begin anew"


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What a file of a run holds; `flat`, `mean` and `square` are (numbers of the model,).

    `flat` are the parameters, `steps` those that are done, the rest is what goes on from there.
    """

    recipe: dict[str, Any]
    flat: Floats
    mean: Floats
    square: Floats
    steps: int
    seconds: float

    @property
    def parameters(self) -> Parameters:
        """The parameters as they ship: each rounded to what a file holds, too large ones to ∞."""
        return Parameters(SIZE, as_shipped(self.flat).astype(np.float32))

    @property
    def is_finished(self) -> bool:
        """Whether all the steps of its recipe are done."""
        return self.steps == int(self.recipe["steps"])


def read(path: Path) -> Run:
    """Return what a file of a run holds. Raises UserError when it is not one of this model."""
    try:
        with np.load(BytesIO(load_bytes(path)), allow_pickle=False) as found:
            if "about" not in found:
                raise ValueError("it does not say by which recipe it was made")
            about: dict[str, Any] = json.loads(found["about"].tobytes())
            run = Run(**{name: found[name] for name in ARRAYS}, **about)
    except (ValueError, KeyError, TypeError, EOFError, BadZipFile, zlib.error) as error:
        what = f"not a run of the training: {error}"
        raise UserError(what, where=str(path), hint=AGAIN) from error
    if not _is_sound(run):
        raise UserError("a run of another model", where=str(path), hint=AGAIN)
    return run


def _is_sound(run: Run) -> bool:
    arrays = [run.flat, run.mean, run.square]
    whole = [run.steps, *(run.recipe.get(name) for name in ("seed", "steps"))]
    return (
        all(each.shape == (SIZE.n_numbers,) and each.dtype.kind == "f" for each in arrays)
        and all(isinstance(each, int) for each in whole)
        and isinstance(run.seconds, int | float)
    )


def write(path: Path, recipe: Recipe, optimizer: AdamW, seconds: float) -> None:
    """Put a run on disk in one step: whoever stops it then leaves the old file or the new one."""
    about = {"recipe": asdict(recipe), "steps": optimizer.steps, "seconds": round(seconds, 1)}
    file = BytesIO()
    np.savez(
        file,
        flat=optimizer.parameters.flat,
        mean=optimizer.mean,
        square=optimizer.square,
        about=np.frombuffer(json.dumps(about).encode(), np.uint8),
    )
    write_bytes(path, file.getvalue())


def finish(path: Path, recipe: Recipe, told: Callable[[int, float], None], every: int) -> None:
    """Do all steps of a recipe that the file does not have yet, and keep them there.

    `told` hears of each step with its number and loss in nats, after it is kept where it is.
    Raises UserError when the file is a run of another recipe, or a loss is not finite.
    """
    optimizer, before = _resume(path, recipe)
    if optimizer.steps >= recipe.steps:
        return
    begun = perf_counter()
    for steps, loss, _ in train(recipe, begun=optimizer):
        if not isfinite(loss):
            what = f"the loss of step {steps:,} is {loss}, so this run ends before it"
            raise UserError(what, where=str(path), hint="leave the seed out, or change the recipe")
        if steps % every == 0 or steps == recipe.steps:
            write(path, recipe, optimizer, before + perf_counter() - begun)
        told(steps, loss)


def _resume(path: Path, recipe: Recipe) -> tuple[AdamW, float]:
    """Return the optimizer as the file has it, or a new one, and the seconds spent so far."""
    optimizer = beginning(recipe)
    if not path.exists():
        return optimizer, 0.0
    run = read(path)
    if run.recipe != asdict(recipe):
        hint = "give its options, or another folder with --runs"
        raise UserError("this run has another recipe", where=str(path), hint=hint)
    optimizer.parameters.flat[...] = run.flat
    optimizer.mean[...], optimizer.square[...] = run.mean, run.square
    optimizer.steps = run.steps
    return optimizer, run.seconds
