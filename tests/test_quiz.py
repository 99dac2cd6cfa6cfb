"""The quiz: which cards a seed draws, how answers count, and what is said at the end."""

from __future__ import annotations

import io
import json
import re
from hashlib import blake2b
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from attn_study.deck.card import Card, Option
from attn_study.quiz import Quiz, Reply, Result, Turn, deal, order
from attn_study.render.quiz import answer, question
from attn_study.render.result import result_lines
from attn_study.screen.quiz_lines import QuizLines
from attn_study.screen.quizzing import QuizScreen
from attn_study.screen.terminal import Terminal
from cli_helpers import NOON, Said, Shell
from memory_helpers import LAW
from quiz_deck import DECK
from scripted import ScriptedKeyboard

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attn_study.screen.keys import Press

RIGHT = {"test/who": "the query", "test/divisor": r"\(\sqrt{d_k}\)", "test/word": "Softmax"}
CHOICE = Card(
    "a/who",
    "choice",
    "Who asks?",
    "the query",
    answer="the query",
    options=(Option("the query"), Option("the key", "It answers."), Option("the value")),
    demo="qkv",
)
DIGITS = Card("a/digits", "choice", "How many?", "", answer="1", options=tuple(map(Option, "123")))
LETTERS = Card(
    "a/letters",
    "choice",
    "Which?",
    "",
    answer="q",
    options=tuple(map(Option, ("q", "d", "u", "space", "enter", ":help", ":undo", ":quit"))),
    demo="qkv",
)
WORD = Card("a/word", "typed", "Which function?", "softmax", section="Words", answer="softmax")
WEIGHT = Card("a/weight", "computed", "By hand", "", section="By hand", question="head.output")
LOST = Card("a/lost", "computed", "By hand", "", question="head.ouput")


class Pupil:
    """Answers as told, card by card; a card that is not told of is where the pupil leaves.

    A pupil who is `tired` leaves on the answer of that card.
    """

    def __init__(self, answers: dict[str, str], tired: str = "") -> None:
        self._answers = answers
        self._tired = tired
        self.questions: list[Turn] = []
        self.answers: list[Turn] = []

    def question(self, turn: Turn) -> str | None:
        self.questions.append(turn)
        return self._answers.get(turn.card.id)

    def answer(self, turn: Turn) -> bool:
        self.answers.append(turn)
        return turn.card.id != self._tired


def ticking() -> Callable[[], float]:
    """A stopwatch on which a second goes by between two looks."""
    seconds = iter(range(1000))
    return lambda: float(next(seconds))


def dealt(*cards: Card, seed: int = 1) -> tuple[Turn, ...]:
    """The cards as a quiz asks them."""
    pupil = Pupil({card.id: "" for card in cards})
    Quiz(cards, seed, pupil, ticking()).run()
    return tuple(pupil.questions)


def taken(*given: str, cards: tuple[Card, ...] = (CHOICE, WORD, WEIGHT)) -> Result:
    """The result of a quiz whose cards are answered like this, in order."""
    answers = dict(zip([card.id for card in cards], given, strict=False))
    held = Quiz(cards, 1, Pupil(answers), ticking()).run()
    return Result(1, len(cards), "attn-study quiz a --seed 1 -n 20", held)


def said(result: Result, columns: int | None = 80) -> list[str]:
    return [line.plain for line in result_lines(result, columns)]


# The loop.


def test_every_card_is_asked_once_and_its_turn_says_how_far_the_quiz_is() -> None:
    pupil = Pupil({"a/who": "the key", "a/word": "softmax", "a/weight": "?"})
    Quiz([CHOICE, WORD, WEIGHT], 1, pupil, ticking()).run()
    asked = [(turn.card.name, turn.number, turn.of, turn.right) for turn in pupil.questions]
    assert asked == [("who", 1, 3, 0), ("word", 2, 3, 0), ("weight", 3, 3, 1)]
    assert [turn.right for turn in pupil.answers] == [0, 1, 1]
    assert [turn.is_last for turn in pupil.answers] == [False, False, True]


def test_each_kind_counts_as_it_does_in_a_review() -> None:
    weight = dealt(CHOICE, WORD, WEIGHT)[2].worked
    assert weight is not None
    assert isinstance(weight.asked.answer, float)
    near = f"{weight.asked.answer + weight.asked.tolerance * 0.9:.6f}"
    far = f"{weight.asked.answer + weight.asked.tolerance * 1.1:.6f}"
    right = [answer.right for answer in taken("the query", " SOFTMAX ", near).answers]
    wrong = [answer.right for answer in taken("the key", "softmix", far).answers]
    assert (right, wrong) == ([True] * 3, [False] * 3)
    assert [answer.right for answer in taken("", "", "").answers] == [False] * 3


def test_who_leaves_at_a_question_has_not_answered_it() -> None:
    result = taken("the query", "tanh")
    assert [answer.turn.card.name for answer in result.answers] == ["who", "word"]
    assert said(result)[0] == "1 of 2 answered right; 1 not asked."
    assert said(taken())[0] == "Nothing answered; 3 not asked."


def test_who_leaves_at_an_answer_has_answered_it() -> None:
    pupil = Pupil({"a/who": "the query", "a/word": "softmax"}, tired="a/who")
    held = Quiz([CHOICE, WORD], 1, pupil, ticking()).run()
    assert [answer.right for answer in held] == [True]
    assert len(pupil.questions) == 1


def test_the_time_of_an_answer_runs_from_its_question() -> None:
    assert [answer.seconds for answer in taken("the key", "x", "y").answers] == [1.0] * 3


# What a seed decides.


def place(card: str, seed: int) -> bytes:
    """Where a card stands, spelled out a second time: a quiz shared today is asked for ever."""
    number = int.from_bytes(blake2b(f"quiz|place|{seed}|{card}".encode(), digest_size=8).digest())
    return (number // 2).to_bytes(8)


def test_a_seed_orders_cards_by_their_ids_alone() -> None:
    cards = [f"deck/c{number}" for number in range(8)]
    assert order(cards, 4711) == sorted(cards, key=lambda card: place(card, 4711))
    assert order(cards, 4711) == order(reversed(cards), 4711) != order(cards, 4712)
    assert [card[-1] for card in order(cards, 4711)] == ORDER


ORDER = ["3", "6", "0", "1", "5", "4", "7", "2"]


def test_a_note_is_asked_about_once() -> None:
    chosen = order(["a/x:c1", "a/x:c2", "a/x", "a/y"], 3)
    assert sorted(card[:3] for card in chosen) == ["a/x", "a/y"]


@given(st.sets(st.integers(0, 200)), st.sets(st.integers(0, 200)), st.integers(0, 10**20))
@LAW
def test_more_cards_leave_the_order_of_the_others_alone(
    some: set[int], more: set[int], seed: int
) -> None:
    cards = [f"a/{number}" for number in some]
    both = order([*cards, *(f"a/{number}" for number in more - some)], seed)
    assert [card for card in both if card in cards] == order(cards, seed)


def test_the_seed_shuffles_options_and_draws_numbers() -> None:
    def drawn(seed: int) -> tuple[list[str], object]:
        who, weight = dealt(CHOICE, WEIGHT, seed=seed)
        assert weight.worked
        return [option.text for option in who.options], weight.worked.asked.answer

    several = [drawn(seed) for seed in range(12)]
    assert [drawn(seed) for seed in range(12)] == several
    assert len({tuple(options) for options, _ in several}) > 2
    assert len({answer for _, answer in several}) > 6
    assert {tuple(sorted(options)) for options, _ in several} == {
        ("the key", "the query", "the value")
    }


def test_a_card_whose_lesson_asks_no_such_thing_makes_room_for_the_next() -> None:
    dealt = deal([LOST, CHOICE, WORD, WEIGHT], 2)
    assert dealt.cards == (CHOICE, WORD)
    assert len(dealt.left_out) == 1
    assert "a/lost is left out" in dealt.left_out[0]
    assert "output" in dealt.left_out[0]


def test_no_card_is_read_beyond_those_that_are_asked() -> None:
    cards = iter([CHOICE, WORD, WEIGHT])
    deal(cards, 2)
    assert next(cards) == WEIGHT


# The result.


def test_the_result_says_what_was_right_what_was_missed_and_what_to_revise() -> None:
    result = taken("the key", "softmax", "", cards=(CHOICE, WORD, WEIGHT))
    weight = result.answers[2].expected
    assert said(result) == [
        "1 of 3 right, 3 s.",
        "",
        "  a        0 of 1",
        "  Words    1 of 1  ██████████",
        "  By hand  0 of 1",
        "",
        "Missed",
        "  ✗ a/who   you: the key   right: the query   demo qkv",
        f"  ✗ a/weight   you: nothing   right: {weight}   demo head",
        "",
        "To revise",
        "  attn-study card show a/who",
        "  attn-study card show a/weight",
        "  attn-study demo qkv",
        "  attn-study demo head",
        "",
        "seed 1: `attn-study quiz a --seed 1 -n 20` asks the same",
    ]


def test_mathematics_in_an_answer_is_set_in_one_row() -> None:
    options = (Option(r"\(\sqrt{d_k}\)"), Option(r"\[d_k\]"))
    card = Card("a/by", "choice", "By what?", "", answer=options[0].text, options=options)
    assert "  ✗ a/by   you: dₖ   right: √dₖ" in said(taken(options[1].text, cards=(card,)))


def test_a_card_missed_has_a_line_a_part_where_one_line_is_too_short() -> None:
    lines = said(taken("the key", cards=(CHOICE,)), 40)
    missed = lines.index("Missed") + 1
    assert lines[missed : missed + 5] == [
        "  ✗ a/who",
        "    you: the key",
        "    right: the query",
        "    demo qkv",
        "",
    ]


def test_all_right_leaves_nothing_to_revise() -> None:
    result = taken("the query", "softmax", cards=(CHOICE, WORD))
    assert said(result)[0] == "2 of 2 right, 2 s."
    assert result.revise == ()
    assert not any("revise" in line or "Missed" in line for line in said(result))


def test_cards_of_one_section_are_counted_by_their_tags() -> None:
    cards = [
        Card(f"a/{name}", "typed", "?", "x", section="S", answer="x", tags=tags)
        for name, tags in {"one": ("t",), "two": ("t", "u"), "three": ("u",)}.items()
    ]
    lines = said(taken("x", "y", "x", cards=tuple(cards)))
    assert lines[2:4] == ["  t  1 of 2  █████", "  u  1 of 2  █████"]


def test_the_first_cards_missed_and_the_demos_of_most_of_them_are_to_be_revised() -> None:
    cards = [
        Card(f"a/{name}", "typed", "?", "x", answer="x", demo=demo)
        for name, demo in {"c1": "head", "c2": "mask", "c3": "mask", "c4": "", "c5": "mask"}.items()
    ]
    assert taken("y", "x", "y", "y", "y", cards=tuple(cards)).revise == (
        "attn-study card show a/c1",
        "attn-study card show a/c3",
        "attn-study card show a/c4",
        "attn-study demo mask",
        "attn-study demo head",
    )


def test_sections_of_several_decks_are_counted_with_their_decks() -> None:
    cards = [
        Card(f"{deck}/{number}", "typed", "?", "x", section=section, answer="x")
        for number, (deck, section) in enumerate([("a", "S"), ("b", "T"), ("b", "T")])
    ]
    assert said(taken("", "", "", cards=tuple(cards)))[2:4] == [
        "  a › S  0 of 1",
        "  b › T  0 of 2",
    ]


@given(
    st.lists(st.text(max_size=60), min_size=3, max_size=3),
    st.integers(20, 100),
)
@LAW
def test_a_result_fits_the_window_and_shows_nothing_that_steers_it(
    given: list[str], columns: int
) -> None:
    result = taken(*given)
    lines = result_lines(result, columns)
    assert max(line.cell_len for line in lines) <= columns
    assert not any("\x1b" in line.plain or "\n" in line.plain for line in lines)
    assert result.right + len(result.missed) == len(result.answers) == 3


# A terminal.


def played(
    *keys: Press | str | None, cards: tuple[Card, ...] = (CHOICE, WORD), columns: int = 80
) -> tuple[tuple[Reply, ...], list[str]]:
    """Hold a quiz with scripted keys; return its answers, and every frame drawn."""
    output = io.StringIO()
    console = Console(file=output, force_terminal=True, width=columns, height=24, color_system=None)
    with Terminal(console, ScriptedKeyboard(keys)) as terminal:
        held = Quiz(cards, 1, QuizScreen(terminal, "utf-8"), ticking()).run()
    frames = output.getvalue().split("\x1b[?2026h")[1:]
    return held, [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "\n", frame) for frame in frames]


def number_of(text: str) -> str:
    """The key of an option."""
    return str([option.text for option in dealt(CHOICE)[0].options].index(text) + 1)


def test_a_digit_chooses_and_space_goes_on() -> None:
    held, frames = played(number_of("the key"), "space", *"softmax", "enter", "space")
    assert [answer.turn.given for answer in held] == ["the key", "softmax"]
    assert "1 of 2 · 0 right" in frames[0]
    for part in ("1–3 choose", "space no idea", "q quit"):
        assert part in frames[0]
    for part in ("not quite", "It answers.", "✓", "✗", "space next   d demo qkv   q quit"):
        assert part in frames[1]
    assert "good" not in frames[1]
    assert "2 of 2 · 1 right" in frames[-1]
    assert "space result   q quit" in frames[-1]


def test_a_digit_that_no_option_has_chooses_nothing() -> None:
    held, frames = played("4", "0", "q")
    assert held == ()
    assert sum("there is no such answer: 1 to 3" in frame for frame in frames) == 2


def put(cards: tuple[Card, ...], *keys: str) -> str | None:
    """What a quiz screen takes for the answer to the first of these cards."""
    console = Console(file=io.StringIO(), force_terminal=True, width=80, height=24)
    with Terminal(console, ScriptedKeyboard(keys)) as terminal:
        return QuizScreen(terminal, "utf-8").question(dealt(*cards)[0])


def test_a_key_is_the_number_of_an_option_whatever_the_options_say() -> None:
    (turn,) = dealt(DIGITS)
    texts = [option.text for option in turn.options]
    assert texts != sorted(texts)
    assert [put((DIGITS,), key) for key in "123"] == texts


@pytest.mark.parametrize(("keys", "given"), [("q", None), (("space",), ""), (("d", "u", "1"), 0)])
def test_a_key_keeps_its_meaning_where_an_option_is_called_like_it(
    keys: tuple[str, ...], given: str | int | None
) -> None:
    first = dealt(LETTERS)[0].options[0].text
    assert put((LETTERS,), *keys) == (first if given == 0 else given)


def lines_put(card: Card, *lines: str) -> tuple[str | None, list[str]]:
    """What is taken for the answer to a card without a screen, and what is said."""
    shown: list[str] = []
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    screen = QuizLines(source, lambda rows: shown.extend(row.plain for row in rows))
    return screen.question(dealt(card)[0]), shown


def test_a_line_is_a_number_before_it_is_a_text() -> None:
    texts = [option.text for option in dealt(DIGITS)[0].options]
    assert [lines_put(DIGITS, line)[0] for line in "123"] == texts
    assert lines_put(LETTERS, "d")[0] == "d"


def test_a_line_that_begins_with_a_colon_is_a_command_also_where_an_option_says_it() -> None:
    given, shown = lines_put(LETTERS, ":help", ":undo", ":quit")
    assert given is None
    assert "no command :undo; :help lists them" in shown
    assert any(line.startswith("The first line is the answer") for line in shown)


def test_space_on_a_choice_is_no_idea_and_counts_as_wrong() -> None:
    held, frames = played("space", "q")
    assert [(answer.turn.given, answer.right) for answer in held] == [("", False)]
    assert "nothing chosen" in frames[-1]


def test_d_opens_the_demo_after_the_answer_and_not_before() -> None:
    held, frames = played("d", "1", "d", "q", "x", "q")
    assert "Who asks?" in frames[1]
    assert sum("three roles" in frame for frame in frames) == 1
    assert "Who asks?" in frames[-1]
    assert "the answer counts already: space next" in frames[-1]
    assert len(held) == 1


def test_a_typed_answer_has_the_other_keys_behind_escape() -> None:
    held, frames = played("a", "escape", "space", "b", "escape", "q", cards=(WORD,))
    assert held == ()
    assert "space type   q quit" in frames[2]
    assert "enter answer" in frames[3]


@pytest.mark.parametrize(("columns", "rows"), [(20, 12), (20, 24), (40, 8), (40, 12), (80, 24)])
def test_a_frame_shows_the_card_and_its_keys_in_a_small_window(columns: int, rows: int) -> None:
    for turn, text in zip(dealt(CHOICE, WORD), ("the key", "tanh"), strict=True):
        held = Quiz([turn.card], 1, Pupil({turn.card.id: text}), ticking()).run()
        asked, shown = (
            [line.plain for line in frame.fit(columns, rows, frame.first_offset(rows))]
            for frame in (
                question(turn, columns, rows=rows),
                answer(held[0].turn, columns, rows=rows),
            )
        )
        assert turn.card.front.split()[0] in "".join(asked)
        assert "quit" in "".join(asked[-3:])
        assert "quit" in "".join(shown[-3:])
        assert "not quite" in "\n".join(shown)
        assert max(len(line) for line in (*asked, *shown)) <= columns


# The command.


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    shell = Shell(tmp_path)
    shell.deck(DECK, "test.yaml")
    return shell


def asked(run: Said) -> list[str]:
    """The cards that were answered, in order: the name of a card comes with its answer."""
    return re.findall(r"^(\S+/\S+)$", run.out, re.MULTILINE)


def answers(shell: Shell, *words: str) -> str:
    """Lines that answer the quiz of these words right, the card by hand aside."""
    report = shell.done("quiz", *words, "--json", given="\n" * 99).json
    expected = [one["expected"] for one in report["answers"]]
    return "".join(f"{text}\n\n" for text in expected)


def test_a_quiz_in_a_fresh_home_makes_no_log(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    run = shell.done("quiz", "attention", "-n", "3", given="\n" * 6)
    assert len(asked(run)) == 3
    assert not shell.home.exists()


def test_a_quiz_leaves_the_log_as_it_is(shell: Shell) -> None:
    shell.done("card", "grade", "test/word", "good")
    before, card = shell.log(), shell.card("test/word")
    shell.done("quiz", "test", given="\n" * 99)
    assert shell.log() == before
    assert shell.card("test/word") == card


def test_a_seed_asks_the_same_in_another_process_on_another_day_after_reviews(
    shell: Shell,
) -> None:
    words = ("quiz", "test", "--seed", "4711")
    first = shell.done(*words, given="\n" * 99)
    assert len(asked(first)) == 5
    for card, grade in (("test/word", "again"), ("test/who", "easy"), ("test/by-hand", "hard")):
        shell.done("card", "grade", card, grade)
    shell.done("card", "suspend", "test/sum")
    shell.now = NOON.replace("03-02", "05-17")
    again = shell.process(*words, given="\n" * 99, PYTHONHASHSEED="7")
    assert again.out == first.out


def test_another_seed_asks_otherwise(shell: Shell) -> None:
    runs = [shell.done("quiz", "test", "--seed", str(seed), given="\n" * 99) for seed in range(5)]
    assert len({tuple(asked(run)) for run in runs}) > 2


def test_without_a_seed_one_is_drawn_and_said_and_the_command_said_asks_the_same(
    shell: Shell,
) -> None:
    first = shell.done("quiz", "test", "--section", "writing", "--tag", "roles", given="\n")
    again = re.search(r"seed \d+: `attn-study (.+)` asks the same", first.lines[0])
    assert again
    words = again[1].split()
    assert words[:6] == ["quiz", "test", "--section", "Writing", "--tag", "roles"]
    shell.now = NOON.replace("12:00:00", "12:00:01")
    assert shell.done(*words, given="\n").out == first.out
    other = shell.done("quiz", "test", given="\n")
    assert re.findall(r"seed \d+", other.lines[0]) != re.findall(r"seed \d+", first.lines[0])


def test_right_and_wrong_answers_are_counted(shell: Shell) -> None:
    words = ("test", "--seed", "5")
    right = answers(shell, *words)
    report = shell.done("quiz", *words, "--json", given=right).json
    assert (report["cards"], report["asked"], report["right"]) == (5, 5, 5)
    assert report["revise"] == []
    wrong = right.replace("softmax", "tanh").replace("the query", "the key")
    run = shell.done("quiz", *words, given=wrong)
    assert "3 of 5 right, 0 s." in run.lines
    missed = [line for line in run.lines if "✗" in line]
    assert sorted(missed) == [
        "  ✗ test/who   you: the key   right: the query   demo qkv",
        "  ✗ test/word   you: tanh   right: softmax",
    ]


def test_n_is_how_many_are_asked_at_most(shell: Shell) -> None:
    full = asked(shell.done("quiz", "test", "--seed", "1", given="\n" * 99))
    two = asked(shell.done("quiz", "test", "--seed", "1", "-n", "2", given="\n" * 99))
    assert two == full[:2]
    assert set(full) == {f"test/{name}" for name in ("who", "divisor", "word", "sum", "by-hand")}
    for number in ("0", "-1", "many"):
        assert shell.attn("quiz", "test", "-n", number).code == 2


def test_a_section_or_a_tag_narrows_the_quiz(shell: Shell) -> None:
    section = asked(shell.done("quiz", "--section", "Choosing", given="\n" * 99))
    assert sorted(section) == ["test/divisor", "test/who"]
    tag = asked(shell.done("quiz", "test", "--tag", "roles", given="\n" * 99))
    assert sorted(tag) == ["test/who", "test/word"]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("tset",), "test"),
        (("test", "--section", "Chosing"), "Choosing"),
        (("test", "--tag", "rules"), "roles"),
    ],
)
def test_an_unknown_name_is_met_with_near_ones(
    shell: Shell, words: tuple[str, ...], hint: str
) -> None:
    run = shell.attn("quiz", *words)
    assert run.code == 2
    assert f"{words[-1]!r}" in run.err
    assert hint in run.err.partition(repr(words[-1]))[2]


def test_cards_that_nobody_can_mark_make_no_quiz(shell: Shell) -> None:
    shell.deck("deck: plain\ntitle: P\ncards:\n  - {id: a, front: Why?, back: So.}\n", "p.yaml")
    run = shell.attn("quiz", "plain")
    assert run.code == 2
    assert "choice, typed and computed" in run.err
    assert not run.out


def test_a_card_that_names_no_question_is_left_out_with_a_word(shell: Shell) -> None:
    shell.deck(DECK.replace("head.output", "head.ouput"), "test.yaml")
    run = shell.done("quiz", "test", given="\n" * 99)
    assert len(asked(run)) == 4
    assert any(line.startswith("test/by-hand is left out") for line in run.notices)


def test_line_by_line_the_first_line_answers_and_the_next_goes_on(shell: Shell) -> None:
    words = ("quiz", "test", "--section", "Writing", "--tag", "roles", "--seed", "1", "-n", "3")
    said = "attn-study quiz test --section Writing --tag roles --seed 1 -n 3"
    run = shell.done(*words, given="tanh\n:undo\n\n")
    assert run.lines == [
        f"1 card, seed 1: `{said}` asks the same",
        "",
        "test › Writing  (1 of 1 · 0 right)",
        "What turns scores into weights?",
        "Type the answer.",
        "test/word",
        "not quite: tanh",
        "right: softmax",
        "Empty line: result.",
        "no command :undo; :help lists them",
        "0 of 1 right, 0 s.",
        "",
        "Missed",
        "  ✗ test/word   you: tanh   right: softmax",
        "",
        "To revise",
        "  attn-study card show test/word",
        "",
        f"seed 1: `{said}` asks the same",
    ]


def test_line_by_line_answers_may_follow_each_other_without_empty_lines(shell: Shell) -> None:
    words = ("quiz", "test", "--seed", "3")
    spaced = shell.done(*words, given="1\n\n" * 5)
    dense = shell.done(*words, given="1\n" * 5)
    assert len(asked(dense)) == 5
    assert dense.lines == spaced.lines


def test_line_by_line_an_option_is_chosen_by_its_number_or_its_text(shell: Shell) -> None:
    words = ("quiz", "test", "--tag", "roles", "--section", "Choosing", "--seed", "2")
    shown = shell.done(*words)
    number = next(line[0] for line in shown.lines if line.endswith(": the query"))
    for line in (number, "the query"):
        run = shell.done(*words, given=f"9\n:nonsense\nthe quest\n{line}\n\n")
        assert "1 of 1 right, 0 s." in run.lines
        assert run.lines.count("there is no such answer: 1 to 3, or an empty line") == 2
        assert "no command :nonsense; :help lists them" in run.lines


def test_line_by_line_the_demo_comes_after_the_answer(shell: Shell) -> None:
    words = ("quiz", "test", "--tag", "roles", "--section", "Choosing")
    run = shell.done(*words, given=":demo\n:help\nthe key\n:demo\n:help\n:quit\n")
    later, empty, shown = (
        run.out.index(part)
        for part in ("The demo comes after the answer.", "Empty line: result; :demo", "three roles")
    )
    assert later < empty < shown
    assert run.out.count("Commands: :demo :help :quit") == 2
    assert "0 of 1 right, 0 s." in run.lines


@pytest.mark.parametrize("end", ["", ":quit\n"])
def test_the_end_of_the_input_ends_the_quiz_with_what_was_answered(shell: Shell, end: str) -> None:
    run = shell.done("quiz", "test", "--seed", "5", given=f"\n\n\n\n{end}")
    assert "0 of 2 answered right; 3 not asked." in run.lines
    assert "Nothing answered; 5 not asked." in shell.done("quiz", "test", given=end).lines
    assert len(asked(shell.done("quiz", "test", given=f"\n{end}"))) == 1


def test_json_is_one_object_on_its_own_with_the_questions_beside_it(shell: Shell) -> None:
    words = ("quiz", "test", "--section", "Choosing", "--seed", "7", "--json")
    run = shell.done(*words, given="1\n\n:quit\n")
    report = run.json
    assert list(report) == [
        "schema", "seed", "cards", "asked", "right", "answers", "revise", "again",
    ]  # fmt: skip
    assert (report["schema"], report["seed"]) == ("attn-study/quiz/1", 7)
    assert (report["cards"], report["asked"]) == (2, 1)
    (answer,) = report["answers"]
    assert list(answer) == ["card", "kind", "given", "right", "expected", "seconds"]
    assert answer["kind"] == "choice"
    assert answer["expected"] == RIGHT[answer["card"]]
    assert answer["right"] == (answer["given"] == answer["expected"]) == bool(report["right"])
    assert report["again"] == "attn-study quiz test --section Choosing --seed 7 -n 20"
    assert any("(1 of 2 · 0 right)" in line for line in run.notices)
    assert json.loads(shell.done(*words).out)["answers"] == []


def test_no_terminal_is_needed_and_ascii_will_do(shell: Shell) -> None:
    shell.file("home/settings.toml", 'math = "ascii"\n')
    run = shell.done("quiz", "test", "--seed", "3", given="\n" * 99)
    assert run.out.isascii()
    assert "x test/who" in run.out
