"""What learners get wrong, the questions that treat it, and the numbers that show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from closed_world import Document
    from lesson_settings import Setting

MISCONCEPTIONS = {
    "M1": "Rows and columns are interchangeable",
    "M2": "Softmax runs over the whole grid, or down the columns",
    "M3": "Masking after softmax is the same as before it",
    "M4": "Only the last token matters, so the mask is for generating alone",
    "M5": "The last row tells whether the mask works",
    "M6": "The division is cosmetic, or is by d_k, or by the width of the model",
    "M7": "Values are the embeddings, or the keys",
    "M8": "A score is a similarity, so the scores are symmetric",
    "M9": "A larger weight means a larger effect",
    "M10": "What attention gives replaces the token",
    "M11": "More heads are more parameters",
    "M12": "Heads are averaged",
    "M13": "W^O only reshapes, or belongs to one head",
    "M14": "The value map is a free d × d matrix",
    "M15": "In cross-attention the source asks",
    "M16": "Softmax picks one token",
    "M17": "A score of 0 is no attention",
    "M18": "Attention knows the order of words",
    "M19": "The pattern explains what comes out",
    "M20": "The next word is read from all vectors",
    "M21": "A projection has one shape on paper",
}


class Treated(NamedTuple):
    """A question that treats a misconception, and the mistake that stands for it.

    `touches` is what the prompt, or the mistake in words, says of it; `answer` is the right one
    where the seed draws numbers that are known from elsewhere.
    """

    lesson: str
    question: str
    seed: int
    mistake: str
    touches: str
    answer: float | str | None = None


TREATED: dict[str, tuple[Treated, ...]] = {
    "M1": (
        Treated("head", "cell", 0, "rows and columns mixed up", "queries in rows", "3, 2"),
        Treated("head", "cell", 1, "rows and columns mixed up", "queries in columns", "2, 3"),
    ),
    "M2": (
        Treated("head", "weight", 0, "softmax-columns", "down the columns"),
        Treated("simplified", "weight", 0, "softmax-columns", "down the columns"),
    ),
    "M3": (
        Treated("mask", "row-sum", 0, "the sum of a row masked before", "to 0 after softmax"),
        Treated("mask", "mended", 0, "mask-zero-after", "masked after softmax"),
        Treated("mask", "weight", 0, "mask-zero-before", "a hidden score is 0, not -∞"),
    ),
    "M4": (
        Treated("mask", "moved", 0, "what moves with the mask off", "Which rows of the output"),
        Treated("mask", "moved", 1, "what moves with the mask on", "Which rows of the output"),
        Treated("mask", "guesses", 0, "what generating takes", "guesses of a next token"),
    ),
    "M5": (Treated("mask", "reveals", 11, "the row that every fault", "mask is forgotten", "1 2"),),
    "M6": (
        Treated("scale", "std", 83, "the variance", "standard deviation of q · k", 8),
        Treated("scale", "weight", 0, "no-scale", "without dividing"),
        Treated("scale", "weight", 0, "scale-d-k", "by d_k, not by its square root"),
        Treated("scale", "weight", 0, "scale-d-model", "by √d_model, not by √d_k"),
        Treated("scale", "slope", 0, "the weight itself", "How fast does w move"),
    ),
    "M7": (
        Treated("qkv", "sum", 0, "values-are-keys", "keys are summed instead of the values"),
        Treated("qkv", "entry", 0, "the number of the key", "x times W.K"),
    ),
    "M8": (
        Treated("qkv", "told", 24, "what a symmetric score", "“chicken” is 4", "cannot be told"),
        Treated("qkv", "transpose", 66, "what a symmetric score", "two roles", 1),
    ),
    "M9": (
        Treated("values", "length", 0, "the weight alone", "weight × value"),
        Treated("values", "zeroed", 0, "its effect", "set to zero"),
    ),
    "M10": (
        Treated("values", "added", 0, "the change alone", "as if it replaced x"),
        Treated("context", "residual", 0, "what was read alone", "does not take the place of x"),
    ),
    "M11": (
        Treated("multihead", "count", 3, "what heads as wide as d", "A = 16 heads", 1_048_576),
        Treated("multihead", "width", 0, "the width of a token", "shared by A"),
        Treated("params", "layer", 0, "what heads as wide as d", "attention in one layer"),
    ),
    "M12": (
        Treated("multihead", "output", 0, "the mean of what the heads add", "not averaged"),
        Treated("multihead", "head", 0, "average-heads", "one averaged pattern"),
        Treated("multihead", "share", 0, "the same again", "shared evenly"),
    ),
    "M13": (
        Treated("values", "rank", 4, "the width of the map", "its rank", 2),
        Treated("multihead", "rows", 0, "all rows", "as if W.O belonged to every head"),
        Treated("multihead", "output", 0, "each head through the rows", "rows of the other"),
    ),
    "M14": (
        Treated("params", "gpt", 8, "a full d × d map", "value-down and value-up", 3_145_728),
        Treated("values", "break-even", 25, "the width itself", "as many numbers as a full map", 4),
        Treated("values", "saving", 0, "the size of the full map", "in place of a full d × d map"),
    ),
    "M15": (
        Treated("cross", "shape", 58, "swap-sources", "sequences are swapped", "2x3"),
        Treated("cross", "rows", 47, "swap-sources", "rows has the output", 2),
        Treated("cross", "source", 0, "swap-sources", "Which language"),
    ),
    "M16": (
        Treated("simplified", "blend", 0, "argmax", "only the largest score counts"),
        Treated("scale", "temperature", 0, "argmax", "temperature"),
        Treated("stack", "share", 0, "the share at temperature 1", "what share"),
    ),
    "M17": (
        Treated("simplified", "zero", 0, "what only -∞ gives", "has a score of 0"),
        Treated("simplified", "constant", 0, "what comes out when only", "Every score"),
    ),
    "M18": (Treated("mask", "order", 6, "what the sums would say", "no positions", "yes"),),
    "M19": (
        Treated("values", "nothing", 0, "the weight taken for the effect", "add nothing", "0, 0"),
        Treated("values", "equal", 0, "one term of the sum", "the largest weight"),
        Treated("stack", "needed", 0, "where it looks", "switched off alone"),
    ),
    "M20": (Treated("stack", "row", 1, "too much", "the next word read", "7"),),
    "M21": (
        Treated("qkv", "shape", 12, "the shape in the other", "x a row", "12288x128"),
        Treated("qkv", "shape", 2, "the shape in the other", "x a column", "128x12288"),
    ),
}


class Worked(NamedTuple):
    """Numbers of a lesson as it comes, or at a setting, or with a mistake made."""

    lesson: str
    setting: Setting
    mistake: str
    numbers: Callable[[Document], Any]
    are: Any


CHICKEN, IT = 1, 2


def of_chicken(mistake: str, weight: float, name: str = "mask") -> Worked:
    return Worked(name, {}, mistake, lambda found: found["weights"][0, CHICKEN, CHICKEN], weight)


def rows_that_move(moves: Any) -> list[int]:
    return [at + 1 for at, row in enumerate(moves) if np.abs(row).max() > 1e-9]


def heads_of(d: int, heads: int, price: int) -> Worked:
    setting = {"d_model": d, "heads": heads, "layers": 1}
    return Worked("params", setting, "", lambda found: found["attention_layer"][0], price)


# Tokens The, chicken and it under one causal head, d = 4, d_k = d_v = 2; two heads in multihead.
WORKED: dict[str, tuple[Worked, ...]] = {
    "M1": (
        Worked("head", {}, "", lambda found: found["weights"][0].sum(axis=0),
               [1.1026, 1.5917, 0.3057]),
        Worked("head", {}, "", lambda found: found["weights"][0].sum(axis=1), [1, 1, 1]),
    ),
    "M2": (of_chicken("", 0.9717, "head"), of_chicken("softmax-columns", 0.5, "head")),
    "M3": (
        of_chicken("", 0.9717),
        of_chicken("mask-zero-before", 0.9189),
        of_chicken("mask-zero-after", 0.8703),
        Worked("mask", {}, "mask-zero-after", lambda found: found["weights"][0, CHICKEN].sum(),
               0.8957),
        Worked("mask", {}, "", lambda found: found["variant_weights"][3, CHICKEN, CHICKEN], 0.9717),
    ),
    "M4": (
        Worked("mask", {}, "", lambda found: rows_that_move(found["edit_moves"][0]), [3]),
        Worked("mask", {}, "", lambda found: rows_that_move(found["edit_moves"][1]), [1, 2, 3]),
    ),
    "M5": (
        Worked("mask", {}, "", lambda found: rows_that_move(
            found["variant_weights"][4] - found["variant_weights"][0]), [1, 2]),
    ),
    "M6": (
        of_chicken("", 0.9717, "scale"),
        of_chicken("no-scale", 0.9933, "scale"),
        of_chicken("scale-d-k", 0.9241, "scale"),
    ),
    "M7": (
        Worked("qkv", {}, "", lambda found: found["head_output"][0, IT], [2.3143, 1.7856]),
        Worked("qkv", {}, "", lambda found: found["sum_of_keys"][0, IT], [1.5457, 0.3800]),
        Worked("qkv", {}, "values-are-keys", lambda found: found["head_output"][0, IT],
               [1.5457, 0.3800]),
        Worked("qkv", {}, "", lambda found: found["sum_of_x"][0, IT].shape, [4]),
    ),
    "M8": (
        Worked("qkv", {}, "", lambda found: found["scores"][0, IT, CHICKEN], 4),
        Worked("qkv", {}, "", lambda found: found["scores"][0, CHICKEN, IT], 1),
    ),
    "M9": (
        Worked("values", {}, "", lambda found: found["effect"][0, IT, CHICKEN], 2.6304),
        Worked("values", {"zero": "chicken"}, "", lambda found: found["weights"][0, IT, CHICKEN],
               0.62),
        Worked("values", {"zero": "chicken"}, "", lambda found: found["effect"][0, IT, CHICKEN], 0),
    ),
    "M10": (
        Worked("head", {}, "", lambda found: found["output"][IT],
               [2.3143, 1.7856, -0.5287, 2.8429]),
        Worked("values", {}, "", lambda found: found["residual"][IT],
               [2.3143, 1.7856, 0.4713, 3.8429]),
    ),
    "M11": (
        *(heads_of(4, heads, 64) for heads in (1, 2, 4)),
        *(heads_of(512, heads, 1_048_576) for heads in (1, 8, 64)),
    ),
    "M12": (
        Worked("multihead", {}, "", lambda found: found["output"][IT, 0], 5.1743),
        Worked("multihead", {}, "", lambda found: found["head_shares"][:, IT, 0],
               [2.3143, 2.8600]),
        Worked("multihead", {}, "", lambda found: found["average_weights"][IT],
               [0.3251, 0.3800, 0.2948]),
    ),
    "M13": (
        Worked("values", {}, "", lambda found: found["rank"], [2]),
        Worked("values", {}, "", lambda found: np.linalg.matrix_rank(found["value_map"][0]), 2),
    ),
    "M14": (
        Worked("params", {}, "", lambda found: found["full_value"][0], 150_994_944),
        Worked("params", {}, "", lambda found: found["factored_value"][0], 3_145_728),
        Worked("params", {}, "", lambda found: found["value_ratio"][0], 48),
    ),
    "M15": (
        Worked("cross", {}, "", lambda found: found["weights"].shape, [1, 2, 3]),
        Worked("cross", {}, "", lambda found: found["output"].shape[0], 2),
        Worked("cross", {}, "swap-sources", lambda found: found["weights"].shape, [1, 3, 2]),
        Worked("cross", {}, "", lambda found: found["weights"][0, 0], [0.1400, 0.5760, 0.2840]),
    ),
    "M16": (
        Worked("head", {}, "", lambda found: found["weights"][0, IT], [0.0743, 0.6200, 0.3057]),
    ),
    "M17": (
        Worked("multihead", {}, "", lambda found: found["scores"][1, CHICKEN, :2], [0, 0]),
        Worked("multihead", {}, "", lambda found: found["weights"][1, CHICKEN, :2], [0.5, 0.5]),
    ),
    "M18": (
        Worked("mask", {}, "", lambda found: rows_that_move(found["order_moves"][1]), []),
        Worked("mask", {}, "", lambda found: rows_that_move(found["order_moves"][0]), [1, 2, 3]),
    ),
    "M20": (
        Worked("stack", {"weights": "toy"}, "",
               lambda found: found["last"] - found["residual_2"][-1], [0] * 8),
    ),
    "M21": (Worked("qkv", {}, "", lambda found: found["w_q"].shape, [1, 4, 2]),),
}  # fmt: skip
