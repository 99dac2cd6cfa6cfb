"""`attn-study quiz`: a test that is counted and never schedules."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from attn_study.cli.names import decks as deck_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from attn_study.cli.study import Study
    from attn_study.cli.world import World
    from attn_study.deck.card import Card
    from attn_study.memory.scope import Scope
    from attn_study.quiz import Reply, Result, Screen

MOST = 9999  # cards


def quiz(
    ctx: typer.Context,
    deck: Annotated[
        str, typer.Argument(metavar="[DECK]", help="All by default.", autocompletion=deck_names)
    ] = "",
    section: Annotated[str, typer.Option(help="Only this section.", metavar="NAME")] = "",
    tag: Annotated[str, typer.Option(help="Only cards with this tag.", metavar="NAME")] = "",
    number: Annotated[
        int, typer.Option("-n", help="Cards, at most.", min=1, max=MOST, metavar="N")
    ] = 20,
    seed: Annotated[
        int | None,
        typer.Option(help="The same quiz again.", min=0, metavar="N"),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Line by line: for pipes and screen readers.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Line by line on stderr, then one JSON object.")
    ] = False,
) -> None:
    """Test yourself: cards are asked once and counted, and nothing is scheduled.

    \b
    attn-study quiz attention -n 10
    attn-study quiz attention --seed 4711   the same quiz for a whole class
    """
    world = ctx.obj
    seed = world.fresh_seed() if seed is None else seed
    with world.open() as study:
        scope = study.scope([deck] if deck else [], section, tag)
        cards = _deal(study, scope, seed, number)
    result = _hold(world, cards, _unasked(scope, seed, number, len(cards)), plain=plain, json=json)
    if json:
        world.json("quiz", **_report(result))
    else:
        from attn_study.render.result import result_lines

        world.show(result_lines(result, world.columns))


def _deal(study: Study, scope: Scope, seed: int, number: int) -> tuple[Card, ...]:
    """Return the cards of the quiz; raises UserError when none can be asked."""
    from attn_study.quiz import KINDS, deal, order

    names = order(study.catalogue.of_kinds(KINDS, scope), seed)
    dealt = deal(_cards(study, names), number)
    for words in dealt.left_out:
        study.world.say(words)
    if not dealt.cards:
        raise dealt.refusal
    return dealt.cards


def _cards(study: Study, names: Iterable[str]) -> Iterator[Card]:
    """Yield the cards of these names, each read when it is wanted."""
    for name in names:
        entry = study.catalogue.entry(name)
        if entry:
            yield study.text(entry)


def _unasked(scope: Scope, seed: int, number: int, cards: int) -> Result:
    """Return the result before the first answer."""
    from attn_study.quiz import Result, command

    words = ("quiz", *scope.decks)
    again = command(*words, section=scope.section, tag=scope.tag, seed=str(seed))
    return Result(seed, cards, f"{again} -n {number}")


def _hold(
    world: World, cards: tuple[Card, ...], result: Result, *, plain: bool, json: bool
) -> Result:
    """Hold the quiz and return its result."""
    from dataclasses import replace

    from attn_study.quiz import Quiz

    with _screen(world, result, plain=plain, json=json) as screen:
        held = Quiz(cards, result.seed, screen, time.monotonic, world.ascii)
        return replace(result, answers=held.run())


@contextmanager
def _screen(world: World, result: Result, *, plain: bool, json: bool) -> Iterator[Screen]:
    """Give the terminal to the quiz, or lines where it is to be plain or cannot draw."""
    from attn_study.screen.terminal import Terminal, can_draw

    if plain or json or not can_draw(world.console, world.environ):
        from attn_study.screen.quiz_lines import QuizLines
        from attn_study.wording import counted

        lines = QuizLines(world.stdin, world.notice if json else world.show)
        many = counted(result.of, "card(|s)")
        lines.tell(f"{many}, seed {result.seed}: `{result.again}` asks the same")
        yield lines
        return
    from attn_study.screen.keyboard import Keyboard
    from attn_study.screen.quizzing import QuizScreen

    with Terminal(world.console, Keyboard()) as terminal:
        yield QuizScreen(terminal, world.console.encoding, ascii=world.ascii)


def _report(result: Result) -> dict[str, object]:
    """Return the fields of `--json`; `seconds` are rounded to milliseconds."""
    return {
        "seed": result.seed,
        "cards": result.of,
        "asked": len(result.answers),
        "right": result.right,
        "answers": [_answer(answer) for answer in result.answers],
        "revise": list(result.revise),
        "again": result.again,
    }


def _answer(answer: Reply) -> dict[str, object]:
    card = answer.turn.card
    return {
        "card": card.id,
        "kind": card.kind,
        "given": answer.turn.given,
        "right": answer.right,
        "expected": answer.expected,
        "seconds": round(answer.seconds, 3),
    }
