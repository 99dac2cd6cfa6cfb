"""Train the model of attn-study anew, choose among the seeds, and write the model card.

    python training/train.py --seeds 0-7

does all three; some five minutes a seed on one core, and a run that was stopped goes on where it
was. `train`, `choose` and `card` in front of the options do one of them alone: `choose` takes
every run in the folder of runs, `card` the model that is stored. Two terminals with other seeds
train at the same time.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from options import CARD, MODEL, options

if TYPE_CHECKING:
    from argparse import Namespace

    from rich.progress import Progress, TaskID
    from steps import Recipe

# With more, the small products of this model wait for each other: six times slower
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def recipe_of(given: Namespace, seed: int) -> Recipe:
    """Return the recipe of a seed, with the steps and texts that were asked for."""
    from steps import Recipe

    asked = {name: getattr(given, name) for name in ("steps", "texts")}
    return Recipe(seed=seed, **{name: value for name, value in asked.items() if value is not None})


def check(given: Namespace) -> None:
    """Raise UserError for texts too few, and for a trial that would replace what ships."""
    from attn_study.errors import UserError

    recipe = recipe_of(given, 0)
    if recipe.texts < recipe.batch:
        what = f"--texts {recipe.texts} is less than a batch of {recipe.batch}"
        raise UserError(what, hint=f"{recipe.batch} or more")
    if given.part != "train":
        check_ships(given, recipe.steps, recipe.texts)


def check_ships(given: Namespace, steps: int, texts: int) -> None:
    """Raise UserError where other steps or texts than the recipe's would make the shipped files."""
    from steps import Recipe

    from attn_study.errors import UserError

    own = Recipe()
    if (steps, texts) == (own.steps, own.texts):
        return
    written = [given.part.replace("choose", "model")] if given.part else ["model", "card"]
    missing = [f"--{name}" for name in written if getattr(given, name) is None]
    if missing:
        raise UserError(
            f"{steps:,} steps and {texts:,} texts are not those of the model that ships",
            hint=f"name other files with {' and '.join(missing)}",
        )


def train(given: Namespace) -> None:
    """Bring the run of every seed to its end, and show how far it is."""
    from checkpoint import finish
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console()
    columns = ("seed {task.fields[seed]}", BarColumn(), MofNCompleteColumn())
    shown = (*columns, "loss {task.fields[loss]:.3f}", TimeRemainingColumn())
    with Progress(*shown, console=console, disable=not console.is_terminal) as progress:
        for seed in given.seeds:
            recipe = recipe_of(given, seed)
            task = progress.add_task("", total=recipe.steps, seed=seed, loss=float("nan"))
            bar, line = partial(_bar, progress, task), partial(_line, recipe, given.every)
            told = bar if console.is_terminal else line
            finish(given.runs / f"seed-{seed}.npz", recipe, told, given.every)
            progress.update(task, completed=recipe.steps)


def _bar(progress: Progress, task: TaskID, steps: int, loss: float) -> None:
    progress.update(task, completed=steps, loss=loss)


def _line(recipe: Recipe, every: int, steps: int, loss: float) -> None:
    if steps % every == 0 or steps == recipe.steps:
        print(f"seed {recipe.seed}  step {steps:,}  loss {loss:.3f}", flush=True)


def choose(given: Namespace) -> None:
    """Store the most legible of all runs in the folder, with a record and a checksum."""
    from choosing import best, record, tried

    from attn_study.attention.model.stored import save
    from attn_study.errors import UserError
    from attn_study.language.vocabulary import WORDS

    candidates = []
    for path in sorted(given.runs.glob("*.npz")):
        found = tried(path, given.sentences)
        if found is None:
            print(f"{path.name}  left out: not all of its numbers are finite", flush=True)
            continue
        candidates.append(found)
        print(f"{path.name}  legibility {found.legibility:.3f}", flush=True)
    if not candidates:
        raise UserError("no runs", where=str(given.runs), hint="train some, or name their folder")
    chosen = best(candidates)
    recipe = chosen.run.recipe
    check_ships(given, recipe["steps"], recipe.get("texts", 0))
    model = given.model or MODEL
    save(model, chosen.parameters, WORDS, record(chosen, candidates, given.sentences))
    print(f"seed {recipe['seed']} is stored in {model}")


def card(given: Namespace) -> None:
    """Write the model card of the stored model."""
    from card import card as text

    from attn_study.attention.model.stored import checksum_of, load
    from attn_study.files import load as load_text
    from attn_study.files import write

    model, page = given.model or MODEL, given.card or CARD
    stored = load(model)
    digest = load_text(checksum_of(model)).split()[0]
    write(page, text(stored, digest, given.sentences))
    print(f"the model card is {page}")


def main() -> int:
    """Do what the command line asks for; return the exit code."""
    given = options(__doc__ or "")
    os.environ.update(dict.fromkeys(THREADS, "1"))  # before numpy is loaded
    from attn_study.errors import UserError

    try:
        check(given)
        for part in (train, choose, card):
            if given.part in {None, part.__name__}:
                part(given)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the same command goes on from the last checkpoint", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
