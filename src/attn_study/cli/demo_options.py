"""The options of one lesson: its knobs, and what every lesson takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from inspect import Parameter, Signature
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from attn_study.demos.knobs import limits
from attn_study.demos.trained_or_toy import CASE, WEIGHTS
from attn_study.errors import UserError
from attn_study.screen.playback import FASTEST, FPS, SLOWEST

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from attn_study.cli.world import World
    from attn_study.demos.demo import Demo, Knob

SUFFIXES = (".svg", ".json", ".txt")
LAYOUTS = ("rows", "columns")
KINDS = {int: "N", float: "NUMBER", str: "TEXT"}
SCREEN = 24  # lines of a help text
NAMES = 24  # cells that an option and what it takes have there
LINE = 51  # cells that are left for what it says
MOST = SCREEN - 2  # options that have a line each: an example and a heading are above them
# Options that can share a line, the first of them first.
TOGETHER = (
    (
        ("--json", "--plain", "-h"),
        "--json --plain --help",
        "Every step exactly; lines, no keys; this message.",
    ),
    (
        ("--d-model", "--d-k", "--d-v"),
        "--d-model --d-k --d-v N",
        "Widths: of a token, of queries and keys, of values.",
    ),
    (
        ("--noun", "--word"),
        "--noun --word TEXT",
        "A noun of the sentence; the word that decides.",
    ),
    (
        ("--place", "--adjective"),
        "--place --adjective",
        "A word each: the other noun, the adjective.",
    ),
)
LEAVE_OUT = "leave one of the two out"
LISTED = ""  # what a bare `--mistake` stands for


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked of a lesson; `knobs` holds those that were set, as typed."""

    query: str | None = None
    head: int | None = None
    step: bool = False
    predict: bool = False
    question: str = ""
    seed: int | None = None
    mistake: str | None = None
    columns: bool = False
    output: Path | None = None
    json: bool = False
    plain: bool = False
    explore: bool = False
    fps: float = FPS
    fast: bool = False
    knobs: Mapping[str, str] = field(default_factory=dict)

    @property
    def lists_mistakes(self) -> bool:
        """Whether the mistakes are to be listed, not shown."""
        return self.mistake == LISTED


class LessonCommand(TyperCommand):
    """A command whose `--mistake` may stand alone, and whose help fits one screen."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give a bare `--mistake` the value that lists them."""
        return super().parse_args(
            ctx,
            [
                f"{word}={LISTED}" if word == "--mistake" and after.startswith("-") else word
                for word, after in pairwise([*args, "-"])
            ],
        )

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write as many examples as there is room for, and every option."""
        records = [parameter.get_help_record(ctx) for parameter in self.get_params(ctx)]
        options = _fitting([record for record in records if record])
        examples = (self.help or "").split("\n")
        written = ctx.make_formatter()
        with written.section("Options"):
            written.write_dl(options, col_max=NAMES)
        full = written.getvalue().count("\n") + 1 >= SCREEN  # then not even an empty line fits
        room = max(1, SCREEN - 1 - written.getvalue().count("\n"))
        gap = "\n" if full else "\n\n"
        formatter.write("\n".join(examples[:room]) + gap + written.getvalue())


def _fitting(records: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the options with what they say; where they are too many, some share a line."""
    for names, shown, says in TOGETHER:
        firsts = [name.split()[0].rstrip(",") for name, _ in records]
        if len(records) <= MOST or not set(names) <= set(firsts):
            continue
        at = firsts.index(names[0])
        kept = [record for name, record in zip(firsts, records, strict=True) if name not in names]
        records = [*kept[:at], (shown, says), *kept[at:]]
    return records


def command_for(demo: Demo, run: Callable[[World, Demo, Options], None]) -> Any:
    """Return the command that shows one demo, with an option for each of its knobs."""

    def lesson(ctx: typer.Context, **given: Any) -> None:
        run(ctx.obj, demo, options(demo, given))

    parameters = [Parameter("ctx", Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    parameters += [*_of_knobs(demo), *_common(demo)]
    lesson.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    lesson.__annotations__ = {each.name: each.annotation for each in parameters}
    alone = typer.Typer(rich_markup_mode=None, add_completion=False)
    alone.command(demo.name, cls=LessonCommand, help="\n".join(demo.examples))(lesson)
    return typer.main.get_command(alone)


def options(demo: Demo, given: Mapping[str, Any]) -> Options:
    """Return the options given; UserError for two that do not go together."""
    knobs = {knob.name: given[knob.name] for knob in demo.knobs if given.get(knob.name) is not None}
    asked = given.get("question") or ""
    predict = bool(given["predict"] or asked)
    seed = _seed(given.get("seed")) if predict else None
    if predict:
        knobs.pop("seed", None)
    elif given.get("seed") is not None and "seed" not in knobs:
        raise UserError("--seed chooses the question", hint="add --predict")
    if given["queries"] not in LAYOUTS:
        hint = " or ".join(LAYOUTS)
        raise UserError(f"queries cannot be {given['queries']!r}", hint=hint)
    found = Options(
        query=given.get("query"),
        head=given.get("head"),
        step=given["step"],
        predict=predict,
        question=asked,
        seed=seed,
        mistake=given.get("mistake"),
        columns=given["queries"] == LAYOUTS[1],
        output=given.get("output"),
        json=given["json"],
        plain=given["plain"],
        explore=given["explore"],
        fps=_fps(given.get("fps")),
        fast=bool(given.get("fast")),
        knobs=knobs,
    )
    _refuse(found, _asked_about(demo))
    return found


def _asked_about(demo: Demo) -> set[str]:
    """Return the knobs that a question takes: the weights, and the case where they have some."""
    named = {knob.name for knob in demo.knobs}
    return {WEIGHTS, CASE} & named if WEIGHTS in named else set()


def _refuse(found: Options, asked_about: Collection[str]) -> None:
    """Refuse what cannot be done together, or written; `asked_about` goes with a question."""
    apart = {
        "--step": found.step,
        "--mistake": found.mistake is not None,
        "--json": found.json,
        "-o": found.output is not None,
    }
    if found.predict:
        drawn = [name for name in found.knobs if name not in asked_about]
        apart |= {f"--{name.replace('_', '-')}": True for name in drawn}
        for option, is_given in apart.items():
            if is_given:
                hint = "a question draws its own numbers; leave one of the two out"
                raise UserError(f"{option} does not go with --predict", hint=hint)
    if found.explore:
        apart |= {"--plain": found.plain, "--predict": found.predict}
        apart["--mistake"] = found.lists_mistakes
        for option, is_given in apart.items():
            if is_given:
                raise UserError(f"{option} does not go with --explore", hint=LEAVE_OUT)
    if found.step and found.mistake:
        raise UserError("--step does not go with --mistake", hint=LEAVE_OUT)
    path = found.output
    if path is not None and path.suffix.lower() not in SUFFIXES:
        raise UserError(
            f"{path.suffix or 'no suffix'}: not a format that can be written",
            where=str(path),
            hint=f"the suffix decides: {', '.join(SUFFIXES)}",
        )


def _seed(text: object) -> int | None:
    if text is None:
        return None
    try:
        seed = int(str(text))
    except ValueError:
        seed = -1
    if seed < 0:
        raise UserError(
            f"the seed cannot be {str(text)!r}", hint="a whole number from 0, such as 0"
        )
    return seed


def _fps(given: float | None) -> float:
    if given is None:
        return FPS
    if not SLOWEST <= given <= FASTEST:
        hint = f"from {SLOWEST:g} to {FASTEST:g} moments a second; --fast shows the end"
        raise UserError(f"fps cannot be {given!r}", hint=hint)
    return given


def _of_knobs(demo: Demo) -> Iterator[Parameter]:
    for knob in demo.knobs:
        flag = f"--{knob.name.replace('_', '-')}"
        metavar = "|".join(knob.choices) or ("FILE" if knob.name == "matrix" else KINDS[knob.kind])
        if len(flag) + len(metavar) >= NAMES:
            metavar = "NAME"
        yield _option(knob.name, str, None, flag, _says(knob, demo), metavar)


def _says(knob: Knob, demo: Demo) -> str:
    if knob.name == "seed" and demo.questions:
        return "Of random weights; with --predict, of the question."
    notes = [] if knob.default in (None, "") else [f"default: {knob.default}"]
    if not knob.choices and limits(knob):
        notes.append(limits(knob))
    full = f"{knob.says} [{'; '.join(notes)}]" if notes else knob.says
    return full if len(full) <= LINE else knob.says


def _common(demo: Demo) -> Iterator[Parameter]:
    """Yield the options that every lesson has, as far as they mean something in this one."""
    if demo.play:
        yield _option("query", str, None, "--query", "Which moment, from 1, or “step 5”.", "N|STEP")
    else:
        asks = "Which query, from 1, or its token."
        yield _option("query", str, None, "--query", asks, "N|TOKEN")
    yield _option("head", int, None, "--head", "Which head, from 1.", "N")
    yield _option("queries", str, LAYOUTS[0], "--queries", "Which axis asks.", "|".join(LAYOUTS))
    yield _option("step", bool, False, "--step", "One stage after another, large.")
    yield _option("explore", bool, False, "--explore", "Play with it: keys, mouse, numbers.")
    yield _option("predict", bool, False, "--predict", "Ask for a number first, then grade it.")
    if demo.questions:
        yield _option("question", str, None, "--question", _questions(demo), "NAME")
        if not any(knob.name == "seed" for knob in demo.knobs):
            yield _option("seed", str, None, "--seed", "Which question of --predict.", "N")
    if demo.play:
        paced = f"Moments a second, from {SLOWEST:g} to {FASTEST:g}; default {FPS:g}."
        yield _option("fps", float, None, "--fps", paced, "N")
        yield _option("fast", bool, False, "--fast", "The end at once.")
    if demo.mistakes:
        wrong = "The wrong way beside the right; alone lists them."
        yield _option("mistake", str, None, "--mistake", wrong, "NAME")
    written = "Write it; the suffix decides: .svg, .json, .txt."
    yield _option("output", Path, None, "-o", written, "FILE")
    yield _option("json", bool, False, "--json", "Every step at full precision.")
    yield _option("plain", bool, False, "--plain", "Print it, without keys.")


def _questions(demo: Demo) -> str:
    """Return the names of the questions, as far as they fit the line."""
    said = "Ask this: " + "|".join(demo.questions)
    return said if len(said) <= LINE else said[: LINE - 2].rpartition("|")[0] + "|…"


def _option(
    name: str, kind: type, default: object, flag: str, says: str, metavar: str | None = None
) -> Parameter:
    info = typer.Option(flag, help=says, metavar=metavar, show_default=False)
    annotation: Any = Annotated[kind, info]
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
