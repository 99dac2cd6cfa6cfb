"""The lesson `learn`: a model trained now reaches what is claimed, on sentences kept from it."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from attn_study.attention.model import learning
from attn_study.attention.model.forward import forward
from attn_study.attention.model.parameters import Parameters
from attn_study.attention.trace import Trace
from attn_study.demos import load
from attn_study.demos.asks.learn import QUESTIONS
from attn_study.demos.learn import DEMO
from attn_study.demos.working import Focus
from attn_study.demos.workings import pupil as pupils
from attn_study.demos.workings.courses import COURSES
from attn_study.demos.workings.learn import frames, learned
from attn_study.demos.workings.outcome import claimed, told
from attn_study.demos.workings.pupil import Pupil, look
from attn_study.demos.workings.tasks import of_any, repeat_items
from attn_study.errors import UserError
from attn_study.language.families import fit
from attn_study.language.words import ANIMALS, FOODS, PLACES, PLURALS
from cli_helpers import Shell
from lesson_checks import COLUMNS, asked, assert_explained, assert_fair, assert_fits, screen, shown
from lessons import kept, lesson, text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attn_study.attention.arrays import Array
    from attn_study.demos.workings.pupil import Moment
    from attn_study.demos.workings.tasks import Item

N_KEPT = 200
NOUNS = {*PLURALS, *ANIMALS, *PLACES, *FOODS}
# Case, layers, seed: of one layer agreement and coref, which every run tries, and those that an
# ordinary run tries at one seed.
CLAIMED = [
    pytest.param(
        case,
        layers,
        seed,
        marks=[] if (case, layers, seed) in {("depth", 1, 0), ("repeat", 2, 8)}
        or case in {"agreement", "coref"} else pytest.mark.slow,
    )
    for case, course in COURSES.items()
    for layers, claim in course.claims.items()
    for seed in claim.seeds
]  # fmt: skip


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def one(noun: str) -> str:
    """A noun in the singular."""
    return {many: noun for noun, many in PLURALS.items()}.get(noun, noun)


def pairs(item: Item) -> set[frozenset[str]]:
    """The pairs of nouns in a sentence, in the singular."""
    nouns = {one(word) for word in item.words} & NOUNS
    return {frozenset(pair) for pair in combinations(nouns, 2)}


@pytest.mark.parametrize(("case", "layers", "seed"), CLAIMED)
def test_a_course_ends_as_its_claim_says_and_stays_there(case: str, layers: int, seed: int) -> None:
    course = COURSES[case]
    claim = course.claims[layers]
    _, moments = learned(case, layers, seed)
    assert moments[-1].step == course.steps
    for moment in moments[-4:]:
        assert claim.least <= moment.marks.right / N_KEPT <= claim.most
        assert moment.marks.on_target >= claim.on_target


@pytest.mark.parametrize("case", ["agreement", "coref"])
def test_the_sentence_shown_is_right_and_its_noun_is_looked_at(case: str) -> None:
    for seed in range(5):
        pupil, moments = learned(case, 1, seed)
        seen = look(pupil, moments[-1], pupil.course.watched)
        weights = np.exp(seen.scores) / np.exp(seen.scores).sum()
        assert seen.shares[0] > 0.9
        assert weights[pupil.course.watched.target + 1] > 0.8


@pytest.mark.parametrize(
    ("case", "shown"), [("agreement", {"key", "cabinet"}), ("coref", {"chicken", "road"})]
)
def test_every_sentence_kept_has_two_nouns_that_never_meet_in_training(
    case: str, shown: set[str]
) -> None:
    pupil, _ = learned(case, 1, 0)
    together = set().union(*map(pairs, pupil.training))
    assert all(pairs(item) - together for item in pupil.kept)
    assert frozenset(shown) in pairs(pupil.course.watched) - together


@pytest.mark.parametrize("case", COURSES)
def test_no_sentence_that_is_kept_is_in_training(case: str) -> None:
    course = COURSES[case]
    training = {item.words for item in course.items(course.seed)}
    assert len(course.items(None)) == N_KEPT
    assert not training & {item.words for item in (*course.items(None), course.watched)}


def test_the_pair_of_the_textbook_is_in_no_sentence_of_depth() -> None:
    course = COURSES["depth"]
    every = [*course.items(0), *course.items(None)]
    assert not [item for item in every if {"trophy", "suitcase"} <= set(item.words)]
    answers = [item.answer == item.words[1] for item in course.items(None)]
    assert 0.4 < sum(answers) / N_KEPT < 0.6  # else always the first would beat a coin


@pytest.mark.parametrize("case", ["agreement", "coref", "depth"])
def test_before_the_first_step_every_word_weighs_the_same(case: str) -> None:
    weights = kept("learn", case=case).working.trace["weights"].values[0]
    assert weights == pytest.approx(np.full(len(weights), 1 / len(weights)))


@pytest.mark.parametrize("case", COURSES)
def test_before_the_first_step_the_loss_is_near_that_of_a_guess(case: str) -> None:
    trace = lesson("learn", case=case).working.trace
    n_words = trace["model"].values[0]
    assert trace["loss"].values[0] == pytest.approx(math.log(n_words), abs=0.15)


def test_at_the_same_place_one_layer_stays_at_a_coin_toss_and_two_do_not() -> None:
    one_layer, two_layers = (learned("depth", layers, 0)[1][-1].marks for layers in (1, 2))
    assert one_layer.loss > math.log(2)
    assert two_layers.loss < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_with_two_layers_big_and_small_send_the_last_word_to_other_places(seed: int) -> None:
    pupil, moments = learned("depth", 2, seed)
    last = {}
    for adjective in ("big", "small"):
        item = of_any(fit.build("trophy", "suitcase", adjective))
        scores = look(pupil, moments[-1], item).scores
        last[adjective] = np.exp(scores) / np.exp(scores).sum()
    things = (2, 8)  # tokens: the start is 0
    assert all(weights[list(things)].sum() < 0.15 for weights in last.values())
    assert last["big"][3:8].sum() > 0.8
    assert last["small"][9:].sum() > 0.8


def test_an_induction_head_goes_by_the_word_it_finds_further_back() -> None:
    trace = kept("learn", case="repeat").working.trace
    assert trace["first_weights"].values[-1][1] > 0.5  # the first zib
    assert trace["weights"].values[-1][2] > 0.9  # wug, which came after it
    assert trace["next_word"].values[-1][0] > 0.9


def by_hand(parameters: Parameters, tokens: list[int]) -> tuple[Array, Array]:
    """The weights of the last token and the shares of the next word, of one layer, one head."""

    def normed(rows: Array, gain: str) -> Array:
        lengths = np.sqrt([sum(value**2 for value in row) / len(row) + 1e-5 for row in rows])
        return np.array(rows / lengths[:, np.newaxis] * parameters[gain])

    x = np.array([parameters["embedding"][word] + parameters["position"][at]
                  for at, word in enumerate(tokens)])  # fmt: skip
    into = normed(x, "gain_attention_1")
    query, key, value = (into @ parameters[f"w_{part}_1"] for part in "qkv")
    exp = np.array([math.exp(float(query[-1] @ row) / math.sqrt(len(row))) for row in key])
    weights = exp / exp.sum()
    end = x[-1] + (weights @ value) @ parameters["w_o_1"]
    logits = parameters["embedding"] @ normed(end[np.newaxis], "gain_final")[0]
    shares = np.exp(logits)
    return weights, shares / shares.sum()


@pytest.mark.parametrize("case", ["agreement", "coref"])
def test_weights_and_shares_follow_from_the_numbers_learned(case: str) -> None:
    pupil, moments = learned(case, 1, 0)
    trace = kept("learn", case=case).working.trace
    item = pupil.course.watched
    for at in (0, 17, len(moments) - 1):
        model = Parameters(pupil.size, moments[at].flat)
        weights, shares = by_hand(model, [int(n) for n in pupil.tokens(item.words)])
        assert trace["weights"].values[at] == pytest.approx(weights)
        right = shares[pupil.numbers[item.answer]]
        assert trace["next_word"].values[at][0] == pytest.approx(right)


def test_the_marks_follow_from_each_sentence() -> None:
    pupil, moments = learned("agreement", 1, 0)
    trace = kept("learn").working.trace
    model = Parameters(pupil.size, moments[20].flat)
    loss, right, on_target = [], 0, []
    for item in pupil.kept:
        weights, shares = by_hand(model, [int(n) for n in pupil.tokens(item.words)])
        loss.append(-math.log(shares[pupil.numbers[item.answer]]))
        right += int(np.argmax(shares)) == pupil.numbers[item.answer]
        on_target.append(weights[item.target + 1])
    found = [trace[name].values[20] for name in ("loss", "right", "on_target")]
    assert found == pytest.approx([np.mean(loss), right, np.mean(on_target)])


def test_a_seed_always_leads_to_the_same_model_and_another_to_another() -> None:
    _, moments = learned("agreement", 1, 1)
    again = tuple(Pupil(COURSES["agreement"], 1, 1).moments())
    assert all((one.flat == other.flat).all() for one, other in zip(moments, again, strict=True))
    assert (moments[-1].flat != learned("agreement", 1, 2)[1][-1].flat).any()


@pytest.mark.parametrize("case", ["agreement", pytest.param("repeat", marks=pytest.mark.slow)])
def test_last_digits_that_differ_from_machine_to_machine_do_not_show(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As another library of linear algebra would round otherwise."""
    course = COURSES[case]
    _, moments = learned(case, course.layers, course.seed)

    def stirred(*given: object, **options: object) -> Parameters:
        model = learning.beginning(*given, **options)  # type: ignore[arg-type]
        model.flat *= 1 + 1e-14 * np.sin(np.arange(len(model.flat)))
        return model

    monkeypatch.setattr(pupils, "beginning", stirred)
    *_, last = Pupil(course, course.layers, course.seed).moments()
    assert (last.flat != moments[-1].flat).any()
    assert last.marks.right == moments[-1].marks.right
    assert last.marks.on_target == pytest.approx(moments[-1].marks.on_target, abs=5e-4)


def test_frames_grow_by_a_moment_and_end_as_the_lesson_does() -> None:
    every = list(frames(case="agreement", sentence=3))
    lengths = [working.trace.sizes["moments"] for working in every]
    assert lengths == list(range(1, 62))
    whole = lesson("learn", sentence=3).working
    assert every[-1].notice == whole.notice
    for step in whole.trace:
        assert (every[-1].trace[step.name].values == step.values).all()


def test_a_frame_does_not_wait_for_those_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = []

    class Counted(Pupil):
        def moments(self) -> Iterator[Moment]:
            for moment in super().moments():
                moments.append(moment.step)
                yield moment

    monkeypatch.setattr("attn_study.demos.workings.learn.Pupil", Counted)
    begun = frames(case="repeat")
    assert not moments
    for so_far in (1, 2, 3):
        assert next(begun).trace.sizes["moments"] == so_far
        assert len(moments) == so_far


def test_another_sentence_is_watched_by_its_number() -> None:
    first, last = (lesson("learn", sentence=number).working.trace for number in (1, N_KEPT))
    assert first.labels("keys") != last.labels("keys")
    assert (first["loss"].values == last["loss"].values).all()
    with pytest.raises(UserError, match="sentence cannot be '201'"):
        lesson("learn", sentence="201")


SCREEN = """\
 learn  a head learns to look at the right word           6,336 numbers, seed 0
 notice step 60: 200 of 200 unseen right, 0.99 of the weight on the head noun

 step 60: “cabinet” asks; this sentence is not in the training
 <start>  the   keys  to    the   cabinet
"""


def test_the_last_screen_says_what_was_learned() -> None:
    lines = screen("learn")
    assert "\n".join(lines).startswith(SCREEN)
    assert lines[-1] == " Tested for seeds 0 to 4: at least 194 of 200 right, weight at least 0.8."


STORY = "an induction head. It comes late"


def test_the_story_of_an_induction_head_is_told_only_where_there_is_one() -> None:
    assert STORY in " ".join(screen("learn", case="repeat"))
    assert STORY not in " ".join(screen("learn", focus=Focus(30), case="repeat"))
    other = kept("learn", case="repeat", seed=3).working.trace
    said = " ".join(line.strip() for line in screen("learn", case="repeat", seed=3))
    assert other["right"].values[-1] >= 190
    assert other["on_target"].values[-1] < 0.1
    assert STORY not in said
    assert f"gives {other['on_target'].values[-1]:.2f} of its weight" in said
    assert f"already gives it {other['first_on_target'].values[-1]:.2f}" in said


def test_a_head_of_the_first_layer_finds_the_word_where_no_induction_head_does() -> None:
    pupil, moments = learned("repeat", 2, 3)
    weights = []
    for item in pupil.kept:
        tokens = np.array([pupil.tokens(item.words)])
        run = forward(Parameters(pupil.size, moments[-1].flat), tokens)
        weights.append([float(run.layers[0][0].weights[0, head, -1, item.target + 1])
                        for head in (0, 1)])  # fmt: skip
    most = max(np.mean(weights, axis=0))
    assert most == pytest.approx(moments[-1].marks.earlier)
    assert most > 0.5


def test_a_seed_that_was_not_tested_is_told_so_with_what_it_came_to() -> None:
    trace = kept("learn", seed=6).working.trace
    assert trace["on_target"].values[-1] < 0.8
    last = screen("learn", seed=6)[-1]
    assert "Seed 6 is not tested (0 to 4 are)" in last
    assert f"weight {trace['on_target'].values[-1]:.2f}, not their 0.8" in last
    assert "The row above is what became of it" not in " ".join(screen("learn", seed=6))
    assert screen("learn", seed=8)[-1].endswith("as theirs.")


def test_where_the_words_come_out_wrong_nothing_is_explained() -> None:
    working = kept("learn").working
    wrong = np.where(np.arange(61) < 60, working.trace["right"].values, 120.0)
    steps = (replace(step, values=wrong) if step.name == "right" else step
             for step in working.trace)  # fmt: skip
    failed = replace(working, trace=Trace(tuple(steps)))
    assert told(failed, -1).endswith("Not learned within these steps.")
    other = replace(failed, knobs={**failed.knobs, "seed": 77})
    assert "120 right, weight 0.99, not their 194 or more" in claimed(other, -1)


@pytest.mark.parametrize("case", ["agreement", pytest.param("coref", marks=pytest.mark.slow)])
def test_with_two_layers_both_weights_on_the_noun_are_told(case: str) -> None:
    trace = kept("learn", case=case, layers=2).working.trace
    said = " ".join(line.strip() for line in screen("learn", case=case, layers=2))
    assert f"the first gives it {trace['first_on_target'].values[-1]:.2f}" in said
    assert f"the second {trace['on_target'].values[-1]:.2f}" in said


def test_no_training_begins_with_the_words_of_a_sequence_kept() -> None:
    """By seeds 2 and 7 some were drawn that do."""
    once = [{tuple(dict.fromkeys(item.words)) for item in repeat_items(seed)}
            for seed in (None, 2, 7)]  # fmt: skip
    assert not once[0] & (once[1] | once[2])
    assert not once[0] & {(second, first, *rest) for first, second, *rest in once[0]}


def test_one_layer_never_comes_below_the_loss_of_a_coin_toss() -> None:
    losses = lesson("learn", case="depth").working.trace["loss"].values
    assert min(losses) > math.log(2)


@pytest.mark.parametrize(
    "knobs",
    [
        {},
        {"case": "coref"},
        {"case": "depth"},
        {"case": "depth", "layers": 2},
        {"case": "repeat"},
        {"case": "repeat", "seed": 3},
        {"seed": 6},
    ],
    ids=str,
)
def test_every_course_fits_the_screen_with_its_keys(knobs: dict[str, Any]) -> None:
    assert len(screen("learn", **knobs)) <= 23
    for columns in COLUMNS:
        assert_fits("learn", columns, **knobs)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("seed", range(4))
def test_questions_are_fair_and_explained(question: str, seed: int) -> None:
    found = asked("learn", question, seed)
    assert_fair(found)
    assert_explained("learn", found)


def test_seeds_ask_about_other_sentences() -> None:
    for question in ("looks", "even"):
        assert len({shown(asked("learn", question, seed)) for seed in range(8)}) > 4


def test_a_pipe_gets_a_line_of_every_fifth_moment_and_the_lesson(shell: Shell) -> None:
    lines = shell.done("demo", "learn").lines
    told = [line for line in lines if line.startswith(" step ") and "loss" in line]
    assert [int(line.split()[1]) for line in told] == list(range(0, 61, 5))
    assert "\n".join(lines).endswith("\n".join(screen("learn")))


@pytest.mark.parametrize("words", ["--fast", "--query 61", "--query=step\u00a060"])
def test_the_end_alone_is_shown_where_that_is_wanted(shell: Shell, words: str) -> None:
    typed = [word.replace("\u00a0", " ") for word in words.split(" ")]
    assert shell.done("demo", "learn", *typed).lines == screen("learn")


def test_a_moment_before_shows_the_course_up_to_there(shell: Shell) -> None:
    said = shell.done("demo", "learn", "--query", "1").out
    assert "0.17     0.17" in said
    assert "step 0: “cabinet” asks" in said
    assert "Tested for" not in said
    assert "notice step 0: " in said
    assert "what became of it" not in said


def test_a_moment_that_is_not_there_is_named_as_one(shell: Shell) -> None:
    said = shell.refused("demo", "learn", "--query", "99")
    assert "there is no moment '99'" in said
    assert "61 step 60" in said
    assert "Which moment" in shell.done("demo", "learn", "--help").out


def test_json_and_files_hold_the_whole_course(shell: Shell, tmp_path: Path) -> None:
    report = shell.done("demo", "learn", "--case", "coref", "--json").json
    assert [len(step["values"]) for step in report["steps"]][1:] == [61] * 10
    assert report["knobs"] == {"case": "coref", "layers": 1, "seed": 0, "sentence": 0}
    for suffix in ("svg", "txt"):
        shell.done("demo", "learn", "-o", str(tmp_path / f"learn.{suffix}"))
    assert "cabinet" in (tmp_path / "learn.svg").read_text(encoding="utf-8")
    written = (tmp_path / "learn.txt").read_text(encoding="utf-8")
    assert written.splitlines() == screen("learn")


@pytest.mark.parametrize("fps", ["0", "0.4", "65", "64.0000001", "-1", "inf", "nan"])
def test_a_speed_that_nobody_could_follow_is_refused(shell: Shell, fps: str) -> None:
    said = shell.refused("demo", "learn", "--fps", fps)
    assert f"fps cannot be {float(fps)}" in said
    assert "from 0.5 to 64" in said


def test_only_a_lesson_that_takes_time_has_a_speed() -> None:
    assert [name for name in ("head", "stack", "learn") if load(name).play] == ["learn"]
    assert DEMO.play


def test_a_stage_shows_the_moment_in_focus_alone() -> None:
    lesson = kept("learn")
    stages = dict(zip(lesson.stages, range(20), strict=False))
    at = Focus(20)
    weights = text(lesson.stage(stages["weights"], at))
    assert "“step 20” → “keys”:   weight = " in weights
    assert len(weights.splitlines()) < 14
    loss = text(lesson.stage(stages["loss"], at))
    assert f"step 20: {lesson.working.trace['loss'].values[20]:.4f}" in loss
    assert "step 60" in loss.splitlines()[-1]


def test_the_way_to_an_answer_is_short() -> None:
    for question in QUESTIONS:
        solution = asked("learn", question, 0).solution
        assert 0 < len(text(solution).splitlines()) < 9


@pytest.mark.parametrize(
    ("case", "names"),
    [("agreement", {"looks", "even"}), ("coref", {"looks", "even"}), ("depth", {"coin", "even"}),
     ("repeat", {"loss"})],
)  # fmt: skip
def test_the_questions_behind_p_are_about_the_course_in_view(case: str, names: set[str]) -> None:
    asked_here = kept("learn", case=case).asking.questions
    assert set(asked_here) == names
    for name in names & {"looks", "even"}:
        found = asked_here[name](1)
        assert_fair(found)
        assert found.working.knobs["case"] == case
        assert found.working.trace.labels("keys")[-1] in shown(found)
