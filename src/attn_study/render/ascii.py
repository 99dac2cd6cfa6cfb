"""Text for consoles that know few characters: decorations spelled, the rest a visible "?"."""

from __future__ import annotations

import re
import unicodedata

from attn_study.render.cells import cells, clusters

SUBSCRIPT = dict(
    zip(
        "0123456789+-=()aehijklmnoprstuvxβγρφχ",
        "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
        strict=True,
    )
)
SUPERSCRIPT = dict(
    zip(
        "0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ",
        strict=True,
    )
)

_GREEK = """
α alpha β beta γ gamma δ delta ε epsilon ϵ epsilon ζ zeta η eta θ theta ϑ theta ι iota κ kappa
λ lambda μ mu µ mu ν nu ξ xi ο omicron π pi ϖ pi ρ rho ϱ rho σ sigma ς sigma τ tau υ upsilon
φ phi ϕ phi χ chi ψ psi ω omega Α Alpha Β Beta Γ Gamma Δ Delta Ε Epsilon Ζ Zeta Η Eta Θ Theta
Ι Iota Κ Kappa Λ Lambda Μ Mu Ν Nu Ξ Xi Ο Omicron Π Pi Ρ Rho Σ Sigma Τ Tau Υ Upsilon Φ Phi Χ Chi
Ψ Psi Ω Omega
"""
_MATHEMATICS = r"""
≤ <= ≥ >= ≠ != ≈ ~= ≡ == ∼ ~ ≃ ~= ≅ ~= ∝ propto ∈ in ∉ not-in ∋ contains ⊂ subset ⊆ subseteq
⊃ supset ⊇ supseteq ≪ << ≫ >> ≺ prec ≻ succ ≔ := ≜ := ≐ .= ≲ <~ ≳ >~ ∣ | ∥ || ‖ || ⊢ |- ⊨ |=
→ -> ← <- ↔ <-> ⇒ => ⇐ <== ⇔ <=> ↦ |-> ⟶ --> ⟼ |--> ↑ ^ ↓ v ↕ <-> · . ⋅ . × x ÷ / ± +/- ∓ -/+
⊕ (+) ⊖ (-) ⊗ (x) ⊙ (.) ∘ o ∗ * ⋆ * ∪ union ∩ intersect ∖ \ ∧ and ∨ or ¬ not ⋀ and ⋁ or
⋃ union ⋂ intersect ∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∮ oint √ sqrt ∞ inf ∂ partial ∇ nabla
⊤ T ⊥ _|_ ∀ forall ∃ exists ∄ not-exists ∅ {} ℏ hbar ℓ l ℝ R ℂ C ℕ N ℙ P ℚ Q ℤ Z ℍ H ′ ' ″ ''
° deg ⟨ < ⟩ > ⌊ |_ ⌋ _| ⌈ |^ ⌉ ^| − - ⋯ ... ⋮ : ⋱ \ † + △ ^
⎛ / ⎜ | ⎝ \ ⎞ \ ⎟ | ⎠ / ⎡ [ ⎢ [ ⎣ [ ⎤ ] ⎥ ] ⎦ ] ⎧ / ⎨ < ⎩ \ ⎪ | ⎫ \ ⎬ > ⎭ /
"""
_DECORATIONS = r"""
✓ ok ✔ ok ✗ x ✘ x ▸ > ▶ > ► > ▹ > ◂ < ◀ < ▾ v ▴ ^ • * ◦ o ● * ○ o ■ # □ o ▪ # ★ * ☆ *
█ # ▉ # ▊ # ▋ # ▌ # ▍ - ▎ - ▏ - ▐ # ▀ # ▄ = ▁ _ ▂ . ▃ - ▅ = ▆ + ▇ # ░ . ▒ + ▓ #
— -- – - ‐ - ‑ - ― -- … ... “ " ” " „ " ‘ ' ’ ' ‚ ' « << » >> ‹ < › > ␡ ^? ═ = ╱ / ╲ \ ╳ X
"""


def _pairs(table: str) -> dict[str, str]:
    words = table.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def _lines_and_pictures() -> dict[str, str]:
    table = dict.fromkeys(map(chr, range(0x2500, 0x2580)), "+")
    table |= dict.fromkeys("─━┄┅┈┉╌╍╴╶╸╺", "-") | dict.fromkeys("│┃┆┇┊┋╎╏╵╷╹╻║", "|")
    table |= dict.fromkeys(map(chr, range(0x2801, 0x2900)), "*")  # dots of line plots
    table |= {chr(0x2400 + code): f"^{chr(64 + code)}" for code in range(0x20)}
    return table | dict.fromkeys("\u00a0\u2002\u2003\u2009\u202f\u2800", " ")


SPELLED = _lines_and_pictures() | _pairs(_GREEK) | _pairs(_MATHEMATICS) | _pairs(_DECORATIONS)

_PLAIN = {glyph: plain for plain, glyph in (SUBSCRIPT | SUPERSCRIPT).items()}
_PLAIN |= {glyph: plain for plain, glyph in SUBSCRIPT.items()}
_SCRIPTS = re.compile(
    "(?P<down>[" + "".join(SUBSCRIPT.values()) + "]+)|[" + "".join(SUPERSCRIPT.values()) + "]+"
)
_ROOT = re.compile(r"√(\w+)")
_SELECTORS = re.compile("[\ufe0e\ufe0f]")


def to_ascii(text: str) -> str:
    """Return `text` in ASCII: √dₖ · α becomes sqrt(d_k) . alpha, and 注 becomes "??"."""
    return encodable(text, "ascii")


def encodable(text: str, encoding: str) -> str:
    """Return `text` with only those characters replaced that `encoding` does not know.

    A character without a spelling becomes one "?" for each cell it takes. An encoding
    Python does not know counts as ASCII.
    """
    if _fits(text, encoding):
        return text
    if not _fits("√", encoding):
        text = _ROOT.sub(r"sqrt(\1)", text)
    text = _SCRIPTS.sub(lambda run: run[0] if _fits(run[0], encoding) else _script(run), text)
    if _fits(text, encoding):
        return text
    done: list[str] = []
    pieces = clusters(text)
    for piece, following in zip(pieces, [*pieces[1:], ""], strict=True):
        spelled = piece if _fits(piece, encoding) else _spell(piece, encoding)
        if spelled != piece and spelled.isalpha() and len(spelled) > 1:
            before = " " if done and done[-1][-1:].isalnum() else ""
            after = " " if following[:1].isalnum() else ""
            spelled = before + spelled + after
        done.append(spelled)
    return "".join(done)


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    except LookupError:
        return text.isascii()
    return True


def _script(run: re.Match[str]) -> str:
    plain = "".join(_PLAIN[glyph] for glyph in run[0])
    following = run.string[run.end() : run.end() + 1]
    gap = " " if following.isalnum() and following not in _PLAIN else ""
    return ("_" if run["down"] else "^") + plain + gap


def _spell(cluster: str, encoding: str) -> str:
    bare = unicodedata.normalize("NFC", _SELECTORS.sub("", cluster))
    if bare and _fits(bare, encoding):
        return bare
    return SPELLED.get(bare) or "?" * max(1, cells(cluster))
