"""The worked example: three tokens, two heads, and a target sequence for cross-attention."""

from __future__ import annotations

from attn_study.attention.arrays import frozen
from attn_study.attention.projections import Projections

TOKENS = ("The", "chicken", "it")
X = frozen([[1, 0, 0, 1], [0, 2, 0, 1], [0, 0, 1, 1]])  # (tokens, d_model)

HEAD_1 = Projections.from_matrices(
    w_q=[[0, 1], [1, -1], [2, 0], [0, 1]],
    w_k=[[0, 1], [1, 0], [1, 1], [0, 0]],
    w_v=[[1, 0], [1, 2], [0, 1], [1, -1]],
    w_o=[[1, 0, -1, 2], [0, 1, 1, -1]],
)
HEAD_2 = Projections.from_matrices(
    w_q=[[0, 0], [0, 1], [1, 0], [0, 1]],
    w_k=[[2, 0], [0, 0], [0, 1], [1, 0]],
    w_v=[[0, 1], [1, 0], [1, 1], [0, 2]],
    w_o=[[0, 1, 0, 0], [1, 0, 0, 1]],
)
TWO_HEADS = Projections.together(HEAD_1, HEAD_2)

TARGET_TOKENS = ("das", "Huhn")  # the German article needs the noun, to agree with it
Y = frozen([[0, 1, 0, 1], [1, 0, 1, 0]])  # (queries, d_model): asks, X answers
