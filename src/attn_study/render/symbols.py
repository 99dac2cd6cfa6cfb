"""LaTeX commands and the terminal glyphs they stand for."""

from __future__ import annotations


def _words(table: str) -> list[str]:
    return table.split()


def _pairs(table: str) -> dict[str, str]:
    words = _words(table)
    return dict(zip(words[::2], words[1::2], strict=True))


_RELATIONS = _pairs("""
le ≤ leq ≤ leqslant ≤ ge ≥ geq ≥ geqslant ≥ ne ≠ neq ≠ approx ≈ equiv ≡ sim ∼ simeq ≃ cong ≅
propto ∝ in ∈ ni ∋ notin ∉ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ ll ≪ gg ≫ prec ≺ succ ≻
to → rightarrow → longrightarrow ⟶ leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐
Leftrightarrow ⇔ implies ⇒ iff ⇔ mapsto ↦ longmapsto ⟼ uparrow ↑ downarrow ↓ coloneqq ≔
triangleq ≜ doteq ≐ lesssim ≲ gtrsim ≳ mid | parallel ∥ vdash ⊢ models ⊨ lt < gt >
""")
_BINARY = _pairs("""
cdot · times × oplus ⊕ ominus ⊖ otimes ⊗ odot ⊙ circ ∘ pm ± mp ∓ div ÷ ast ∗ star ⋆ bullet •
cup ∪ cap ∩ setminus ∖ wedge ∧ land ∧ vee ∨ lor ∨ bmod mod
""")
_ORDINARY = _pairs("""
alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι
kappa κ lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ
upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ
Upsilon Υ Phi Φ Psi Ψ Omega Ω
infty ∞ partial ∂ nabla ∇ top ⊤ bot ⊥ forall ∀ exists ∃ nexists ∄ emptyset ∅ varnothing ∅ hbar ℏ
ell ℓ neg ¬ lnot ¬ prime ′ degree ° checkmark ✓ square □ blacksquare ■ triangle △ dagger †
ldots … dots … dotsc … dotsb ⋯ cdots ⋯ vdots ⋮ ddots ⋱ backslash \\ vert | Vert ‖ | ‖
""")
_BIG = _pairs("""
sum ∑ prod ∏ coprod ∐ bigcup ⋃ bigcap ⋂ bigoplus ⊕ bigotimes ⊗ bigodot ⊙ bigvee ⋁ bigwedge ⋀
int ∫ iint ∬ oint ∮
""")
_OPENING = _pairs("langle ⟨ lfloor ⌊ lceil ⌈ lvert | lVert ‖ lbrace { { { lbrack [")
_CLOSING = _pairs("rangle ⟩ rfloor ⌋ rceil ⌉ rvert | rVert ‖ rbrace } } } rbrack ]")
_NAMES = _words("""
exp log ln lg max min sup inf lim limsup liminf argmax argmin sin cos tan cot sec csc sinh cosh
tanh arcsin arccos arctan arg det dim gcd ker hom deg Pr
""")

# command → (glyph, kind); the kinds are TeX's own classes, which decide the spaces
SYMBOLS: dict[str, tuple[str, str]] = {
    name: (glyph, kind)
    for kind, table in (
        ("rel", _RELATIONS),
        ("bin", _BINARY),
        ("ord", _ORDINARY),
        ("op", _BIG),
        ("op", {name: name for name in _NAMES}),
        ("open", _OPENING),
        ("close", _CLOSING),
        ("punct", {"colon": ":"}),
        ("ord", {char: char for char in "%$#_&"}),
    )
    for name, glyph in table.items()
}

KINDS = {
    **dict.fromkeys("([", "open"),
    **dict.fromkeys(")].!?", "close"),
    **dict.fromkeys("=<>≤≥≠≈≡∼∝∈∉⊂⊆→←↔⇒⇔↦", "rel"),
    **dict.fromkeys("+-*·×⊕⊗⊙∘±÷−∪∩", "bin"),
    **dict.fromkeys(",;", "punct"),
}

SPACES = {
    **dict.fromkeys(",:;> ~\n", 1),  # cells; a terminal has no thinner space than one
    **dict.fromkeys(["enspace", "space", "thinspace", "medspace", "thickspace"], 1),
    "quad": 2,
    "qquad": 4,
}
SILENT = frozenset(
    _words(
        "! limits nolimits displaystyle textstyle scriptstyle middle "
        "big Big bigg Bigg bigl Bigl biggl Biggl bigr Bigr biggr Biggr bigm Bigm biggm Biggm"
    )
)
LIMITS = frozenset(
    _words(
        "sum prod coprod bigcup bigcap bigoplus bigotimes bigodot bigvee bigwedge "
        "max min sup inf lim limsup liminf argmax argmin det gcd Pr"
    )
)

TEXT = frozenset(_words("text textrm textbf textit texttt textsf textnormal mbox"))
FONTS = frozenset(
    _words("mathrm mathbf mathit mathsf mathtt mathcal mathscr mathfrak mathbb boldsymbol bm bf rm")
)
DOUBLE_STRUCK = dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True))

# accent → (combining mark for one letter, row drawn above longer things, whether it stretches)
ACCENTS: dict[str, tuple[str, str, bool]] = {
    "hat": ("\u0302", "^", False),
    "widehat": ("\u0302", "^", False),
    "tilde": ("\u0303", "~", False),
    "widetilde": ("\u0303", "~", False),
    "bar": ("\u0304", "_", True),
    "overline": ("\u0305", "_", True),
    "underline": ("\u0332", "─", True),
    "dot": ("\u0307", ".", False),
    "ddot": ("\u0308", "..", False),
    "check": ("\u030c", "v", False),
    "vec": ("\u20d7", "→", False),
    "overrightarrow": ("\u20d7", "→", False),
}

BRACKETS = {
    "matrix": ("", ""),
    "smallmatrix": ("", ""),
    "array": ("", ""),
    "pmatrix": ("(", ")"),
    "bmatrix": ("[", "]"),
    "Bmatrix": ("{", "}"),
    "vmatrix": ("|", "|"),
    "Vmatrix": ("‖", "‖"),
    "cases": ("{", ""),
}
ALIGNED = frozenset(["aligned", "align", "align*", "split", "gathered", "gather", "gather*"])

# how many arguments a command takes when it is itself an argument, as in x^\frac12
ARGUMENTS = {
    **dict.fromkeys(
        [*TEXT, *FONTS, *ACCENTS, "operatorname", "sqrt", "underbrace", "overbrace"], 1
    ),
    **dict.fromkeys(["frac", "dfrac", "tfrac", "cfrac", "binom", "overset", "underset"], 2),
    "stackrel": 2,
}
