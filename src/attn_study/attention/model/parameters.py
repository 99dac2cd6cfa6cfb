"""What a model consists of: its sizes, and every learned number under its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.dice import normals, stream
from attn_study.errors import UserError

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import DTypeLike, NDArray

    Floats = NDArray[np.floating[Any]]

SPREAD = 0.02  # standard deviation of what goes in: embeddings, positions (GPT-2, 2019)


@dataclass(frozen=True, slots=True)
class Size:
    """The sizes of a model; `d_hidden` of 0 leaves the MLP out."""

    n_words: int
    n_positions: int
    d_model: int = 64
    n_layers: int = 2
    n_heads: int = 4
    d_hidden: int = 128

    def __post_init__(self) -> None:
        if self.n_heads < 1 or self.d_model % self.n_heads:
            raise UserError(f"d_model={self.d_model} does not split into heads={self.n_heads}")

    @property
    def d_k(self) -> int:
        """The width of a query, a key and a value of one head."""
        return self.d_model // self.n_heads

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of every parameter, by name; layers count from 1.

        `w_q`, `w_k`, `w_v` are (d_model, heads · d_k), the columns of head 1 first, and `w_o`
        is (heads · d_k, d_model). The output matrix is the embedding, turned round.
        """
        width, hidden = self.d_model, self.d_hidden
        found: dict[str, tuple[int, ...]] = {
            "embedding": (self.n_words, width),
            "position": (self.n_positions, width),
        }
        for layer in range(1, self.n_layers + 1):
            found[f"gain_attention_{layer}"] = (width,)
            found |= {f"w_{part}_{layer}": (width, width) for part in "qkvo"}
            if hidden:
                found[f"gain_mlp_{layer}"] = (width,)
                found |= {f"w_up_{layer}": (width, hidden), f"b_up_{layer}": (hidden,)}
                found |= {f"w_down_{layer}": (hidden, width), f"b_down_{layer}": (width,)}
        return found | {"gain_final": (width,)}

    @property
    def n_numbers(self) -> int:
        """How many numbers a model of these sizes has."""
        return sum(int(np.prod(shape)) for shape in self.shapes().values())

    def as_json(self) -> dict[str, int]:
        """Return the sizes by name."""
        return asdict(self)


class Parameters(Mapping[str, "Floats"]):
    """Every learned number, as named arrays that are views of one flat vector.

    What an optimizer does to `flat` shows in the arrays at once. Two parameters of one size have
    the same layout, so gradients are kept in the same way. UserError for another count.
    """

    def __init__(self, size: Size, flat: Floats) -> None:
        if len(flat) != size.n_numbers:
            what = f"a model of this size has {size.n_numbers:,} numbers, not {len(flat):,}"
            raise UserError(what)
        self.size, self.flat = size, flat
        self._named: dict[str, Floats] = {}
        begin = 0
        for name, shape in size.shapes().items():
            end = begin + int(np.prod(shape))
            self._named[name] = flat[begin:end].reshape(shape)
            begin = end

    @classmethod
    def zeros(cls, size: Size, dtype: DTypeLike = np.float32) -> Parameters:
        """Return parameters that are all 0, such as gradients before the first sentence."""
        return cls(size, np.zeros(size.n_numbers, dtype))

    @classmethod
    def random(cls, size: Size, seed: int, dtype: DTypeLike = np.float32) -> Parameters:
        """Return parameters to begin a training with: normal, gains 1 and biases 0.

        Matrices have the standard deviation 1 / √(width in), and those that add to the residual
        stream that over √(2 · layers), so that the stream keeps its size (GPT-2, 2019).
        """
        found = cls.zeros(size, dtype)
        for name, array in found.items():
            if name.startswith("gain"):
                array[...] = 1
            elif array.ndim > 1:
                array[...] = normals(stream("model", name, seed), array.shape) * _spread(size, name)
        return found

    def __getitem__(self, name: str) -> Floats:
        return self._named[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)

    def as_type(self, dtype: DTypeLike) -> Parameters:
        """Return them as numbers of a type: a copy, unless they are of that type already."""
        return self if self.flat.dtype == dtype else Parameters(self.size, self.flat.astype(dtype))


def _spread(size: Size, name: str) -> float:
    if name in {"embedding", "position"}:
        return SPREAD
    width = size.d_hidden if name.startswith("w_down") else size.d_model
    adds = name.startswith(("w_o", "w_down"))
    return float(1 / np.sqrt(width * (2 * size.n_layers if adds else 1)))
