"""The learned matrices of attention, W^Q W^K W^V W^O, of one head or many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.arrays import Array, finite, frozen
from attn_study.errors import UserError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class Projections:
    """The matrices by which row vectors are multiplied from the right: q = x W^Q.

    `w_q`, `w_k` are (heads, d_model, d_k), `w_v` is (heads, d_model, d_v), `w_o` is
    (heads · d_v, d_model): the rows of head 1, then those of head 2. Shapes that disagree are a
    `UserError` that names both.
    """

    w_q: Array
    w_k: Array
    w_v: Array
    w_o: Array

    def __post_init__(self) -> None:
        for name, n_axes in (("w_q", 3), ("w_k", 3), ("w_v", 3), ("w_o", 2)):
            object.__setattr__(self, name, finite(name, getattr(self, name), n_axes))
        self._agree("heads", w_q=self.w_q.shape[0], w_k=self.w_k.shape[0], w_v=self.w_v.shape[0])
        self._agree(
            "d_model",
            w_q=self.w_q.shape[1],
            w_k=self.w_k.shape[1],
            w_v=self.w_v.shape[1],
            w_o=self.w_o.shape[1],
        )
        self._agree("d_k", w_q=self.w_q.shape[2], w_k=self.w_k.shape[2])
        if self.w_o.shape[0] != self.n_heads * self.d_v:
            raise UserError(
                f"w_o has {self.w_o.shape[0]} rows, but heads · d_v = "
                f"{self.n_heads} · {self.d_v} = {self.n_heads * self.d_v}",
                hint=f"give w_o {self.n_heads * self.d_v} rows, d_v of them for each head",
            )

    @staticmethod
    def _agree(axis: str, **sizes: int) -> None:
        first, *rest = sizes.items()
        for name, size in rest:
            if size != first[1]:
                raise UserError(f"{axis} is {first[1]} in {first[0]} but {size} in {name}")

    @classmethod
    def from_matrices(
        cls, w_q: ArrayLike, w_k: ArrayLike, w_v: ArrayLike, w_o: ArrayLike, heads: int = 1
    ) -> Projections:
        """Return the projections from flat matrices, the columns of head 1 first.

        `w_q`, `w_k` are (d_model, heads · d_k), `w_v` is (d_model, heads · d_v), `w_o` is
        (heads · d_v, d_model).
        """
        flat = {"w_q": w_q, "w_k": w_k, "w_v": w_v}
        split = {name: _split(name, matrix, heads) for name, matrix in flat.items()}
        return cls(**split, w_o=finite("w_o", w_o, 2))

    @classmethod
    def together(cls, *parts: Projections) -> Projections:
        """Return several projections as the heads of one, in order."""
        return cls(
            w_q=np.concatenate([part.w_q for part in parts]),
            w_k=np.concatenate([part.w_k for part in parts]),
            w_v=np.concatenate([part.w_v for part in parts]),
            w_o=np.concatenate([part.w_o for part in parts]),
        )

    @property
    def n_heads(self) -> int:
        """How many heads."""
        return int(self.w_q.shape[0])

    @property
    def d_model(self) -> int:
        """The width of the vectors that go in and come out."""
        return int(self.w_q.shape[1])

    @property
    def d_k(self) -> int:
        """The width of a query and of a key."""
        return int(self.w_q.shape[2])

    @property
    def d_v(self) -> int:
        """The width of a value."""
        return int(self.w_v.shape[2])

    @property
    def w_o_blocks(self) -> Array:
        """The rows of W^O that belong to each head, (heads, d_v, d_model): its value-up."""
        return frozen(self.w_o.reshape(self.n_heads, self.d_v, self.d_model))

    def head(self, index: int) -> Projections:
        """Return one head by itself, counted from 0, with its own rows of W^O."""
        one = slice(index, index + 1)
        return Projections(self.w_q[one], self.w_k[one], self.w_v[one], self.w_o_blocks[index])


def _split(name: str, matrix: ArrayLike, heads: int) -> Array:
    """(d_model, heads · d) → (heads, d_model, d)."""
    flat = finite(name, matrix, 2)
    if heads < 1 or flat.shape[1] % heads:
        raise UserError(f"the {flat.shape[1]} columns of {name} do not split into {heads} heads")
    return frozen(flat.reshape(flat.shape[0], heads, -1).transpose(1, 0, 2))
