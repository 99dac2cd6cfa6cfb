"""One form for what different hands write: LaTeX, Unicode and plain typing of the same answer.

Two answers count as the same when their canonical forms are equal. Case, spaces, accents and
notation are forgiven; a letter, a digit, a sign or an index is not.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

SHORTEST_WORD = 5  # letters of a word in which one wrong letter is a slip
LONGEST = 2_000  # characters; a longer text is its own form

GREEK = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi",
    "psi", "omega",
)  # fmt: skip
LETTERS = dict(zip(GREEK, "αβγδεζηθικλμνξοπρστυφχψω", strict=True))
WORDS = LETTERS | {
    "varepsilon": "ε", "vartheta": "θ", "varphi": "φ", "sqrt": "√", "infty": "∞",
    "infinity": "∞", "inf": "∞", "times": "*", "cdot": "*", "ast": "*", "div": "/",
    "top": "t", "intercal": "t", "sum": "∑", "prod": "∏", "leq": "<=", "le": "<=",
    "geq": ">=", "ge": ">=", "neq": "!=", "ne": "!=", "approx": "≈", "pm": "±", "oplus": "⊕",
    "odot": "⊙", "otimes": "⊗", "partial": "∂", "nabla": "∇", "in": "∈", "notin": "∉",
    "Sigma": "∑", "rightarrow": "->", "to": "->", "ldots": "...", "cdots": "...", "dots": "...",
}  # fmt: skip
TYPED = {*GREEK, "sqrt", "infinity", "inf", "sum"}  # also without a backslash
SILENT = {
    "left", "right", "big", "bigl", "bigr", "Big", "Bigl", "Bigr", "text", "textrm", "textbf",
    "textit", "mathrm", "mathbf", "mathit", "mathbb", "mathcal", "mathsf", "boldsymbol", "bm",
    "operatorname", "displaystyle", "limits", "quad", "qquad",
}  # fmt: skip
SIGNS = str.maketrans(
    {
        "×": "*", "·": "*", "⋅": "*", "∙": "*", "∗": "*", "−": "-", "–": "-", "—": "-",
        "‐": "-", "‑": "-", "≤": "<=", "≥": ">=", "≠": "!=", "→": "->", "⟶": "->",
        "…": "...", "⊤": "t", "⊺": "t", "Σ": "∑", "’": "'", "‘": "'", "“": '"', "”": '"',
    }
)  # fmt: skip

DELIMITER = re.compile(r"\\[()\[\]]|\$+")
COMMAND = re.compile(r"\\([A-Za-z]+)\s*")
SPACING = re.compile(r"\\[,;:! ]|~|&")
FRACTION = re.compile(r"\\[dt]?frac\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}\s*\{")
WORD_RUN = re.compile(r"[^\W\d_]+")
NAME = re.compile(r"(?<![A-Za-z])([A-Za-z]+)(?![A-Za-z])")
BETWEEN = re.compile(r"(?<=[\w\])}])\s+x\s+(?=[\w(\[])|(?<=\d)x(?=\d)")
# Brackets around one thing: not behind a name or a number, and not in 1/(2x)
LONE = re.compile(r"(?<![\w)\]])(?!(?<=/)\(\d+[^\W\d])\((?P<atom>[\w√∞.^]+)\)")
MARKED = re.compile(r"(?<=[_^√])\((?P<atom>-?[\w√∞.^]+)\)")
HYPHEN = re.compile(r"(?<=[a-z]{2})-(?=[a-z]{2})")
ACCENT = re.compile("[\u0300-\u0337\u0339-\u036f]")  # U+0338 makes ∉ of ∈
EDGE = " .,;:?\"'`"


def canonical(text: str) -> str:
    """Return the form in which equal answers are equal; "" for nothing but punctuation."""
    if len(text) > LONGEST:
        return text
    joined = HYPHEN.sub("", re.sub(r"\s+", "", _signs(text)))
    return _bare(joined).strip(EDGE)


def is_slip(wanted: str, given: str) -> bool:
    """Whether two answers differ by one letter, or two swapped, within one longer word."""
    ours, theirs = canonical(wanted), canonical(given)
    shorter = min(len(ours), len(theirs))
    begin = 0
    while begin < shorter and ours[begin] == theirs[begin]:
        begin += 1
    end = 0
    while end < shorter - begin and ours[-1 - end] == theirs[-1 - end]:
        end += 1
    lost, added = ours[begin : len(ours) - end], theirs[begin : len(theirs) - end]
    one = len(lost) <= 1 and len(added) <= 1
    swapped = len(lost) == 2 and lost == added[::-1]
    return (lost + added).isalpha() and (one or swapped) and _in_word(wanted, ours, begin)


def _in_word(wanted: str, form: str, place: int) -> bool:
    """Whether a place in the form of an answer lies within one of its longer words."""
    words = {word for word in WORD_RUN.findall(_signs(wanted)) if len(word) >= SHORTEST_WORD}
    return any(
        match.start() <= place <= match.end()
        for word in words
        for match in re.finditer(re.escape(word), form)
    )


def _signs(text: str) -> str:
    """The text with one sign for each thing, words still apart."""
    text = DELIMITER.sub(" ", text).replace(r"\{", "⦃").replace(r"\}", "⦄")
    text = _commands(_fractions(text))
    text = _scripts(text.translate(SIGNS))
    text = unicodedata.normalize("NFKD", text)
    text = unicodedata.normalize("NFC", ACCENT.sub("", text)).translate(SIGNS)
    text = NAME.sub(lambda match: _typed(match[1]), text)
    text = BETWEEN.sub("*", text).replace("{", "(").replace("}", ")")
    return text.casefold().strip().strip(EDGE)


def _fractions(text: str) -> str:
    r"""`\frac{a}{b}` as `{a}/{b}`, from the outermost inwards."""
    while match := FRACTION.search(text):
        text = f"{text[: match.start()]}{{{match[1]}}}/{{{text[match.end() :]}"
    return text


def _commands(text: str) -> str:
    """LaTeX commands as signs, or as their bare names."""
    return COMMAND.sub(lambda match: _command(match[1]), SPACING.sub(" ", text))


def _command(name: str) -> str:
    if name in SILENT:
        return " "
    return WORDS.get(name) or LETTERS.get(name.lower()) or f" {name} "


def _typed(name: str) -> str:
    lower = name.lower()
    return WORDS[lower] if lower in TYPED else name


def _scripts(text: str) -> str:
    """Raised and lowered characters as `^` and `_` with what stands there."""
    found = []
    for mark, run in groupby(text, _height):
        chars = "".join(run)
        found.append(f"{mark}({unicodedata.normalize('NFKC', chars)})" if mark else chars)
    return "".join(found)


def _height(char: str) -> str:
    form = unicodedata.decomposition(char)
    return "^" if form.startswith("<super>") else "_" if form.startswith("<sub>") else ""


def _bare(text: str) -> str:
    """Without brackets that hold one thing, and without one pair around the whole."""
    simpler = MARKED.sub(r"\g<atom>", LONE.sub(r"\g<atom>", text))
    while simpler != text:
        text, simpler = simpler, MARKED.sub(r"\g<atom>", LONE.sub(r"\g<atom>", simpler))
    inside = text[1:-1]
    whole = text[:1] + text[-1:] in ("[]", "()", "⦃⦄")
    return inside if whole and not re.search(r"[,()\[\]⦃⦄]", inside) else text
