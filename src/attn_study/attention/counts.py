"""How many numbers a transformer learns, as exact integers from formulas."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from attn_study.errors import UserError


@dataclass(frozen=True, slots=True)
class Architecture:
    """The sizes of a transformer; with d the width, A heads and L layers.

    Every count is one of numbers to learn. "Kind" means query, key, value-down or value-up.
    Counts are of matrices alone where a name does not say biases or total. `vocabulary` and
    `positions` matter for the totals only.
    """

    d_model: int
    heads: int
    layers: int
    d_k: int
    d_v: int
    vocabulary: int = 0
    positions: int = 0

    def __post_init__(self) -> None:
        for name in ("d_model", "heads", "layers", "d_k", "d_v"):
            if getattr(self, name) < 1:
                raise UserError(f"{name}={getattr(self, name)} is out of range", hint="1 or more")

    @property
    def query(self) -> int:
        """W^Q of one head: d · d_k. W^K has as many."""
        return self.d_model * self.d_k

    @property
    def value(self) -> int:
        """Value-down of one head: d · d_v. Value-up has as many."""
        return self.d_model * self.d_v

    @property
    def head(self) -> int:
        """The four matrices of one head."""
        return 2 * self.query + 2 * self.value

    @property
    def query_layer(self) -> int:
        """W^Q of all heads of a layer; so many for the keys too."""
        return self.heads * self.query

    @property
    def value_layer(self) -> int:
        """Value-down of all heads of a layer; so many for value-up too."""
        return self.heads * self.value

    @property
    def query_model(self) -> int:
        """W^Q of all heads of all layers."""
        return self.layers * self.query_layer

    @property
    def value_model(self) -> int:
        """Value-down of all heads of all layers."""
        return self.layers * self.value_layer

    @property
    def attention_layer(self) -> int:
        """Attention in one layer: 4 d² when A · d_k = A · d_v = d."""
        return self.heads * self.head

    @property
    def attention(self) -> int:
        """Attention in all layers."""
        return self.layers * self.attention_layer

    @property
    def attention_layer_biases(self) -> int:
        """One bias a column: A (2 d_k + d_v) + d, which is 4 d in narrowed heads."""
        return self.heads * (2 * self.d_k + self.d_v) + self.d_model

    @property
    def attention_biases(self) -> int:
        """The biases of attention in all layers."""
        return self.layers * self.attention_layer_biases

    @property
    def mlp_layer(self) -> int:
        """Up to 4 d and down again: 8 d²."""
        return 8 * self.d_model**2

    @property
    def mlp(self) -> int:
        """The MLPs of all layers."""
        return self.layers * self.mlp_layer

    @property
    def embedding(self) -> int:
        """One vector a token of the vocabulary; the unembedding has as many."""
        return self.vocabulary * self.d_model

    @property
    def total(self) -> int:
        """Everything, biases and layer norms included, with the embedding serving twice."""
        mlp_biases = 5 * self.d_model
        norms = 2 * 2 * self.d_model
        layer = self.attention_layer + self.attention_layer_biases + self.mlp_layer
        last_norm = 2 * self.d_model
        vectors = self.embedding + self.positions * self.d_model
        return vectors + self.layers * (layer + mlp_biases + norms) + last_norm

    @property
    def total_of_matrices(self) -> int:
        """Embedding, separate unembedding, attention and MLP, as the video adds them up."""
        return 2 * self.embedding + self.attention + self.mlp

    @property
    def full_value(self) -> int:
        """A value map of one head that is not factored: d²."""
        return self.d_model**2

    @property
    def factored_value(self) -> int:
        """The same as value-down times value-up: 2 d · d_v."""
        return 2 * self.value

    @property
    def value_ratio(self) -> Fraction:
        """How many times smaller the factored map is: d / (2 d_v); 1 at d_v = d / 2."""
        return Fraction(self.full_value, self.factored_value)

    @property
    def saved_head(self) -> int:
        """What factoring saves in one head; negative when d_v > d / 2."""
        return self.full_value - self.factored_value

    @property
    def saved_layer(self) -> int:
        """What factoring saves in one layer."""
        return self.heads * self.saved_head

    @property
    def saved_model(self) -> int:
        """What factoring saves in all layers."""
        return self.layers * self.saved_layer

    @property
    def attention_if_full(self) -> int:
        """Attention in all layers, had every head a full d × d value map."""
        return self.attention + self.saved_model

    @property
    def attention_layer_if_wide(self) -> int:
        """Attention in one layer, were every head d wide: 4 A d²."""
        return 4 * self.heads * self.d_model**2


def percent(part: int, whole: int) -> float:
    """Return the share of a part, in percent."""
    return 100 * part / whole


GPT_3 = Architecture(12_288, 96, 96, 128, 128, vocabulary=50_257, positions=2_048)
GPT_3_NOMINAL = 175_000_000_000  # the size that its name says
GPT_2_SMALL = Architecture(768, 12, 12, 64, 64, vocabulary=50_257, positions=1_024)
