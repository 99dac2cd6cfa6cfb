"""The demo that goes with a card, at what the card says of its knobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.demos.afterwards import Chosen, Opened
    from attn_study.demos.demo import Demo
    from attn_study.posed import Posed


def demo_at(face: Posed) -> tuple[Demo, Mapping[str, object]]:
    """Return the card's demo, and what is given of its knobs: the card's own, and its weights.

    Raises UserError where there is no such demo.
    """
    demo, chosen = _chosen(face)
    return demo, chosen.given


def lesson_at(face: Posed) -> Opened:
    """Return the lesson that the card opens: what was asked, once it is answered, else its demo.

    Raises UserError where there is no such demo, and for knobs that cannot be.
    """
    from attn_study.demos.afterwards import opened

    demo, chosen = _chosen(face)
    return opened(demo, chosen.given, face.told, chosen.lesson)


def _chosen(face: Posed) -> tuple[Demo, Chosen]:
    from attn_study.demos import load
    from attn_study.demos.afterwards import chosen  # here: a card without a demo costs no numpy

    demo = load(face.demo)
    return demo, chosen(demo, dict(face.card.knobs), face.card.question)
