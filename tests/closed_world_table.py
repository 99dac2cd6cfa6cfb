"""What may stand on a lesson's screen and in no step of it: the table of the closed world."""

from __future__ import annotations

import numpy as np

from closed_world import Document, Numbers, Source, read
from closed_world_trained import (
    a_layer,
    counts_of_the_model,
    heads_of_the_model,
    lengths_added,
    named_after_each_layer,
    others_of_a_head,
    others_of_all_heads,
)

SHAPE = r"\[\d+(?:×\d+)*\]"


def size(*axes: str) -> Source:
    return lambda report: {report.sizes[axis] for axis in axes if axis in report.sizes}


def up_to(*axes: str) -> Source:
    return lambda report: range(max(report.sizes.get(axis, 1) for axis in axes) + 1)


def knob(name: str) -> Source:
    return lambda report: [report.knob(name)]


def label(axis: str) -> Source:
    return lambda report: [read(text.split()[0])[0] for text in report.labels(axis)]


def side_by_side(report: Document) -> int:
    return report.sizes.get("heads", 1) * report.sizes.get("d_v", 1)


def of_a_matrix(report: Document) -> Numbers:
    return {1, *report.sizes.values(), side_by_side(report)}


def positions(report: Document) -> Numbers:
    return range(1, max(report.sizes.values()) + 1)


def shared_by(report: Document) -> Numbers:
    """The numbers of heads that d can be shared by, and that of these heads."""
    d = report.sizes["d_model"]
    return [report.sizes["heads"], *(heads for heads in range(1, d + 1) if d % heads == 0)]


# Words with numbers in them: positions, counts, sizes and knobs, or constants of a formula (None).
PHRASES: dict[str, dict[str, Source | None]] = {
    "": {
        SHAPE: of_a_matrix,
        r"^ [▸ ] (?:row )?\d+(?= )": positions,
        r"\bd=\d+": size("d_model"),
        r"√\d+": size("d_k", "d_model"),
        r"seed \d+": knob("seed"),
        r"trained · .* \d+ words": counts_of_the_model,
        r"head \d\.\d": heads_of_the_model,
        r"head \d+": up_to("heads"),
        r"(?:queries|keys|tokens) \d+(?:–\d+ of \d+)?": up_to("queries", "keys", "tokens"),
        r"first \d+(?: of \d+)?": positions,
        r"column 1 of": None,
        r"sums? to 1\b|\brow sum 1$|\bsum 1$": None,
        r"e\^0 = 1|a hidden score is 0|0 where a query may not look|if that sum is 0": None,
        r"beyond ±50": None,
    },
    "simplified": {
        r"^ scaled +÷ [\d.e+-]+|(?<=scaled = )\d+ ÷ [\d.]+": lambda report: [
            report.knob("temperature"),
            *report.values("scores"),
        ],
        r"answers → +1(?: +\d\b)*": up_to("d_model"),
    },
    "head": {r"÷ [\d.]+(?= |$)": knob("temperature")},
    "qkv": {
        r"\b\d+×\d+(?= ·| =|  )": of_a_matrix,
        r"GPT-3 W\^Q: (?:12,288×128|128×12,288)": None,
    },
    "scale": {
        r"\d+ keys": knob("keys"),
        r"(?<![√÷] )d_k ?= ?\d+|^ [▸ ] \d+(?= )": label("widths"),
        r"÷ d_k = (?:√d_model = )?\d+": size("d_k"),
        r"w > 0\.99|over 0\.99|1: all equal|w ?\(1 ?- ?w\)|÷ 1 |under 0\.000001": None,
    },
    "mask": {
        r"0 (?:after|before)(?: softmax)?": None,
        r"gives \d+ rows and \d+ next": size("queries"),
    },
    "values": {
        r"\bd=8, d_v=2: 64, 32|= d/2|factored 2(?=·)": None,
        r"full \d+(?=²)|(?<=·)\d+·\d+(?= =)": size("d_model", "d_v"),
        r"its value is 0$": None,
    },
    "multihead": {
        r"\((?:head )?\d\.\d(?:, \d\.\d)*\)": heads_of_the_model,
        r"\d+ heads × \d+ numbers|its own \d+ rows": size("heads", "d_v"),
        r"\bA=\d+": shared_by,
        r"d_k=\d+": size("d_k"),
        r"d_v=\d+": size("d_v"),
        r"heads \d+ and \d+ of \d+|\d+ of \d+ heads|\d+ heads look at \d+ tokens": up_to("heads"),
        r"rows \d+–\d+": lambda report: range(1, side_by_side(report) + 1),
        r"the other \d+": lambda report: [report.sizes["heads"] - 2],
        r"always 4 d²": None,
    },
    "cross": {
        r"\d+ rows?, not \d+|of \d+ rows?|has \d+": size("queries", "keys"),
        r"\d+ of \d+ hidden": up_to("keys"),
    },
    "params": {
        r"GPT-[23]|for 3 tokens|\b2 · d|d_v · 2": None,
        r"for [\d,]+$|[\d,]+ tokens": label("lengths"),
    },
    "context": {r"layer \d": a_layer},
    "stack": {
        r"(?:attention|MLP|layer) \d": lambda report: range(int(report.knob("layers")) + 1),
        r"^\d+ tokens|row \d+ ": size("tokens"),
        r"<start> and \d+ words": lambda report: [report.sizes["tokens"] - 1],
        r"head \d\.\d is off": knob("off"),
        r"^ +head +\d\.\d(?: +\d\.\d)+$|^ +\d\.\d(?= +\d)": label("every_head"),
        r"÷ [\d.]+\)": knob("temperature"),
    },
    "learn": {
        # the tests of the lesson hold it to this
        r"Tested for seeds? \d+(?: to \d+)?: .*$": None,
        r"step \d+(?= |,|:|$)": lambda report: report.values("steps"),
        r"^ +0 (?=[▁▂▃▄▅▆▇█·])": None,  # the foot of a scale
        r"[Ll]ayer [12]\b|--layers 2": None,
    },
}


def summed(step: str) -> Source:
    """A step summed along its last axis."""
    return lambda report: np.ravel(report[step].sum(axis=-1)) if step in report else ()


def lengths(*steps: str) -> Source:
    """The lengths of the vectors along the last axis."""
    return lambda report: np.ravel([np.linalg.norm(report[step], axis=-1) for step in steps])


def out_of_sight(report: Document) -> Numbers:
    """What all heads add but two neighbours, which are shown."""
    shares = report["head_shares"]
    return [float(v) for v in np.ravel(shares.sum(axis=0) - (shares[:-1] + shares[1:]))]


def times_smaller(report: Document) -> Numbers:
    raw, scaled = report["jacobian_median"]
    return [float(v) for v in np.round(scaled / raw)]


def price(report: Document) -> Numbers:
    """4 d² for every number of heads that divides d; 2 A d (d_k + d_v) in other widths."""
    heads, d, d_k, d_v = (report.sizes[axis] for axis in ("heads", "d_model", "d_k", "d_v"))
    return [4 * d * d, 2 * heads * d * (d_k + d_v)]


def price_of_a_value(report: Document) -> Numbers:
    """d² for a full map, 2 · d · d_v for a pair."""
    d, d_v = report.sizes["d_model"], report.sizes["d_v"]
    return [d * d, 2 * d * d_v]


def vectors(report: Document, head: int) -> dict[str, np.ndarray]:
    """The steps with a vector for each query, of one query and head."""
    return {
        name: report[name][head] if step["axes"][0] == "heads" else report[name]
        for name, step in report.steps.items()
        if set(step["axes"]) & {"queries", "tokens"} and step["axes"][-1].startswith("d_")
    }


def lengths_of_vectors(report: Document, head: int) -> Numbers:
    return [float(np.sqrt((each * each).sum())) for each in vectors(report, head).values()]


def cosines(right: Document, wrong: Document, head: int) -> Numbers:
    """Of each vector of one query and head, between the right one and the wrong one."""
    these, those = vectors(right, head), vectors(wrong, head)
    pairs = [(these[name], those[name]) for name in these if these[name].ndim == 1]
    return [
        float((one * other).sum() / np.sqrt((one * one).sum() * (other * other).sum()))
        for one, other in pairs
    ]


# A mistake beside the right way, where vectors are long.
SAME_WAY = {r"cosine \(1 = same direction\)": None}
MADE_IN = {r"Made in all heads of layer \d": knob("layer")}

# What is on a screen and in no step: how it follows from the steps.
DERIVED: dict[str, dict[str, Source]] = {
    "": {"weights summed along a row": summed("weights")},
    "scale": {"how many times a gradient is smaller without the division": times_smaller},
    "mask": {
        "weights summed along a row, in each way to mask": summed("variant_weights"),
        "the length of a change": lengths("edit_moves", "order_moves"),
    },
    "values": {
        "effects summed along a row": summed("effect"),
        "the length of a value": lengths("value"),
        "the numbers of a value map": price_of_a_value,
    },
    "multihead": {
        "what the heads add that are not shown": out_of_sight,
        "the length of what a head adds, and of all together": lengths_added,
        "what is left for the tokens that are not shown": others_of_all_heads,
        "the numbers to learn": price,
    },
    "context": {"what is left for the tokens that are not shown": others_of_a_head},
    "stack": {"shares after each layer": named_after_each_layer},
}
