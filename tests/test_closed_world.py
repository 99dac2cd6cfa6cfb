"""The closed world: every number on a screen is in the steps, or follows from what is."""

from __future__ import annotations

import json

from attn_study.attention.trace import to_json
from attn_study.demos import load
from attn_study.demos.working import Focus
from attn_study.demos.lesson import Lesson
from attn_study.demos.panels import Ledger
from attn_study.errors import UserError
from attn_study.render.data import document
from attn_study.render.data import text as as_json
from attn_study.render.lesson import header
from attn_study.render.panels import draw
from closed_world import Document, World, of_row, values
from lessons import ALL

A, B = "the cat saw the dog", "rain stops old boats drift home slowly"
SETTINGS = {
    "simplified": ({}, {"temperature": 0.25}, {"temperature": 0.01}, {"text": A, "seed": 1},
                   {"text": B, "seed": 7, "d_model": 12}),
    "qkv": ({}, {"swap": "query-key"}, {"swap": "key-value"}, {"edit": "w_q 2,1 = 3.25"},
            {"text": A, "seed": 1, "d_model": 4}, {"text": B, "seed": 7, "d_k": 3, "d_v": 2}),
    "scale": ({}, {"d_k": 64, "seed": 1}, {"keys": 16, "d_k": 16, "seed": 2}),
    "mask": ({}, {"variant": "mask-zero-after"}, {"variant": "mask-renormalised", "token": "2"},
             {"order": "2 1 3"}, {"text": A, "seed": 1, "d_v": 2},
             {"text": B, "seed": 7, "d_v": 3}),
    "head": ({}, {"case": "creature"}, {"text": A, "seed": 1}, {"text": B, "seed": 7, "d_k": 64}),
    "values": ({}, {"case": "mole"}, {"case": "tower"}, {"zero": "chicken"},
               {"text": A, "seed": 1, "d_v": 3}, {"text": B, "seed": 7, "d_model": 12, "d_v": 10}),
    "multihead": ({}, {"heads": 4, "d_model": 8}, {"text": A, "seed": 1},
                  {"text": B, "seed": 7, "heads": 3, "d_k": 2, "d_v": 5}),
    "cross": ({}, {"swap": "yes"}, {"mask": "causal"}, {"text": A, "target": "die Katze", "seed": 1},
              {"text": B, "target": "Regen und Boote", "seed": 7, "swap": "yes"}),
    "params": ({}, {"d_model": 768, "heads": 12, "layers": 24}, {"d_model": 8, "heads": 4, "d_v": 2},
               {"tokens": 100_000}),
    "context": tuple({"case": case, "word": word} for case, word in (
        ("chicken", "tired"), ("chicken", "wide"), ("keys", "key"), ("bank", "pond"),
        ("mole", "biopsy"), ("tower", "miniature"), ("creature", "scaly"))),
    "stack": ({}, {"word": "key"}, {"case": "chicken"}, {"case": "bank", "word": "money"},
              {"layers": 1, "temperature": 2.0}, {"layers": 0}, {"off": "2.1"}),
}  # fmt: skip


def main() -> None:
    for name in ALL:
        for setting in SETTINGS[name]:
            lesson = Lesson.of(load(name), setting)
            doc = doc_of(lesson, lesson.working)
            seen = set()
            for where, t, world in pages(lesson, doc):
                for line in t.split("\n"):
                    strange, _ = world.explain(line)
                    for s in strange:
                        if s not in seen:
                            seen.add(s)
                            print(name, setting, where, "|", s[:150])


def doc_of(lesson, working, mistake=""):
    return Document(
        json.loads(as_json(document(lesson.demo.name, working, to_json(working.trace), mistake)))
    )


def joined(panel):
    ls = [l.plain for l in draw([panel], 80)]
    from attn_study.demos.panels import Words

    return " ".join(l.strip() for l in ls) if isinstance(panel, Words) else "\n".join(ls)


def pages(lesson, doc):
    h = header(lesson.demo.name, lesson.title, lesson.working.weights, lesson.working.notice, 80)
    yield "header", " ".join(l.plain for l in h), World(values(doc))
    for q in range(max(1, lesson.n_queries)):
        f = lesson.focus(Focus(q))
        for p in lesson.panels(f):
            yield (
                f"lesson q{q} {type(p).__name__}",
                joined(p),
                World(of_row(doc, f) if isinstance(p, Ledger) else values(doc)),
            )
        for i in range(len(lesson.stages)):
            *told, picture = lesson.stage(i, f)
            for p in told:
                yield f"stage {lesson.stages[i]} q{q}", joined(p), World(values(doc))
            yield (
                f"stage {lesson.stages[i]} q{q} pic",
                joined(picture),
                World(values(doc, [lesson.stages[i]])),
            )
        for m in lesson.demo.mistakes:
            try:
                w = lesson.wrong(m)
            except UserError:
                continue
            wd = doc_of(lesson, w, m)
            for p in lesson.compared(m, w, f):
                yield (
                    f"{m} q{q} {type(p).__name__}",
                    joined(p),
                    World(
                        (of_row(doc, f) + of_row(wd, f))
                        if isinstance(p, Ledger)
                        else values(doc) + values(wd)
                    ),
                )


main()
