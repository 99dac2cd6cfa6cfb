"""Train the model of attn-study anew, choose among the seeds, and write the model card.

    python training/train.py --seeds 0-11

does all three; some minutes a seed on one core, and a run that was stopped goes on where it
was. `train`, `choose` and `card` in front of the options do one of them alone: `choose` takes
every run in the folder of runs, `card` the model that is stored. Two terminals with other seeds
train at the same time.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID
    from steps import Recipe

ROOT = Path(__file__).parents[1]
PARTS = ("train", "choose", "card")
# With more, the small products of this model wait for each other: six times slower
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def seeds(text: str) -> list[int]:
    """Return the seeds of a text such as `0-3,7`."""
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", part.strip())
        if not match:
            raise argparse.ArgumentTypeError(f"{part!r} is no seed and no range such as 0-11")
        found += range(int(match[1]), int(match[2] or match[1]) + 1)
    return found


def options() -> argparse.Namespace:
    """Return what the command line asks for."""
    about, _, more = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        description=about, epilog=more, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", nargs="?", choices=PARTS, help="only this; else all three")
    parser.add_argument("--seeds", type=seeds, default="0-11", help="such as 0-11 or 0,3 (0-11)")
    parser.add_argument("--steps", type=int, help="steps of a run (those of the recipe)")
    parser.add_argument("--texts", type=int, help="texts to train on (those of the recipe)")
    parser.add_argument("--every", type=int, default=250, help="steps to a checkpoint (250)")
    parser.add_argument("--sentences", type=int, default=600, help="a family, held out (600)")
    parser.add_argument("--runs", type=Path, default=ROOT / "training" / "runs", help="a folder")
    model = ROOT / "src" / "attn_study" / "attention" / "model" / "trained.npz"
    parser.add_argument("--model", type=Path, default=model, help="the file that is shipped")
    parser.add_argument("--card", type=Path, default=ROOT / "docs" / "model-card.md")
    return parser.parse_args()


def recipe_of(given: argparse.Namespace, seed: int) -> Recipe:
    """Return the recipe of a seed, with the steps and texts that were asked for."""
    from steps import Recipe

    asked = {name: getattr(given, name) for name in ("steps", "texts")}
    return Recipe(seed=seed, **{name: value for name, value in asked.items() if value})


def train(given: argparse.Namespace) -> None:
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


def choose(given: argparse.Namespace) -> None:
    """Store the most legible of all runs in the folder, with a record and a checksum."""
    from choosing import best, record, tried

    from attn_study.attention.model.stored import save
    from attn_study.errors import UserError
    from attn_study.language.vocabulary import WORDS

    candidates = []
    for path in sorted(given.runs.glob("*.npz")):
        candidates.append(tried(path, given.sentences, partial(recipe_of, given)))
        print(f"{path.name}  legibility {candidates[-1].legibility:.3f}", flush=True)
    if not candidates:
        raise UserError("no runs", where=str(given.runs), hint="train some, or name their folder")
    chosen = best(candidates)
    save(given.model, chosen.parameters, WORDS, record(chosen, candidates, given.sentences))
    print(f"seed {chosen.run.recipe['seed']} is stored in {given.model}")


def card(given: argparse.Namespace) -> None:
    """Write the model card of the stored model."""
    from card import card as text

    from attn_study.attention.model.stored import checksum_of, load
    from attn_study.files import load as load_text
    from attn_study.files import write

    stored = load(given.model)
    digest = load_text(checksum_of(given.model)).split()[0]
    write(given.card, text(stored, digest, given.sentences))
    print(f"the model card is {given.card}")


def main() -> int:
    """Do what the command line asks for; return the exit code."""
    given = options()
    os.environ.update(dict.fromkeys(THREADS, "1"))  # before numpy is loaded
    from attn_study.errors import UserError

    try:
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
