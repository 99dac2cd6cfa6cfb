"""Toy weights are the same everywhere and for ever; a text becomes tokens as it was typed."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from attn_study.attention import toy
from attn_study.attention.dice import hundredths, normals, stream
from attn_study.errors import UserError

if TYPE_CHECKING:
    from numpy.random import PCG64

CHICKEN = [-1.05, -0.69, 1.02, -1.59, -1.59, 1.59, -0.27, 1.35]
CAFE = [1.33, -0.54, -1.33, 0.58]
W_Q = [[-0.86, -0.13], [0.16, 0.64], [0.86, 0.66], [-0.12, 0.6]]
W_O_ROW = [0.6, 0.1, 0.11, -0.12]


def test_the_vector_of_a_word_is_this_one_for_ever() -> None:
    assert toy.vector("chicken", 8, 0).tolist() == CHICKEN


def test_projections_are_these_for_ever() -> None:
    projections = toy.projections(2, 4, 2, 2, seed=0)
    assert projections.w_q[0].tolist() == W_Q
    assert projections.w_o[0].tolist() == W_O_ROW


def test_another_process_with_another_hash_seed_makes_the_same_vector() -> None:
    code = "from attn_study.attention import toy; print(toy.vector('chicken', 8, 0).tolist())"
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert ran.stdout.strip() == str(CHICKEN)


def test_a_word_has_one_vector_wherever_it_stands() -> None:
    x = toy.vectors(["the", "cat", "saw", "the", "cat"], 6, seed=3)
    assert np.array_equal(x[0], x[3])
    assert np.array_equal(x[1], x[4])
    assert np.array_equal(x[1], toy.vectors(["cat"], 6, seed=3)[0])
    assert not np.array_equal(x[0], x[1])


@pytest.mark.parametrize(
    ("word", "seed", "d_model"), [("Chicken", 0, 8), ("chicken", 1, 8), ("chickens", 0, 8)]
)
def test_another_word_or_seed_has_another_vector(word: Any, seed: Any, d_model: Any) -> None:
    assert toy.vector(word, d_model, seed).tolist() != CHICKEN


def test_a_letter_coded_in_one_or_two_pieces_is_one_letter() -> None:
    for typed in ("caf\u00e9", "cafe\u0301"):
        assert toy.vector(typed, 4, 0).tolist() == CAFE


def test_text_that_no_encoding_knows_still_has_a_vector() -> None:
    assert toy.vector("\udc80", 4, 0).shape == (4,)


def test_the_numbers_have_two_decimals_and_a_variance_of_about_one() -> None:
    x = toy.vectors([f"word{n}" for n in range(400)], 32, seed=0)
    assert np.array_equal(x, np.round(x, 2))
    assert abs(x.mean()) < 0.03
    assert x.var() == pytest.approx(1, abs=0.03)


def test_what_projections_make_of_such_vectors_has_a_variance_of_about_one() -> None:
    projections = toy.projections(4, 32, 16, 16, seed=0)
    x = toy.vectors([f"word{n}" for n in range(200)], 32, seed=0)
    for matrices in (projections.w_q, projections.w_k, projections.w_v):
        assert (x @ matrices).var() == pytest.approx(1, abs=0.15)
    assert projections.w_o.var() == pytest.approx(1 / 64, rel=0.1)
    assert np.array_equal(projections.w_o, np.round(projections.w_o, 2))


@pytest.mark.parametrize(("d_in", "half"), [(1, 173), (4, 86), (512, 7), (40_000, 1)])
def test_hundredths_reach_both_ends_and_no_further(d_in: Any, half: Any) -> None:
    drawn = hundredths(stream("test", "ends", 0), (20_000,), d_in)
    assert (drawn.min(), drawn.max()) == (-half / 100, half / 100)


class Zeros:
    """A stream whose every raw output is 0, as any stream's may be."""

    def random_raw(self, shape: tuple[int, ...]) -> Any:
        return np.zeros(shape, dtype=np.uint64)


def test_a_normal_number_is_finite_even_when_the_raw_output_is_zero() -> None:
    assert normals(cast("PCG64", Zeros()), (2,)) == pytest.approx([(106 * np.log(2)) ** 0.5, 0])


def test_normals_are_standard_and_finite() -> None:
    drawn = normals(stream("test", "normals", 0), (3, 33_333))
    assert drawn.shape == (3, 33_333)
    assert abs(drawn.mean()) < 0.01
    assert drawn.var() == pytest.approx(1, abs=0.02)
    assert (drawn**4).mean() == pytest.approx(3, abs=0.15)


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_out_of_range_is_refused(seed: Any) -> None:
    with pytest.raises(UserError, match=f"the seed {seed} is out of range"):
        toy.vector("a", 4, seed)


def test_sizes_share_the_model_width_between_the_heads() -> None:
    assert toy.sizes(heads=2, d_model=8) == toy.Sizes(2, 8, 4, 4)
    assert toy.sizes(heads=2, d_model=8, d_v=3) == toy.Sizes(2, 8, 4, 3)
    assert toy.sizes(heads=3, d_model=10, d_k=2, d_v=5) == toy.Sizes(3, 10, 2, 5)


@pytest.mark.parametrize(
    ("sizes", "what", "hint"),
    [
        (
            {"heads": 3, "d_model": 10},
            "d_model=10 does not split into heads=3",
            "heads=1 or 2 or 5",
        ),
        ({"heads": 3, "d_model": 10}, "d_model=10 does not", "so would d_model=12"),
        ({"heads": 9, "d_model": 8, "d_k": 2}, "d_model=8 does not split into heads=9", "8 would"),
        ({"heads": 0}, "heads=0 is out of range", "from 1 to 64"),
        ({"heads": -1}, "heads=-1 is out of range", "from 1 to 64"),
        ({"heads": 999}, "heads=999 is out of range", "from 1 to 64"),
        ({"d_model": 0}, "d_model=0 is out of range", "from 1 to 512"),
        ({"d_model": 10**9}, "d_model=1000000000 is out of range", "from 1 to 512"),
        ({"d_k": 0}, "d_k=0 is out of range", "from 1 to 512"),
        ({"d_v": 513}, "d_v=513 is out of range", "from 1 to 512"),
        ({"heads": 64, "d_model": 64, "d_v": 32}, "heads=64 times d_v=32 is 2048", "d_v=16 would"),
    ],
)
def test_sizes_that_cannot_be_are_refused_with_a_valid_choice(
    sizes: Any, what: Any, hint: Any
) -> None:
    with pytest.raises(UserError) as caught:
        toy.sizes(**sizes)
    assert what in caught.value.what
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the cat saw the cat", "the|cat|saw|the|cat"),
        ("a a a", "a|a|a"),
        ("[CLS] the [MASK] <s> </s>", "[CLS]|the|[MASK]|<s>|</s>"),
        ("<s>hi</s><|end|>", "<s>|hi|</s>|<|end|>"),
        ("The cat's well-known, isn’t it?", "The|cat's|well-known|,|isn’t|it|?"),
        ("3.5 is 1,000... ok.", "3.5|is|1,000|.|.|.|ok|."),
        ("'x' -y a--b", "'|x|'|-|y|a|-|-|b"),
        ("d_k (a) a+b $5", "d_k|(|a|)|a|+|b|$|5"),
        ("a < b > c [x]", "a|<|b|>|c|[|x|]"),
        ("注意 力", "注意|力"),
        ("👩\u200d💻 🇳🇱 ❤\ufe0f", "👩\u200d💻|🇳🇱|❤\ufe0f"),
        ("caf\u00e9 cafe\u0301 दिल", "caf\u00e9|cafe\u0301|दिल"),
        ("a\tb\nc\x1bd\u3000e", "a|b|c|d|e"),
        ("a \u200b b", "a|b"),
        ("!\u0301", "!\u0301"),
        ("!\u200ba", "!\u200b|a"),
    ],
)
def test_a_text_splits_into_words_signs_and_special_tokens(text: Any, words: Any) -> None:
    assert "|".join(toy.tokens(text).words) == words


@pytest.mark.parametrize("text", ["", "   \n", "\u200b", "\x07"])
def test_a_text_without_words_is_refused(text: Any) -> None:
    with pytest.raises(UserError, match="the text has no words"):
        toy.tokens(text)


def test_a_long_text_is_cut_at_the_limit_and_says_so() -> None:
    long = toy.tokens("word " * 5000)
    assert len(long.words) == toy.LIMIT
    assert long.says == f"only the first {toy.LIMIT} of 5000 tokens are used"
    assert toy.tokens("word " * toy.LIMIT).says == ""
