"""A deck to be quizzed on: five cards that can be marked, and one that cannot."""

from __future__ import annotations

DECK = r"""
deck: test
title: A test
sections:
  - title: Choosing
    cards:
      - id: who
        front: Who asks?
        answer: the query
        choices:
          - the query
          - text: the key
            why: It answers.
          - the value
        demo: qkv
        tags: [roles]
      - id: divisor
        front: What are the scores divided by?
        answer: \(\sqrt{d_k}\)
        choices: ['\(\sqrt{d_k}\)', '\(d_k\)', nothing]
        tags: [scale]
  - title: Writing
    cards:
      - id: word
        front: What turns scores into weights?
        answer: softmax
        tags: [roles]
      - id: sum
        front: What do the weights of a row add up to?
        answer: "1"
        note: Softmax sees to it.
      - id: by-hand
        question: head.output
      - id: recalled
        front: Why?
        back: So.
"""
