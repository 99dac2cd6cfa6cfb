"""Where the program begins and ends: run the command, print what a person can mend."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress

from attn_study.cli.streams import ReaderLeftError, broken, prepare
from attn_study.errors import UserError

INTERRUPTED = 130  # what shells expect of a program that Ctrl-C ended


def main() -> None:
    """Run the command line and exit: 0 done, 1 something was found, 2 it cannot be carried out."""
    prepare()
    gc.disable()  # until a screen is drawn: a start makes much that stays, and drops nothing
    from attn_study.cli.app import app

    try:
        _check_words(sys.argv)
        app(standalone_mode=True)
    except UserError as error:
        _end(2, str(error))
    except (ReaderLeftError, BrokenPipeError):
        _end(0)
    except SystemExit as error:
        if not isinstance(error.__context__, BrokenPipeError):
            raise
        _end(0)
    except KeyboardInterrupt:
        _end(INTERRUPTED)
    except OSError as error:
        if error.filename is None and error.strerror is None:
            raise
        _end(2, str(_explained(error)))
    finally:
        gc.enable()


def _explained(error: OSError) -> UserError:
    """Return what a fault of the system means; without the name of a file it is the output's."""
    why = str(error.strerror or error)
    if error.filename is None:
        hint = "make room there, or let the output go elsewhere"
        return UserError(f"the output cannot be written: {why}", hint=hint)
    hint = "check what stands there, and who may use it"
    return UserError(why, where=str(error.filename), hint=hint)


def _check_words(words: list[str]) -> None:
    """Refuse a word that is no text in the terminal's encoding: no file could hold it."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise UserError(
                f"{word} is not text", hint="it is not in this terminal's encoding"
            ) from None


def _end(code: int, words: str = "") -> None:
    """Exit after a last word; what still sits in the buffers of a closed output goes nowhere."""
    with suppress(OSError, ValueError):
        if words:
            print(broken(words, sys.stderr), file=sys.stderr)
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError, AttributeError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
    sys.exit(code)
