"""The second built-in deck says every fact of its notes, and its quiz is fair and right."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from attn_study.attention.counts import GPT_3, GPT_3_NOMINAL, Architecture
from attn_study.attention.examples import HEAD_1, TWO_HEADS, X, Y
from attn_study.attention.heads import attend, causal_mask, simplified
from attn_study.attention.mistakes import MISTAKES
from attn_study.cli.decks.lessons import lesson_complaints
from attn_study.computed import judge, work_out
from attn_study.deck.card import Card, Deck
from attn_study.deck.holes import Hole, parts
from attn_study.deck.kinds import NAMES, kind
from attn_study.deck.library import decks_dir, files
from attn_study.deck.reader import Reading, read
from attn_study.deck.shelf import complaints
from attn_study.demos import load
from attn_study.demos.lesson import Lesson
from attn_study.demos.question import grade
from attn_study.render.face import answer, question
from learner import face_of
from misconceptions import MISCONCEPTIONS

if TYPE_CHECKING:
    from attn_study.sitting import Face

FOLDER = Path(__file__).parents[1] / "decks"
DECK, FIRST = FOLDER / "attention-video.yaml", FOLDER / "attention.yaml"

SECTIONS = [
    "Understanding Attention",
    "Cross-Attention",
    "Self-Attention",
    "Multi-Headed Attention",
    "Value Maps",
    "Transformer Architecture",
    "Training Transformers",
    "Quiz",
]

# A fact of the notes: the notes of the deck that ask it, and words in which they say it.
FACTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "the goal is the next word, from context": (("goal",), ("next word", "context", "do it well")),
    "tokens are words or parts of words": (("cutting",), ("tokens", "words or parts of words")),
    "a token has a high-dimensional vector of its meaning": (
        ("per-token",),
        ("great many numbers", "stands for what the token means"),
    ),
    "embeddings are adjusted to a meaning richer than the word": (
        ("start-and-end",),
        ("by itself", "adjusted and enriched", "context"),
    ),
    "attention finds connections of meaning and updates": (
        ("what-attention-does",),
        ("connected in meaning", "updates their embeddings"),
    ),
    "mole means different things, decoded by attention": (
        ("mole",),
        ("two meanings", "Attention decodes"),
    ),
    "tower is refined by Eiffel and miniature before it": (
        ("tower",),
        ("“Eiffel” stands before", "“miniature” comes before", "towards small"),
    ),
    "the attention block": (("attention-block",), ("crucial", "in its context", "vector for each")),
    "the final vector predicts the next word": (
        ("from-which-vector", "quiz-next-word"),
        ("last one of the sequence", "next word"),
    ),
    "a single head: adjectives modify nouns": (
        ("adjectives",),
        ("single head", "adjectives modify nouns", "simplified example"),
    ),
    "a query is a question about relations of words": (
        ("query-question",),
        ("query vector", "any adjectives before me"),
    ),
    "three matrices are tunable": (
        ("numbers-inside",),
        ("query, key and value matrices", "tunable parameters"),
    ),
    "the matrices make the attention pattern": (
        ("pattern-from-which",),
        ("query and the key matrix make the pattern", "calculate the attention pattern"),
    ),
    "the key answers queries": (("role-of-a-key",), ("query is a question", "possible answer")),
    "the key matrix maps to a smaller space": (
        ("key-space",),
        ("key matrix", "much smaller", "that of the queries"),
    ),
    "dot products measure alignment": (
        ("large-dot-product",),
        ("dot product", "align", "key and a query"),
    ),
    "the pattern is a grid of relevance": (("term-weights",), ("grid of numbers", "relevant")),
    "softmax normalizes to probabilities": (
        ("what-softmax-makes", "quiz-sums"),
        ("softmax", "sum to 1", "like probabilities"),
    ),
    "masking keeps later from earlier, in training, one way": (
        ("masking", "quiz-why-mask"),
        ("later words from influencing earlier", "In training", "one way only"),
    ),
    "the value matrix gives the information, weighed by scores": (
        ("handed-over",),
        ("value matrix", "which is the information", "weight decides how much"),
    ),
    "a value vector is a change": (
        ("what-a-value-is",),
        ("a change: what to add to the embedding", "relevant"),
    ),
    "the weighted sum of values updates the embedding": (
        ("from-weights-to-update", "size-of-an-effect"),
        ("multiplied by its weight", "all are added up", "added to the embedding"),
    ),
    "several heads run in parallel and do better": (
        ("several-heads",),
        ("several heads", "in parallel", "better performance"),
    ),
    "parameters are shared, rightly understood": (
        ("sharing", "sharing-counted", "quiz-sharing"),
        ("all positions", "does not grow", "Heads do not share", "query, key and value"),
    ),
    "value-down and value-up save parameters and map rightly": (
        ("instead-of-a-square",),
        ("value-down and value-up", "far fewer parameters", "change of an embedding"),
    ),
    "the value map is of low rank, for efficiency": (
        ("low-rank", "quiz-rank"),
        ("low-rank", "efficiency"),
    ),
    "self-attention is within one sequence": (
        ("attention-kind-a",),
        ("Self-attention", "one sequence"),
    ),
    "cross-attention is between two, as in translation": (
        ("attention-kind-b",),
        ("two different sequences", "translation"),
    ),
    "cross-attention joins two kinds of data, or languages": (
        ("cross-data",),
        ("two different kinds of data", "Two languages"),
    ),
    "queries from one source, keys and values from the other": (
        ("cross-sources", "cross-values", "who-is-where", "quiz-who-asks"),
        ("asks: queries", "answers: keys and values", "different datasets"),
    ),
    "self-attention relates the words of a sentence": (
        ("sentence-to-itself",),
        ("sentence", "own words relate"),
    ),
    "keys and queries of self-attention have one source": (
        ("self-sources",),
        ("keys and queries", "the same sequence", "the same dataset"),
    ),
    "the matrices are learned in training": (
        ("getting-the-matrices",),
        ("query, key and value matrices", "learned in training"),
    ),
    "many heads learn many relations": (
        ("one-block-for-all",),
        ("learn", "kind of relationship of its own"),
    ),
    "each head has its own three matrices": (
        ("common-and-own",),
        ("For itself: its query, key and value matrices",),
    ),
    "GPT-3 has 96 heads a block": (("gpt-3-heads",), ("each block of GPT-3", "96")),
    "values live in a smaller space": (
        ("home-of-the-values",),
        ("smaller than that of the embeddings", "project value vectors into a smaller space"),
    ),
    "a value map is value-down and value-up": (("two-steps",), ("value-down", "value-up")),
    "value-ups are joined in one output matrix": (
        ("missing-value-ups", "rows-of-a-head", "quiz-output-matrix"),
        ("Joined in one matrix", "output matrix of the whole multi-headed block"),
    ),
    "layers of multi-headed attention and MLPs": (
        ("layers",),
        ("multi-headed attention", "multi-layer perceptron (MLP)", "many layers"),
    ),
    "each layer refines": (("the-next-layer",), ("Each layer refines", "understood together")),
    "deeper networks catch complex relations": (
        ("deeper",),
        ("deep network", "More complex relationships"),
    ),
    "attention is parallel, so it trains on large data": (
        ("suited-to-training", "what-follows"),
        ("computed in parallel", "large amounts of data", "trained at large scale"),
    ),
    "scale drives accuracy and generalization": (
        ("scale", "what-follows"),
        ("large scale", "Accuracy", "Generalization", "does much for its accuracy"),
    ),
}

SHORTHAND = {  # what is said in short, and the card that says how it is meant
    "pattern-from-which": "calculate the attention pattern",
    "sharing": "especially with multiple heads",
    "cross-sources": "come from different datasets",
    "self-sources": "the same dataset",
    "home-of-the-values": "project value vectors into a smaller space",
}

# A misconception: the quiz card whose wrong answer it is, and that answer.
BELIEVED = {
    "M1": ("quiz-cell", "row 3, column 2"),
    "M2": ("quiz-sums", "each column"),
    "M3": ("quiz-late-mask", "It is right all the same"),
    "M4": ("quiz-why-mask", "There is none; only the last word is guessed"),
    "M5": ("quiz-forgotten-mask", "row 3 alone"),
    "M6": ("quiz-scaling", "0.9717"),
    "M7": ("quiz-summed", "the embeddings"),
    "M8": ("quiz-other-way", "4 again, by symmetry"),
    "M9": ("quiz-zero-value", "The weight stays, and so does its effect"),
    "M10": ("quiz-goes-on", "(2.3143, 1.7856, −0.5287, 2.8429)"),
    "M11": ("quiz-more-heads", "8,388,608"),
    "M12": ("quiz-joined-heads", "2.5871, their mean"),
    "M13": ("quiz-output-matrix", "a step that only sets the heads side by side"),
    "M14": ("quiz-rank", "12,288"),
    "M15": ("quiz-who-asks", "3 × 2"),
    "M16": ("quiz-takes-from", "from “chicken” only"),
    "M17": ("quiz-zero-score", "0 and 0"),
    "M18": ("quiz-order", "It differs, since the subject does"),
    "M19": ("quiz-same-output", "It cannot; the pattern settles the output"),
    "M20": ("quiz-next-word", "the mean of all three vectors"),
    "M21": ("quiz-shape", "128 × 12,288"),
}


@pytest.fixture(scope="module")
def reading() -> Reading:
    return read(DECK)


def deck_of(path: Path) -> Deck:
    found = read(path).deck
    assert found is not None
    return found


THE_DECK = deck_of(DECK)
NOTES = {note.id.partition("/")[2]: note for note in THE_DECK.notes}
QUIZ = {name: note for name, note in NOTES.items() if note.section == "Quiz"}
COMPUTED = {name: note for name, note in NOTES.items() if note.question}


def said(note: Card) -> str:
    """All that a note says, its holes filled, with one space between words."""
    told = "".join(
        part.text if isinstance(part, Hole) else part for part in parts(note.cloze or "")
    )
    options = [f"{option.text}\n{option.why}" for option in note.options]
    return " ".join(
        "\n".join((note.front, told, note.answer, note.back, note.note, *options)).split()
    )


def plain(text: str) -> str:
    """Letters and digits alone, so that fronts that only look different are the same."""
    return re.sub(r"[\W_]+", " ", text).casefold().strip()


def test_the_reader_has_nothing_to_say_about_the_deck(reading: Reading) -> None:
    assert [str(complaint) for complaint in reading.complaints] == []
    both = [(file, read(file.path)) for file in files(Path("no-decks-here"), [], decks_dir())]
    assert {file.path.name for file, _ in both} >= {DECK.name, FIRST.name}
    assert [str(complaint) for complaint in complaints(both)] == []


def test_the_source_is_named_without_an_address() -> None:
    assert "3Blue1Brown" in THE_DECK.source
    assert "attention" in THE_DECK.source
    assert not re.search(r"https?:|www\.|\.com|\.org", DECK.read_text(encoding="utf-8"))


def test_the_sections_are_those_of_the_notes_in_their_order_and_then_a_quiz() -> None:
    sections = [card.section for card in THE_DECK.cards]
    assert list(dict.fromkeys(sections)) == SECTIONS
    assert sections == sorted(sections, key=SECTIONS.index)
    assert all(sections.count(section) >= 4 for section in SECTIONS)


def test_there_are_enough_cards_of_every_kind() -> None:
    assert len(THE_DECK.cards) >= 60
    assert len(QUIZ) >= 20
    assert {note.kind for note in NOTES.values()} == set(NAMES)
    assert {note.kind for note in QUIZ.values()} == {"choice"}


def test_progress_hangs_on_written_ids_and_every_note_has_a_label() -> None:
    assert [name for name, note in NOTES.items() if not note.written_id or not note.tags] == []


def test_every_fact_of_the_notes_is_on_its_cards() -> None:
    for fact, (names, words) in FACTS.items():
        told = " ".join(said(NOTES[name]) for name in names).casefold()
        assert [word for word in words if word.casefold() not in told] == [], fact


@pytest.mark.parametrize("name", SHORTHAND)
def test_where_a_shorthand_says_less_than_the_truth_the_card_says_what_is_meant(name: str) -> None:
    note = NOTES[name]
    told = " ".join((f"{note.note} {note.back}" if note.cloze else note.note).split())
    short, meant = "It is often said, for short, ", "What is meant is "
    assert told.index(short) < told.index(SHORTHAND[name]) < told.index(meant)


def test_no_card_speaks_of_a_text_that_its_reader_may_not_have() -> None:
    elsewhere = re.compile(r"\b(?:notes?|video|decks?)\b")
    assert [name for name, note in NOTES.items() if elsewhere.search(said(note))] == []


def test_no_id_above_a_question_says_anything_of_its_answer() -> None:
    """Only of what the question itself says: the header shows the id of a card."""
    for card in THE_DECK.cards:
        asked, told = plain(card.front).split(), plain(f"{card.answer or card.back}").split()
        shown = plain(card.name.partition(":")[0].removeprefix("quiz-")).split()
        telling = [word for word in shown if len(word) > 3 and word in told and word not in asked]
        assert telling == [], card.name


def test_only_the_first_note_can_be_learned_before_any_other() -> None:
    assert [name for name, note in NOTES.items() if not note.after] == ["goal"]


def test_a_note_builds_on_notes_that_stand_before_it_and_on_cards_of_the_first_deck() -> None:
    order = list(NOTES)
    there = {card.id for card in deck_of(FIRST).cards}
    for name, note in NOTES.items():
        for need in note.after:
            deck, _, other = need.partition("/")
            if deck == "attention-video":
                assert order.index(other) < order.index(name)
            else:
                assert need in there


def test_nothing_is_asked_in_the_words_of_the_first_deck() -> None:
    first = {plain(card.front) for card in deck_of(FIRST).cards}
    assert len({plain(card.front) for card in THE_DECK.cards}) == len(THE_DECK.cards)
    assert [card.id for card in THE_DECK.cards if plain(card.front) in first] == []


def test_no_number_is_drawn_by_a_question_of_the_first_deck() -> None:
    first = {card.question for card in deck_of(FIRST).cards if card.question}
    ours = [note.question for note in COMPUTED.values()]
    assert len(ours) == len(set(ours))
    assert not first & set(ours)


# What the cards open and ask


def test_every_demo_and_knob_is_accepted() -> None:
    assert [str(complaint) for complaint in lesson_complaints(THE_DECK)] == []
    for note in NOTES.values():
        if note.demo:
            Lesson.of(load(note.demo), dict(note.knobs))


def test_nearly_every_card_opens_a_demo_or_is_worked_out() -> None:
    without = [name for name, note in NOTES.items() if not (note.demo or note.question)]
    assert without == ["scale", "what-follows"]


@pytest.mark.parametrize("name", COMPUTED)
def test_a_question_exists_and_its_numbers_change(name: str) -> None:
    asked = [work_out(COMPUTED[name].question, number).asked for number in range(12)]
    assert len({str((one.prompt, one.given)) for one in asked}) > 1
    assert all(grade(one, str(one.answer)).right for one in asked)


@pytest.mark.parametrize("between", ["–", "-", " to ", " - "])
def test_a_range_of_rows_is_typed_with_any_dash_or_in_words(between: str) -> None:
    asked = work_out(COMPUTED["rows-of-a-head"].question, 3).asked
    first, last = str(asked.answer).split("–")
    assert grade(asked, f"{first}{between}{last}").right
    assert not grade(asked, f"{first}{between}{int(last) + 1}").right


def test_a_word_to_be_typed_is_not_asked_for_like_a_choice() -> None:
    assert work_out(COMPUTED["what-comes-next"].question, 0).asked.prompt.startswith("Type ")


@pytest.mark.parametrize(
    ("name", "given", "right"),
    [
        ("mask-how", "-inf", True),
        ("mask-how", "-∞", True),
        ("mask-how", "−∞", True),
        ("mask-how", "-infinity", True),
        ("mask-how", "minus infinity", True),
        ("mask-how", r"-\infty", True),
        ("mask-how", "∞", False),
        ("mask-how", "0", False),
        ("cross-values", "keys", True),
        ("cross-values", "The keys", True),
        ("cross-values", "queries", False),
        ("size-of-the-pattern", "25", True),
        ("size-of-the-pattern", "5 x 5", True),
        ("size-of-the-pattern", "15", False),
        ("gpt-3-heads", "96", True),
        ("gpt-3-heads", "12", False),
        ("times-fewer", "48", True),
        ("times-fewer", "96", False),
        ("attention-share", "33", True),
        ("attention-share", "33 %", True),
        ("attention-share", "33.1", True),
        ("attention-share", "33,1", True),
        ("attention-share", "33.1 %", True),
        ("attention-share", "33.1%", True),
        ("attention-share", "34", True),
        ("attention-share", "34%", True),
        ("attention-share", "37", False),
        ("attention-share", "37 %", False),
        ("attention-share", "a third", True),
        ("attention-share", "1/3", True),
        ("attention-share", "66", False),
    ],
)
def test_a_short_answer_is_typed_in_any_sensible_notation(
    name: str, given: str, right: bool
) -> None:
    assert kind(NOTES[name].kind).check(NOTES[name], given).right is right


# The quiz


@pytest.mark.parametrize("misconception", MISCONCEPTIONS)
def test_every_misconception_is_a_wrong_answer_of_the_quiz(misconception: str) -> None:
    name, option = BELIEVED[misconception]
    note = QUIZ[name]
    assert note.answer != option
    assert [one.text for one in note.options].count(option) == 1


@pytest.mark.parametrize("name", QUIZ)
def test_a_quiz_card_has_four_answers_and_says_why_each_wrong_one_is_wrong(name: str) -> None:
    note = QUIZ[name]
    assert len(note.options) == 4
    whys = [option.why for option in note.options if option.text != note.answer]
    assert all(len(why) > 25 and why.rstrip().endswith(".") for why in whys)
    assert len(set(whys)) == 3
    assert [option.why for option in note.options if option.text == note.answer] == [""]
    assert note.back.rstrip().endswith(".")


def test_length_does_not_give_the_right_answer_away() -> None:
    ranks = []
    for note in QUIZ.values():
        lengths = sorted(len(option.text) for option in note.options)
        right = len(note.answer)
        ranks.append((right == lengths[-1], right == lengths[0], lengths[0] == lengths[-1]))
    longest = sum(top and not equal for top, _, equal in ranks)
    shortest = sum(low and not equal for _, low, equal in ranks)
    assert longest <= len(ranks) / 3
    assert shortest <= len(ranks) / 2


def test_the_place_of_the_right_answer_in_the_file_varies() -> None:
    places = [[option.text for option in note.options].index(note.answer) for note in QUIZ.values()]
    assert all(places.count(place) >= 2 for place in range(4))
    assert max(places.count(place) for place in range(4)) <= len(places) / 2


# What the cards count and compute


def shown(number: float) -> str:
    """A number as the deck writes it: four decimals, and a real minus."""
    return f"{number:.4f}".replace("-", "−")


def worked() -> dict[str, set[str]]:
    """For each card, every number of four decimals and every large count that it may state."""
    mask = causal_mask(3)
    right = attend(X, None, HEAD_1, mask=mask)
    heads = attend(X, None, TWO_HEADS, mask=mask)
    weights = right["weights"].values[0]

    def chicken(mistake: str) -> str:
        method = MISTAKES[mistake].method
        found = attend(X, None, HEAD_1, mask=mask, method=method)
        return shown(found["weights"].values[0, 1, 1])

    keys = weights[2] @ right["key"].values[0]
    vectors = [X[2], right["output"].values[2], right["residual"].values[2]]
    mean = (vectors[0] + vectors[1]) / 2
    by_head = [
        float(heads["head_output"].values[head, 2] @ TWO_HEADS.w_o.reshape(2, 2, 4)[head, :, 0])
        for head in (0, 1)
    ]
    many = Architecture(512, 8, 1, 64, 64)
    return {
        "quiz-sums": {shown(total) for total in weights.sum(axis=0)},
        "quiz-late-mask": {chicken("mask-zero-after"), shown(weights[1, 1])},
        "quiz-scaling": {
            shown(weights[1, 1]),
            chicken("no-scale"),
            chicken("scale-d-k"),
            chicken("no-mask"),
            shown(5 / np.sqrt(2)),
        },
        "quiz-summed": {shown(number) for number in (*keys, *right["head_output"].values[0, 2])},
        "quiz-goes-on": {shown(number) for vector in (*vectors[1:], mean) for number in vector},
        "quiz-joined-heads": {
            shown(number)
            for number in (*by_head, sum(by_head), sum(by_head) / 2, by_head[1] - by_head[0])
        },
        "quiz-takes-from": {shown(weight) for weight in weights[2]},
        "quiz-more-heads": {
            f"{count:,}"
            for count in (
                many.attention_layer,
                many.attention_layer * 8,
                many.head,
                3 * many.query_layer,
                many.value_layer,
            )
        },
        "quiz-rank": {f"{GPT_3.d_model:,}", f"{GPT_3.d_model**2:,}"},
        "quiz-shape": {f"{GPT_3.d_model:,}"},
        "key-space": {f"{GPT_3.d_model:,}"},
        "times-fewer": {
            f"{GPT_3.d_model:,}",
            f"{GPT_3.d_model**2:,}",
            f"{2 * GPT_3.value:,}",
        },
        "attention-share": {f"{GPT_3.attention:,}"},
        "sharing": {f"{GPT_3.positions:,}"},
    }


NUMBER = re.compile(r"−?\d+\.\d{4}|\d{1,3}(?:,\d{3})+")


def test_every_number_of_four_decimals_and_every_large_count_is_computed() -> None:
    stated = {name: set(NUMBER.findall(said(note))) for name, note in NOTES.items()}
    assert {name: numbers for name, numbers in stated.items() if numbers} == worked()


def test_the_small_numbers_of_the_quiz_are_those_of_the_engine() -> None:
    trace = attend(X, None, HEAD_1, mask=causal_mask(3))
    scores = trace["scores"].values[0]
    assert scores[1, :2].tolist() == [-1, 4]
    assert (scores[2, 1], scores[1, 2]) == (4, 1)
    assert "product" in said(QUIZ["quiz-other-way"])
    assert "In the demo it is 1" in said(QUIZ["quiz-other-way"])
    assert round(float(trace["weights"].values[0, 2, 1]), 2) == 0.62
    assert X[2].tolist() == [0, 0, 1, 1]
    across = attend(Y, X, HEAD_1)["weights"].values[0]
    assert "{} × {}".format(*across.shape) == QUIZ["quiz-who-asks"].answer
    level = simplified([[1, 0], [0, 1], [0, 0]])["weights"].values[2, :2]
    assert level[0] == level[1]


def test_the_facts_about_gpt_3_are_those_of_the_counts() -> None:
    assert int(NOTES["gpt-3-heads"].answer) == GPT_3.heads == GPT_3.layers
    assert int(NOTES["times-fewer"].answer) == Fraction(GPT_3.d_model**2, 2 * GPT_3.value)
    share = 100 * GPT_3.attention / GPT_3_NOMINAL
    assert abs(share - int(NOTES["attention-share"].answer)) < 0.5
    assert QUIZ["quiz-rank"].answer == str(GPT_3.d_v)
    assert QUIZ["quiz-shape"].answer == f"{GPT_3.d_model:,} × {GPT_3.d_k}"
    assert f"to {GPT_3.d_k}." in said(NOTES["key-space"])


def test_a_missing_mask_shows_in_the_rows_that_the_quiz_names() -> None:
    masked = attend(X, None, HEAD_1, mask=causal_mask(3))["weights"].values[0]
    open_ = attend(X, None, HEAD_1)["weights"].values[0]
    moved = [row + 1 for row in range(3) if not np.allclose(masked[row], open_[row])]
    assert QUIZ["quiz-forgotten-mask"].answer == "rows {} and {}".format(*moved)


def test_without_mask_and_positions_the_order_changes_nothing() -> None:
    there = attend(X, None, HEAD_1)["output"].values[1]
    turned = attend(X[::-1], None, HEAD_1)["output"].values[1]
    assert np.allclose(there, turned)
    assert QUIZ["quiz-order"].answer == "It is the same in both"


def test_one_layer_alone_misses_what_two_find() -> None:
    note = NOTES["deeper"]
    assert dict(note.knobs) == {"case": "names", "layers": "1"}
    settings: tuple[dict[str, object], ...] = ({"case": "names", "layers": 1}, {"case": "names"})
    one, two = (Lesson.of(load("stack"), knobs).working.notice for knobs in settings)
    assert "“potter”" not in one
    assert "next is “potter”" in two


# How it looks


def asking(card: Card) -> Face:
    """The face of a card as a review shows it, new, with the options of a choice in order."""
    face = face_of(Card(card.id, "basic", "Q", "A"))
    return replace(face, card=card, options=card.options, beginner=False)


def test_every_card_with_its_grades_fits_one_screen_and_its_header_one_line_and_a_rule() -> None:
    for card in THE_DECK.cards:
        for one in faces_of_an_answer(card, asking(card)):
            asked = question(before(one), 80, typing=bool(card.answer))
            told = answer(one, 80)
            assert (asked.last_offset(24), told.last_offset(24)) == (0, 0), card.name
            assert (len(asked.header), len(told.header)) == (2, 2), card.name


def test_a_narrow_screen_of_40_columns_holds_every_line_of_every_card() -> None:
    for card in THE_DECK.cards:
        for face in faces_of_an_answer(card, asking(card)):
            for frame in (question(before(face), 40), answer(face, 40)):
                lines = (*frame.header, *frame.body, *frame.footer)
                assert [line.plain for line in lines if line.cell_len > 40] == [], card.name
                assert len(frame.body) <= 60, card.name


def before(face: Face) -> Face:
    """The same face while the question is open."""
    return replace(face, verdict=None, given=None)


def faces_of_an_answer(card: Card, face: Face) -> list[Face]:
    """The faces after each wrong choice, after drawn numbers, or simply with the answer."""
    if card.options:
        judged = kind("choice").check
        return [
            replace(face, given=option.text, verdict=judged(card, option.text))
            for option in card.options
        ]
    if card.question:
        drawn = [work_out(card.question, number) for number in range(4)]
        found = []
        for one in drawn:
            for value in one.asked.wrong.values():
                done, verdict = judge(one, str(value))
                found.append(replace(face, worked=done, verdict=verdict, given=str(value)))
        return found
    return [face]


def test_every_answer_is_short() -> None:
    for name, note in NOTES.items():
        assert len(note.back.split()) <= 45, name
        assert len(note.front.split()) <= 45, name
        assert all(len(option.why.split()) <= 40 for option in note.options), name


def test_a_terminal_can_draw_every_formula_of_every_card() -> None:
    for name, note in NOTES.items():
        text = said(note)
        assert set(re.findall(r"\\([a-zA-Z]+)", text)) <= {"cdot", "sqrt", "text"}, name
        assert text.count(r"\(") == text.count(r"\)"), name
