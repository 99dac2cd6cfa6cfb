"""What a lesson starts from: the worked example, the learner's own words, or own matrices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from attn_study.attention import examples
from attn_study.attention.heads import attend, causal_mask
from attn_study.attention.mistakes import method_of
from attn_study.attention.tokens import tokens
from attn_study.attention.toy import projections, sizes, vectors
from attn_study.attention.trace import Step, Trace
from attn_study.demos.demo import Knob
from attn_study.demos.edits import INPUTS, edited
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.attention.arrays import Array
    from attn_study.attention.projections import Projections

TOY_WEIGHTS = "toy weights, set by hand"

TEXT = Knob("text", "", "Your own words; the weights are then random.")
SEED = Knob("seed", None, "Random weights from this seed.", kind=int, least=0)
D_MODEL = Knob("d_model", None, "Width of a token's vector.", kind=int, least=1)
D_K = Knob("d_k", None, "Width of queries and keys.", kind=int, least=1)
D_V = Knob("d_v", None, "Width of values.", kind=int, least=1)
OWN = Knob("matrix", None, "Your own X and projections: .yaml or .npz.")
HEADS = Knob("heads", None, "How many heads.", kind=int, least=1)
BROUGHT = tuple(knob.name for knob in (TEXT, SEED, D_MODEL, D_K, D_V, HEADS))  # by own matrices
SET = Knob("set", "", "Single numbers of the inputs: x.3.1=2 w_q.1.2.1=-1.")
TEMPERATURE = Knob(
    "temperature",
    1.0,
    "Divides the scores; under 1 sharpens.",
    kind=float,
    least=1e-6,
    most=1e6,
)


@dataclass(frozen=True, slots=True)
class Start:
    """Tokens, their vectors (tokens, d_model), projections, and what these weights are."""

    labels: tuple[str, ...]
    x: Array
    projections: Projections
    weights: str
    remark: str = ""
    temperature: float = 1.0

    def __str__(self) -> str:
        return self.weights

    @property
    def is_example(self) -> bool:
        """Whether this is the worked example."""
        return self.weights == TOY_WEIGHTS

    def edited(self, text: str, names: tuple[str, ...] = INPUTS) -> Start:
        """Return the start with single numbers set, as `edits` reads them from a text.

        `names` are the inputs of which numbers may be set.
        """
        if not text:
            return self
        inputs = {"x": self.x, **by_name(self.projections)}
        found = inputs | edited({name: inputs[name] for name in names if name in inputs}, text)
        matrices = from_names(self.projections, found)
        return replace(self, x=found["x"], projections=matrices, weights=changed(self.weights))


def by_name(projections: Projections) -> dict[str, Array]:
    """Return the matrices as a trace shows them: `w_o` is (heads, d_v, d_model)."""
    return {name.removesuffix("_blocks"): getattr(projections, name) for name, _, _ in MATRICES}


def from_names(projections: Projections, found: Mapping[str, Array]) -> Projections:
    """Return projections of the same shapes with the matrices found, named as by `by_name`."""
    w_o = found["w_o"].reshape(projections.w_o.shape)
    return replace(projections, w_q=found["w_q"], w_k=found["w_k"], w_v=found["w_v"], w_o=w_o)


def changed(weights: str) -> str:
    """Return what weights are in which a number was set by hand."""
    return f"{weights}, edited"


ONE_HEAD = Start(examples.TOKENS, examples.X, examples.HEAD_1, TOY_WEIGHTS)
TWO_HEADS = Start(examples.TOKENS, examples.X, examples.TWO_HEADS, TOY_WEIGHTS)


def attended(begin: Start, mistake: str = "", *, causal: bool = True) -> Trace:
    """Return self-attention over a start, right or with one mistake made."""
    n_tokens = len(begin.labels)
    mask = causal_mask(n_tokens) if causal else None
    words = begin.labels
    trace = attend(
        begin.x,
        None,
        begin.projections,
        mask=mask,
        query_labels=words,
        key_labels=words,
        method=replace(method_of(mistake), temperature=begin.temperature),
    )
    return with_projections(trace, begin.projections)


MATRICES = (
    ("w_q", ("heads", "d_model", "d_k"), "W^Q: from a token to what it asks for"),
    ("w_k", ("heads", "d_model", "d_k"), "W^K: from a token to what it is found by"),
    ("w_v", ("heads", "d_model", "d_v"), "W^V: from a token to what it passes on"),
    ("w_o_blocks", ("heads", "d_v", "d_model"), "W^O: the rows of each head, back to the width"),
)


def with_projections(trace: Trace, projections: Projections) -> Trace:
    """Return the trace with the matrices in front of what they make, so that all can be checked.

    `w_q`, `w_k` (heads, d_model, d_k), `w_v` (heads, d_model, d_v), `w_o` (heads, d_v, d_model).
    """
    first = 1 + max(at for at, name in enumerate(trace.names) if name.startswith("x"))
    matrices = (
        Step(name.removesuffix("_blocks"), axes, getattr(projections, name), says)
        for name, axes, says in MATRICES
    )
    return Trace((*trace.steps[:first], *matrices, *trace.steps[first:]))


def _own(matrix: Start | str, example: Start, *, chosen_too: bool) -> Start:
    if isinstance(matrix, str):
        raise UserError("matrices come from a file", hint="--matrix FILE on the command line")
    if chosen_too:
        raise UserError("own matrices bring their own words and sizes", hint="leave the others out")
    heads, wanted = matrix.projections.n_heads, example.projections.n_heads
    if wanted == 1 and heads > 1:
        raise UserError(
            f"this lesson has one head, the file has {heads}", hint="try demo multihead"
        )
    return matrix


def start(
    example: Start,
    *,
    text: str = "",
    seed: int | None = None,
    d_model: int | None = None,
    d_k: int | None = None,
    d_v: int | None = None,
    heads: int | None = None,
    matrix: Start | str | None = None,
    set: str = "",
    temperature: float = 1.0,
) -> Start:
    """Return the example when nothing is set, else the text under random weights.

    Without `text`, the example's own words are used. `matrix` is a start of the learner's own.
    `set` sets single numbers of whatever that is, `temperature` divides its scores. Raises
    UserError for sizes that cannot be, for a text without words, for own matrices together with
    either, or with more heads than the example has, and for numbers that are not there.
    """
    sized = {"seed": seed, "d_model": d_model, "d_k": d_k, "d_v": d_v, "heads": heads}
    given: dict[str, object] = {"text": text, **sized}
    is_chosen = any(given[name] not in ("", None) for name in BROUGHT)
    if matrix is not None:
        begin = _own(matrix, example, chosen_too=is_chosen)
    else:
        begin = _random(example, text, sized) if is_chosen else example
    begin = replace(begin, temperature=temperature)
    return begin.edited(set)


def _random(example: Start, text: str, sized: Mapping[str, int | None]) -> Start:
    """Return the text, or the example's own words, under random weights of these sizes."""
    found = tokens(text) if text else None
    words = found.words if found else example.labels
    width = sizes(
        sized["heads"] or example.projections.n_heads,
        sized["d_model"] or 8,
        sized["d_k"],
        sized["d_v"],
    )
    chosen = sized["seed"] or 0
    return Start(
        words,
        vectors(words, width.d_model, chosen),
        projections(width.heads, width.d_model, width.d_k, width.d_v, chosen),
        f"random, seed {chosen}",
        found.says if found else "",
    )
