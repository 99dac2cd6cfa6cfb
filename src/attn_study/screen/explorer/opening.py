"""The explorer opened from a card: at the card's demo and knobs, and back to the card."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.screen.explorer.predicting import first_predict
from attn_study.screen.explorer.scene import Scene
from attn_study.screen.explorer.sight import too_small
from attn_study.screen.explorer.state import State
from attn_study.screen.settled import lesson_at

if TYPE_CHECKING:
    from attn_study.screen.terminal import Terminal
    from attn_study.sitting import Face

REDIRECTED = "the explorer draws on standard error, which is no terminal here"


def from_card(face: Face, terminal: Terminal, *, ascii: bool, predict: bool) -> str:
    """Explore the card's demo until the learner comes back; return what is to be said then.

    With `predict` a number is asked for first, so that the answer is not given away.
    """
    refused = too_small(*terminal.size) or ("" if _are_terminals(terminal) else REDIRECTED)
    if refused:
        return refused
    try:
        at = lesson_at(face)
        state = State.of(Scene(at.lesson, at.given), at.focus, seed=face.demo_seed)
        state = first_predict(state) if predict else state
    except UserError as error:
        return str(error)
    if predict and state.page != "predict":
        return "the answer first: this demo has nothing to ask before it"
    from attn_study.screen.explorer.app import explore

    try:
        with terminal.paused():
            left, ended_by = explore(state, terminal.console, ascii=ascii)
    except UserError as error:
        return str(error)
    if ended_by:  # meant for the program: the review hears it again and ends as ever
        signal.raise_signal(ended_by)
    return f"copied: {left.copied}" if left.copied else ""


def _are_terminals(terminal: Terminal) -> bool:
    """Return whether both outputs are terminals: Textual draws on standard error."""
    outputs = (terminal.console.file, sys.__stderr__)
    return all(output is not None and output.isatty() for output in outputs)
