"""The deck that a learner starts from: one note of each kind, to be written over."""

from __future__ import annotations

from pathlib import Path

from attn_study.deck.quoting import scalar
from attn_study.errors import UserError


def template(name: str, schema: str) -> str:
    """Return the text of a deck called `name`; `schema` is where editors find the JSON Schema."""
    spelled = scalar(name, 0)
    return TEMPLATE.replace("SCHEMA", schema, 1).replace("NAME", spelled)


def checked_name(name: str) -> str:
    """Return `name` in the form a deck keeps it. Raises UserError, with the rule, for a bad one."""
    from attn_study.deck.reader import parse

    reading = parse(f"deck: {scalar(name, 0)}\ncards:\n", Path("deck"))
    if reading.deck is None:
        fault = next(one for one in reading.complaints if not one.warning)
        raise UserError(fault.what, hint=fault.hint)
    return reading.deck.name


TEMPLATE = r"""# yaml-language-server: $schema=SCHEMA

# Your own deck: one note of each kind, to write over. Lines that begin with # are for you alone.
#
# An id names a card for good. Mend any text and move the card where you like: its progress stays
# as long as the id does. Small letters, digits and . _ - are allowed, each id once in a deck.
# `attn-study deck check --fix` writes the ids that are missing.
#
# Text is taken as it stands. Put it in 'single quotes' where it begins with one of
#   [ ] { } , & * ! | > % @ ` # ' " - ?
# or holds `: ` or ` #`; a ' inside is doubled. In "double quotes" a backslash would not survive.
# Mathematics stands between \( and \). Longer text goes under a | with every line moved in.

deck: NAME
title: NAME

cards:
  # A front, and a back to compare with what came to mind
  - id: two-vectors
    front: Which two vectors give a score?
    back: |
      A query and a key.
      The score is their dot product, \(q \cdot k\).
    note: Shown after the answer, and may be left out.
    tags: [scores]

  # Reversed: two cards, each side asked for the other
  - id: query
    kind: reversed
    front: The vector that says what a token looks for
    back: The query

  # Cloze: a text with holes, a card for each number; behind a second :: stands a hint
  - id: two-steps
    cloze: 'Scores are divided by {{c1::\(\sqrt{d_k}\)::a root}}, then comes the {{c2::softmax}}.'

  # Choice: 2 to 9 answers, the right one repeated; `why` tells what is wrong with another
  - id: rows
    front: Over what does each row of weights sum to 1?
    choices:
      - the keys
      - text: the queries
        why: A row belongs to one query, so the sum runs along its keys.
    answer: the keys
    after: [two-vectors]

  # Typed: the answer is written; `accept` lists others that are right, numbers may be off a little
  - id: divisor
    front: By what are the scores divided for \(d_k = 64\)?
    answer: 8
    accept: [eight]
    tolerance: 0.01

  # Computed: a lesson asks, with fresh numbers each time; the key d opens its demo
  - id: one-weight
    question: head.weight
    demo: head
"""
