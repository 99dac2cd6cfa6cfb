"""The heads of one layer of the trained model side by side, on a prepared sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from attn_study.demos.trained import multihead_panels
from attn_study.demos.trained.cases import CASES
from attn_study.demos.trained.layer import in_the_stream, start_of, with_next_word
from attn_study.demos.trained.reader import known_for
from attn_study.demos.trained_or_toy import TRAINED, WEIGHTS, refuse
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.multihead import two_ways

if TYPE_CHECKING:
    from attn_study.demos.setup import Start


def compute(
    *,
    case: str | None = None,
    layer: int | None = None,
    noun: str | None = None,
    place: str | None = None,
    adjective: str | None = None,
    word: str = "",
    mistake: str = "",
    **sizes: Any,
) -> Working:
    """Return one layer's attention on a sentence, what each head adds, and the next word.

    After the steps of `two_ways`: `next_word` (words), the share of every word as the next one
    when the layer adds this output. Of the `sizes` that weights set by hand have, `temperature`
    and `set` are left. Raises UserError for others, for a word that does not fit the sentence,
    and for a number to set that is not there.
    """
    refuse(sizes, ("temperature", "set"), TRAINED)
    slots = {"noun": noun, "place": place, "adjective": adjective, "word": word}
    begin, knobs, look = _heads(case or "chicken", layer, slots, **sizes)
    trace = with_next_word(in_the_stream(two_ways(begin, mistake)), knobs["layer"])
    notice = multihead_panels.notice(trace, look.query, knobs["layer"])
    return Working(trace, begin.weights, notice, knobs, look)


def _heads(
    name: str,
    layer: int | None,
    slots: dict[str, str | None],
    *,
    temperature: float = 1.0,
    set: str = "",
    **_: Any,
) -> tuple[Start, dict[str, Any], Focus]:
    """Return the heads of one layer on a case's sentence, the knobs used, and where to look.

    Without a layer, that of the head known for such sentences.
    """
    words = CASES[name].settle({slot: word for slot, word in slots.items() if word})
    sentence = CASES[name].build(words)
    known = known_for(sentence)
    shown = layer or known[0]
    begin = replace(start_of(sentence, shown), temperature=temperature).edited(set)
    knobs: dict[str, Any] = {WEIGHTS: TRAINED, "case": name, **words}
    knobs |= {"word": words[CASES[name].decides]}
    knobs |= {"layer": shown, "temperature": temperature, "set": set}
    head = known[1] - 1 if shown == known[0] else 0
    return begin, knobs, Focus(query=sentence.asks + 1, head=head)
