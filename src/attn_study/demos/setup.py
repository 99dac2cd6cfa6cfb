"""What a lesson starts from: the worked example, the learner's own words, or own matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.attention import examples
from attn_study.attention.heads import attend, causal_mask
from attn_study.attention.mistakes import attend_wrongly
from attn_study.attention.tokens import tokens
from attn_study.attention.toy import projections, sizes, vectors
from attn_study.demos.demo import Knob

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.projections import Projections
    from attn_study.attention.trace import Trace

BY_HAND = "toy weights, set by hand"

TEXT = Knob("text", "", "Your own words; the weights are then random.", departs=True)
SEED = Knob("seed", None, "Random weights from this seed.", kind=int, least=0, departs=True)
D_MODEL = Knob("d_model", None, "Width of a token's vector.", kind=int, least=1, departs=True)
D_K = Knob("d_k", None, "Width of queries and keys.", kind=int, least=1, departs=True)
D_V = Knob("d_v", None, "Width of values.", kind=int, least=1, departs=True)
HEADS = Knob("heads", None, "How many heads.", kind=int, least=1, departs=True)


@dataclass(frozen=True, slots=True)
class Start:
    """Tokens, their vectors (tokens, d_model), projections, and what these weights are."""

    labels: tuple[str, ...]
    x: Array
    projections: Projections
    weights: str
    remark: str = ""

    @property
    def is_example(self) -> bool:
        """Whether this is the worked example."""
        return self.weights == BY_HAND


ONE_HEAD = Start(examples.TOKENS, examples.X, examples.HEAD_1, BY_HAND)
TWO_HEADS = Start(examples.TOKENS, examples.X, examples.TWO_HEADS, BY_HAND)


def attended(begin: Start, mistake: str = "", *, causal: bool = True) -> Trace:
    """Return self-attention over a start, right or with one mistake made."""
    n_tokens = len(begin.labels)
    mask = causal_mask(n_tokens) if causal else None
    words = begin.labels
    if mistake:
        return attend_wrongly(
            mistake,
            begin.x,
            None,
            begin.projections,
            mask=mask,
            query_labels=words,
            key_labels=words,
        )
    return attend(begin.x, None, begin.projections, mask=mask, query_labels=words, key_labels=words)


def start(
    example: Start,
    *,
    text: str = "",
    seed: int | None = None,
    d_model: int | None = None,
    d_k: int | None = None,
    d_v: int | None = None,
    heads: int | None = None,
) -> Start:
    """Return the example when nothing is set, else the text under random weights.

    Without `text`, the example's own words are used. Raises UserError for sizes that cannot be
    and for a text without words.
    """
    if not text and all(size is None for size in (seed, d_model, d_k, d_v, heads)):
        return example
    found = tokens(text) if text else None
    words = found.words if found else example.labels
    width = sizes(heads or example.projections.n_heads, d_model or 8, d_k, d_v)
    chosen = seed or 0
    return Start(
        words,
        vectors(words, width.d_model, chosen),
        projections(width.heads, width.d_model, width.d_k, width.d_v, chosen),
        f"random, seed {chosen}",
        found.says if found else "",
    )
