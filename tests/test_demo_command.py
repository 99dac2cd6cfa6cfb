"""`attn-study demo`: words in, lines, files and JSON out; nothing a person types is a traceback."""

from __future__ import annotations

import io
import json
import math
import re
import shlex
import sys
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from attn_study.demos import LESSONS, load
from attn_study.demos.choosing import ask
from attn_study.demos.demo import Demo, Knob
from attn_study.demos.knobs import settle
from attn_study.demos.question import Graded, grade
from attn_study.errors import UserError
from attn_study.screen.asking import Prediction
from cli_helpers import Said, Shell
from lessons import ALL

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.demos.question import Asked

KNOBS = (
    Knob("text", "", "Words."),
    Knob("case", "", "A sentence.", choices=("one", "two")),
    Knob("d_k", None, "Width.", kind=int, least=1, most=64),
    Knob("temperature", 1.0, "Divides.", kind=float, least=0.01, most=100),
    Knob("shift", None, "Moves.", kind=float),
)
SMALL = Demo("small", KNOBS, lambda **_: None, lambda *_: (), {})  # type: ignore[arg-type]


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def demo(shell: Shell, words: str, **settings: Any) -> Said:
    return shell.attn("demo", *words.split(), **settings)


def shown(shell: Shell, words: str, **settings: Any) -> str:
    return shell.done("demo", *words.split(), **settings).out


def test_the_list_names_every_lesson_in_order(shell: Shell) -> None:
    lines = [line for line in shell.done("demo").lines if line.split()[0:1][0:1]]
    named = [line.split()[0] for line in lines if line.split()]
    assert named[: len(LESSONS)] == list(LESSONS)
    assert all(title in shell.done("demo").out for title in LESSONS.values())


def test_the_list_is_there_for_programs_too(shell: Shell) -> None:
    report = shell.done("demo", "--json").json
    assert report["schema"] == "attn-study/demo-list/1"
    assert [each["demo"] for each in report["demos"]] == list(LESSONS)


def test_listing_the_lessons_computes_nothing(shell: Shell) -> None:
    before = (
        "import sys\nfrom attn_study.cli.main import main\nimport atexit\n"
        "atexit.register(lambda: print('numpy' in sys.modules, file=sys.stderr))\n"
        "sys.argv[1:] = ['demo']\nmain()"
    )
    assert shell.process(before=before).err.splitlines()[-1] == "False"


@pytest.mark.parametrize("name", ALL)
def test_a_pipe_gets_the_lesson_without_its_keys(shell: Shell, name: str) -> None:
    lines = shell.done("demo", name).lines
    assert lines[0].split()[0] == name
    assert any(line.startswith(" notice") for line in lines)
    assert not any("q quit" in line for line in lines)
    assert "\x1b" not in "".join(lines)
    assert max(map(len, lines)) <= 80


def test_the_head_shows_the_worked_numbers(shell: Shell) -> None:
    said = shown(shell, "head")
    for part in ("0.0743     0.6200     0.3057", "sum 27.2891", "2·2 + 1·0 = 4", "0.4713"):
        assert part in said


@pytest.mark.parametrize(
    ("query", "asks"), [("1", "The"), ("3", "it"), ("chicken", "chicken"), ("it", "it")]
)
def test_a_query_is_chosen_by_number_or_token(shell: Shell, query: str, asks: str) -> None:
    assert f"“{asks}” asks" in shown(shell, f"head --query {query}")


def test_of_equal_tokens_the_last_is_meant(shell: Shell) -> None:
    text = ("demo", "head", "--text", "the cat saw the dog")
    assert shell.done(*text, "--query", "the").out == shell.done(*text, "--query", "4").out
    assert shell.done(*text, "--query", "the").out != shell.done(*text, "--query", "1").out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("heda", ["no demo is called 'heda'", "did you mean head?"]),
        ("head --query 0", ["no query '0'", "1 The, 2 chicken, 3 it"]),
        ("head --query 4", ["no query '4'"]),
        ("head --query -1", ["no query '-1'"]),
        ("head --query ²", ["no query '²'"]),
        ("head --query dog", ["no query 'dog'", "2 chicken"]),
        ("head --head 0", ["no head 0"]),
        ("head --head 9", ["no head 9", "there is one head"]),
        ("multihead --head 9", ["no head 9", "1 to 2"]),
        ("multihead --d-model 10 --heads 3", ["10", "3"]),
        ("head --heads 3", ["No such option"]),
        ("head --seed -1", ["seed cannot be '-1'"]),
        ("head --seed nan", ["seed cannot be 'nan'", "a whole number"]),
        ("head --seed 1.5", ["seed cannot be '1.5'"]),
        (f"head --seed 1{'0' * 400}", ["seed cannot be '1000"]),
        (f"head --seed 1{'0' * 5000}", ["seed cannot be '1000"]),
        (f"stack --layers 1{'0' * 400}", ["layers cannot be '1000"]),
        ("head --d-k 0", ["d_k"]),
        ("head --d-k 99999", ["99999"]),
        ("head --case nobody", ["case cannot be 'nobody'", "one of creature"]),
        ("head --text= ", ["text cannot be ''"]),
        ("head --queries diagonal", ["queries cannot be 'diagonal'", "rows or columns"]),
        ("head --mistake no-maks", ["no mistake 'no-maks'", "did you mean no-mask"]),
        ("stack --mistake", ["demo stack makes no mistakes", "these do: simplified, qkv, "]),
        ("learn --mistake no-mask", ["demo learn makes no mistakes", "multihead, cross, context"]),
        ("params --mistake=no-mask --json", ["demo params makes no mistakes"]),
        ("head --step --mistake no-mask", ["--step does not go with --mistake"]),
        ("head --question wieght", ["no question 'wieght'", "did you mean weight"]),
        ("head --predict --seed -1", ["seed cannot be '-1'"]),
        ("head --predict --seed x", ["seed cannot be 'x'"]),
        ("head --predict --json", ["--json does not go with --predict"]),
        ("head --predict --step", ["--step does not go with --predict"]),
        ("head --predict --d-k 2", ["--d-k does not go with --predict"]),
        ("head -o head.png", ["head.png", ".svg, .json, .txt"]),
        ("head -o head", ["no suffix", ".svg, .json, .txt"]),
        ("head -o head.txt/in.txt --case nobody", ["case cannot be"]),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(shell: Shell, words: str, says: list[str]) -> None:
    said = demo(shell, words)
    assert said.code == 2
    assert all(part in said.err for part in says), said.err
    assert "Traceback" not in said.err
    assert not said.out


@pytest.mark.parametrize(
    "words",
    [
        ["head", "--text", "word " * 5_000],
        ["head", "--text", "注意 👩‍💻 é \u202ea\x1b[31mb"],
        ["head", "--text", "[CLS] the [MASK] <s> </s>"],
        ["head", "--text", "a a a", "--d-k", "512", "--seed", "9"],
        ["head", "--seed", str(2**62)],
    ],
)
def test_odd_texts_and_sizes_are_shown_harmless_and_without_warnings(
    shell: Shell, words: list[str]
) -> None:
    for how in ([], ["--step"], ["--json"]):
        said = shell.attn("demo", *words, *how)  # a warning is an error in these tests
        assert (said.code, said.notices) == (0, [])
        assert "\x1b" not in said.out
        assert "\u202e" not in said.out or how == ["--json"]


def test_the_fullest_text_is_cut_and_says_so(shell: Shell) -> None:
    said = shell.done("demo", "head", "--text", "word " * 5_000).out
    assert "of 5000 tokens" in said
    assert re.search(r"tokens \d+–32 of 32", said)


@pytest.mark.parametrize("name", ALL)
def test_json_is_strict_and_has_every_step(shell: Shell, name: str) -> None:
    report = shell.done("demo", name, "--json").json
    assert report["schema"] == "attn-study/demo/1"
    assert list(report) == ["schema", "demo", "weights", "knobs", "notice", "steps"]
    assert report["demo"] == name
    for step in report["steps"]:
        assert list(step) == ["name", "axes", "shape", "labels", "says", "values"]
        assert sizes(step["values"]) == step["shape"]


def sizes(values: Any) -> list[int]:
    """The shape of nested lists."""
    return [len(values), *sizes(values[0])] if isinstance(values, list) and values else []


def test_json_is_exact_and_has_null_where_nobody_may_look(shell: Shell) -> None:
    steps = {step["name"]: step for step in shell.done("demo", "head", "--json").json["steps"]}
    assert steps["masked_scores"]["values"][0][0][1:] == [None, None]
    assert steps["weights"]["labels"]["queries"] == ["The", "chicken", "it"]
    assert steps["exp"]["values"][0][2][1] == math.exp(4 / math.sqrt(2))


def test_json_of_a_mistake_says_which(shell: Shell) -> None:
    report = shell.done("demo", "head", "--mistake", "no-mask", "--json").json
    assert report["mistake"] == "no-mask"
    weights = next(step for step in report["steps"] if step["name"] == "weights")
    assert weights["values"][0][1][2] == pytest.approx(0.1043, abs=1e-4)


def test_the_suffix_decides_what_is_written(shell: Shell) -> None:
    for suffix in ("txt", "svg", "json"):
        said = shell.done("demo", "head", "-o", f"out/head.{suffix}")
        assert (said.out, said.notices) == ("", [f"wrote out/head.{suffix}".replace("/", SEP)])
    lines = (shell.folder / "out/head.txt").read_text(encoding="utf-8")
    assert lines == shown(shell, "head")
    kept = json.loads((shell.folder / "out/head.json").read_text(encoding="utf-8"))
    assert kept == shell.done("demo", "head", "--json").json
    picture = (shell.folder / "out/head.svg").read_text(encoding="utf-8")
    assert "chicken" in "".join(ET.fromstring(picture).itertext())
    assert not re.search(r"https?://(?!www\.w3\.org)", picture)


SEP = "\\" if sys.platform == "win32" else "/"


def test_a_file_that_cannot_be_written_is_named(shell: Shell) -> None:
    shell.file("taken", "a file, not a folder")
    said = demo(shell, "head -o taken/head.txt")
    assert said.code == 2
    assert "taken" in said.err


@pytest.mark.parametrize("name", ALL)
def test_step_by_step_every_stage_stands_under_the_other(shell: Shell, name: str) -> None:
    said = shell.done("demo", name, "--step").out
    stages = re.findall(r"^ (\d+) of (\d+)   (\w+) \[", said, re.MULTILINE)
    assert [int(at) for at, _, _ in stages] == list(range(1, len(stages) + 1))
    assert {int(of) for _, of, _ in stages} == {len(stages)}


def test_stages_have_their_formula_in_numbers(shell: Shell) -> None:
    said = shown(shell, "head --step")
    for formula in (
        "score = q · k = 2·2 + 1·0 = 4",
        "scaled = 4 ÷ √2 = 2.8284",
        "exp(2.8284) = 16.9188",
        "weight = 16.9188 ÷ 27.2891 = 0.6200",
        "0.6200 · (3, 3) = (1.8600, 1.8600)",
    ):
        assert formula in said


def test_columns_that_ask_turn_every_pattern(shell: Shell) -> None:
    rows, columns = (shown(shell, f"head --step --queries {how}") for how in ("rows", "columns"))
    assert "asks ↓" in rows
    assert "asks →" not in rows
    assert "asks →" in columns
    assert "asks ↓" not in columns
    assert "each column sums to 1" in columns


def test_a_mistake_is_shown_beside_the_right_way(shell: Shell) -> None:
    said = shown(shell, "head --mistake no-mask --query chicken")
    for part in ("without the mask", "masked_scores", "0.9717", "0.8703", "✓ right", "✗ wrong"):
        assert part in said


def test_without_a_query_the_mistake_is_shown_where_it_shows(shell: Shell) -> None:
    assert "“The” asks" in shown(shell, "head --mistake no-mask")
    assert "the same in both" in shown(shell, "head --mistake no-mask --query it")


@pytest.mark.parametrize("words", ["head --mistake", "head --mistake --plain"])
def test_a_bare_mistake_lists_them_all(shell: Shell, words: str) -> None:
    said = shown(shell, words)
    assert [line.split()[0] for line in said.splitlines() if line[1] != " "] == list(
        load("head").mistakes
    )
    assert "without the mask: a later token was still in" in said


@pytest.mark.parametrize("name", ALL)
def test_help_shows_examples_first_and_every_knob_on_one_screen(shell: Shell, name: str) -> None:
    lines = shell.done("demo", name, "--help").lines
    assert lines[0].startswith(f"attn-study demo {name}")
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    for knob in load(name).knobs:
        assert any(f"--{knob.name.replace('_', '-')} " in line for line in lines)


@pytest.mark.parametrize("name", ALL)
def test_every_example_of_a_lesson_works(shell: Shell, name: str) -> None:
    for example in load(name).examples:
        words = shlex.split(example)
        assert words[:3] == ["attn-study", "demo", name]
        said = shell.attn(*words[1:], given="1\n1\n")
        assert (said.code, said.notices) == (0, [line for line in said.notices if "wrote" in line])


@pytest.mark.parametrize("name", ALL)
def test_no_knob_is_called_like_a_common_option(name: str) -> None:
    common = {"query", "head", "queries", "step", "predict", "question", "mistake", "output"}
    assert not common & {knob.name for knob in load(name).knobs}


def test_a_narrow_pipe_is_as_wide_as_it_says(shell: Shell) -> None:
    lines = shell.done("demo", "head", COLUMNS="30").lines
    assert max(map(len, lines)) <= 30
    assert any("0.6200" in line for line in lines)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_an_output_of_few_characters_gets_what_it_has(shell: Shell, encoding: str) -> None:
    for how in ([], ["--json"], ["--step"]):
        said = shell.process("demo", "head", *how, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        assert said.code == 0, said.err
        assert "0.6" in said.out


def test_ascii_can_be_asked_for(shell: Shell) -> None:
    shell.done("config", "math", "ascii")
    for how in ("", "--step", "--mistake no-mask"):
        assert shown(shell, f"head {how}").isascii()
    shell.done("demo", "head", "-o", "head.txt")
    assert (shell.folder / "head.txt").read_text(encoding="utf-8").isascii()


def test_demos_make_no_home(shell: Shell) -> None:
    assert "0.6200" in shown(shell, "head")
    assert not shell.home.exists()


# Predict, then compute.


@cache
def asked(name: str, seed: int) -> Asked:
    """The question of a lesson that this seed chooses."""
    return ask(load(name), seed)


@pytest.mark.parametrize("name", ALL)
def test_every_question_knows_its_answers_and_its_mistakes(name: str) -> None:
    for seed in range(len(load(name).questions)):
        question = asked(name, seed)
        assert grade(question, str(question.answer)) == Graded(True, "")
        for mistake, value in question.wrong.items():
            assert grade(question, str(value)) == Graded(False, mistake), question.prompt


@pytest.mark.parametrize("name", ALL)
def test_a_question_is_asked_and_its_working_shown(shell: Shell, name: str) -> None:
    right = asked(name, 0).answer
    said = shell.done("demo", name, "--predict", "--seed", "0", given=f"{right}\n")
    assert said.lines[0].endswith("seed 0")
    assert " ✓ right" in said.out, said.out
    assert "All of it:" in said.out
    assert max(map(len, said.lines)) <= 80


def test_a_wrong_weight_shows_where_it_went_wrong(shell: Shell) -> None:
    wrong = asked("head", 0).wrong["no-scale"]
    said = shown(shell, "head --predict --seed 0", given=f"{wrong}\n")
    assert "without dividing the scores" in said
    assert "Here it went wrong:\n scaled_scores" in said


def test_an_answer_that_cannot_be_read_is_asked_for_once_more(shell: Shell) -> None:
    right = asked("head", 0).answer
    said = shown(shell, "head --predict --seed 0", given=f"about a half\n{right}\n")
    assert "cannot be read" in said
    assert " ✓ right" in said
    said = shown(shell, "head --predict --seed 0", given="about\nnot much\n0.5\n")
    assert said.count("cannot be read") == 1
    assert "not much is no answer that can be read" in said
    assert "right: " in said


@pytest.mark.parametrize("given", ["", "what?\n"])
def test_the_end_of_the_input_ends_the_question(shell: Shell, given: str) -> None:
    said = demo(shell, "head --predict --seed 0", given=given)
    assert said.code == 0
    assert "right: " not in said.out


def test_a_question_without_a_step_of_its_own_is_answered_all_the_same() -> None:
    head = load("head")
    stepless = replace(asked("head", 0), step="nowhere", wrong={}, solution=())
    bare = replace(head, questions={"bare": lambda _seed: stepless})
    told: list[str] = []
    Prediction(bare, 0).line_by_line(
        io.StringIO("0.5\n"), lambda lines: told.extend(line.plain for line in lines), 80
    )
    assert " All of it:" in told
    assert " The way to the answer:" not in told


def test_a_question_can_be_chosen_by_name(shell: Shell) -> None:
    by_name = shown(shell, "head --question output --seed 4")
    assert "What is" in by_name
    assert by_name == shown(shell, "head --predict --question output --seed 4")


def test_the_seed_is_told_so_that_it_can_be_shared(shell: Shell) -> None:
    said = shown(shell, "head --predict")
    seed = re.search(r"seed (\d+)", said)
    assert seed
    assert shown(shell, f"head --predict --seed {seed[1]}") == said
    assert "seed 8" in shown(shell, "head --predict --seed 8")


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, {}),
        ({"d_k": "64"}, {"d_k": 64}),
        ({"shift": "-1e3"}, {"shift": -1000.0}),
        ({"d_k": 64, "temperature": "0.25"}, {"d_k": 64, "temperature": 0.25}),
        ({"text": "a b", "case": "two", "d_k": None}, {"text": "a b", "case": "two"}),
    ],
)
def test_knobs_are_read_as_what_they_are(given: dict[str, Any], found: dict[str, Any]) -> None:
    unset = {"text": "", "case": "", "d_k": None, "temperature": 1.0, "shift": None}
    assert settle(SMALL, given) == unset | found


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"dk": 1}, ["no knob 'dk'", "d_k"]),
        ({"d_k": 0}, ["d_k cannot be '0'", "from 1 to 64"]),
        ({"d_k": "65"}, ["d_k cannot be '65'", "from 1 to 64"]),
        ({"d_k": 2.5}, ["d_k cannot be '2.5'", "a whole number from 1 to 64"]),
        ({"d_k": "9" * 5000}, ["d_k cannot be"]),
        ({"temperature": "nan"}, ["temperature cannot be 'nan'", "from 0.01 to 100"]),
        ({"temperature": math.inf}, ["temperature cannot be 'inf'"]),
        ({"temperature": "hot"}, ["temperature cannot be 'hot'", "a number"]),
        ({"shift": "nan"}, ["shift cannot be 'nan'"]),
        ({"shift": "1e999"}, ["shift cannot be '1e999'"]),
        ({"case": "three"}, ["case cannot be 'three'", "one of one, two"]),
        ({"text": "  "}, ["text cannot be"]),
    ],
)
def test_knobs_that_cannot_be_say_what_can(given: dict[str, Any], says: list[str]) -> None:
    with pytest.raises(UserError) as refused:
        settle(SMALL, given)
    assert all(part in str(refused.value) for part in says)
    assert len(str(refused.value)) < 200
