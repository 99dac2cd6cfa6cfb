"""Where the program begins and ends: run the command, print what a person can mend."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from attn_study.errors import UserError


def main() -> None:
    """Run the command line and exit: 0 done, 1 something was found, 2 it cannot be carried out."""
    from attn_study.cli.app import app

    try:
        app(standalone_mode=True)
    except UserError as error:
        complain(str(error))
        sys.exit(2)
    except BrokenPipeError:
        _let_go_of_output()
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        if error.filename is None:
            raise
        complain(f"{error.filename}: {error.strerror or error}")
        sys.exit(2)


def complain(words: str) -> None:
    """Print an error on standard error, harmless and in characters that it has."""
    from attn_study.render.text import encodable, safe

    with suppress(BrokenPipeError):
        encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
        print(encodable(safe(words), encoding), file=sys.stderr)


def _let_go_of_output() -> None:
    """The reader left; let the interpreter's last flush go nowhere."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
