"""One seed's run on disk: written whole every few hundred steps, so a killed run goes on."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from io import BytesIO
from time import perf_counter
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np
from steps import SIZE, Recipe, beginning, train

from attn_study.attention.model.parameters import Parameters
from attn_study.errors import UserError
from attn_study.files import load_bytes, write_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

    from attn_study.attention.model.adamw import AdamW
    from attn_study.attention.model.parameters import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What a file of a run holds: `flat` are the parameters, the rest is what goes on from there.

    A file with `flat` alone is a run too, whatever made it: its seed is the number in its name,
    and of its recipe nothing else is known.
    """

    recipe: dict[str, Any]
    flat: Floats
    mean: Floats | None = None
    square: Floats | None = None
    steps: int | None = None
    seconds: float | None = None

    @property
    def parameters(self) -> Parameters:
        """The parameters as they ship: each rounded to a float16. UserError for another size."""
        return Parameters(SIZE, self.flat.astype(np.float16).astype(np.float32))

    @property
    def is_finished(self) -> bool:
        """Whether all the steps of its recipe are done, as far as the file knows."""
        return self.steps == self.recipe.get("steps")


def read(path: Path) -> Run:
    """Return what a file of a run holds. Raises UserError when it is not one."""
    try:
        with np.load(BytesIO(load_bytes(path)), allow_pickle=False) as found:
            flat = found["flat"]
            if "about" not in found:
                return Run({"seed": int("".join(re.findall(r"\d+", path.stem)[-1:]))}, flat)
            return Run(flat=flat, mean=found["mean"], square=found["square"], **_about(found))
    except (ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
        raise UserError(f"not a run of the training: {error}", where=str(path)) from error


def _about(found: Any) -> dict[str, Any]:
    about: dict[str, Any] = json.loads(found["about"].tobytes())
    return about


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
    Raises UserError when the file is a run of another recipe.
    """
    optimizer, before = _resume(path, recipe)
    if optimizer.steps >= recipe.steps:
        return
    begun = perf_counter()
    for steps, loss, _ in train(recipe, begun=optimizer):
        if steps % every == 0 or steps == recipe.steps:
            write(path, recipe, optimizer, before + perf_counter() - begun)
        told(steps, loss)


def _resume(path: Path, recipe: Recipe) -> tuple[AdamW, float]:
    """Return the optimizer as the file has it, or a new one, and the seconds spent so far."""
    optimizer = beginning(recipe)
    if not path.exists():
        return optimizer, 0.0
    run = read(path)
    if run.recipe != asdict(recipe) or run.mean is None or run.square is None:
        hint = "give its options, or another folder with --runs"
        raise UserError("this run has another recipe", where=str(path), hint=hint)
    optimizer.parameters.flat[...] = run.flat
    optimizer.mean[...], optimizer.square[...] = run.mean, run.square
    optimizer.steps = run.steps or 0
    return optimizer, run.seconds or 0.0
