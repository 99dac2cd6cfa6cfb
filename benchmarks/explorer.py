"""The promises: the explorer is there at once, and every key is answered before it is noticed.

Its first frame stands on a pseudo-terminal in less than 2.5 times the time on the wall that
`python -c "import numpy, textual.app"` takes, measured in turn. A key press is redrawn within
50 ms at 12 tokens and 8 heads, and with the trained model: from the key to the last byte of the
frame, each key several times, its median. Unix only.

    python benchmarks/explorer.py
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from homes import NOW
from measure import PROGRAM, SLOWING, Promise, compared, concluded

if TYPE_CHECKING:
    from collections.abc import Iterator

BASELINE = (sys.executable, "-c", "import numpy, textual.app")
SMALL = ("head",)
TWELVE = ("multihead", "--text", "the cat saw the dog and then it sat down on it")
LARGE = (*TWELVE, "--heads", "8", "--d-model", "64")
TRAINED = ("multihead", "--weights", "trained")
FIRST = 2.5  # times the imports
ANSWERED = 0.050  # seconds
TIMES = 5  # presses of each key
SIZE = (24, 80)
PATIENCE = 20.0  # seconds
HAS_FRAMES = b"\x1b[?2026$p"  # asked by the program: does the terminal draw whole frames?
YES = b"\x1b[?2026;2$y"
FRAME_END = b"\x1b[?2026l"
# What a press is called, and the keys that go through it; each must draw something new.
KEYS = {
    "query": (b"\x1b[D", b"\x1b[C"),
    "key": (b"\x1b[A", b"\x1b[B"),
    "head": (b"h",),
    "step": (b" ",),
    "temperature": (b"]", b"["),
    "mask": (b"k",),
    "scale": (b"s",),
    "layout": (b"t",),
    "seed": (b"r",),
    "undo": (b"u",),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """How long a key takes to be redrawn, in seconds: the median of its presses."""

    name: str
    seconds: float

    @property
    def is_kept(self) -> bool:
        return self.seconds < ANSWERED

    def __str__(self) -> str:
        broken = "" if self.is_kept else "   BROKEN"
        limit = f"promised: under {ANSWERED * 1e3:.0f} ms"
        return f"{'key press, ' + self.name:<34} {self.seconds * 1e3:7.1f} ms   {limit}{broken}"


class Window:
    """The explorer on a pseudo-terminal that draws whole frames and says so."""

    def __init__(self, words: tuple[str, ...], home: str) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in SLOWING}
        changed = {"ATTN_STUDY_HOME": home, "ATTN_STUDY_NOW": NOW, "TERM": "xterm-256color"}
        self._terminal, inner = pty.openpty()
        _resize(inner, *SIZE)
        self.since = time.perf_counter()
        self._child = subprocess.Popen(
            (*PROGRAM, "demo", *words, "--explore"),
            env=kept | changed,
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)

    def frame(self, since: float, holding: bytes = b"") -> float:
        """Return the seconds from then until a frame ends, that of `holding` if it is given."""
        seen = b""
        deadline = time.perf_counter() + PATIENCE
        while FRAME_END not in seen or holding not in seen:
            if time.perf_counter() > deadline:
                raise RuntimeError(f"no frame came: {seen[-200:]!r}")
            piece = os.read(self._terminal, 65_536)
            seen += piece
            if HAS_FRAMES in piece:
                os.write(self._terminal, YES)
        return time.perf_counter() - since

    def press(self, key: bytes) -> float:
        """Return the seconds until the frame that answers a key is whole."""
        since = time.perf_counter()
        os.write(self._terminal, key)
        return self.frame(since)

    def close(self) -> None:
        """End the program."""
        with suppress(OSError):
            os.close(self._terminal)
        self._child.kill()
        self._child.wait()


def _resize(terminal: int, rows: int, columns: int) -> None:
    import fcntl
    import struct
    import termios

    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def first_frame(home: str) -> float:
    """Return the seconds from the start of the program until its first frame is whole."""
    with closing(Window(SMALL, home)) as window:
        return window.frame(window.since, holding=b" quit")


def imports() -> float:
    kept = {name: value for name, value in os.environ.items() if name not in SLOWING}
    before = time.perf_counter()
    subprocess.run(BASELINE, env=kept, stdin=subprocess.DEVNULL, check=True)
    return time.perf_counter() - before


def answers(words: tuple[str, ...], home: str) -> Iterator[Answer]:
    """Press every key several times."""
    with closing(Window(words, home)) as window:
        window.frame(window.since, holding=b" quit")
        for name, keys in KEYS.items():
            taken = [window.press(key) for _ in range(TIMES) for key in keys]
            yield Answer(name, median(taken))


def main() -> int:
    with tempfile.TemporaryDirectory() as home:
        print(f"wall time of the first frame / of `python -c '{BASELINE[-1]}'`")
        found = compared(lambda: first_frame(home), imports)
        code = concluded([Promise("demo head --explore, first frame", found, FIRST)])
        for words in (LARGE, TRAINED):
            print(f"demo {' '.join(words)}")
            for answer in answers(words, home):
                print(answer, flush=True)
                code |= int(not answer.is_kept)
        return code


if __name__ == "__main__":
    if sys.platform == "win32":
        sys.exit("pseudo-terminals are of Unix")
    sys.exit(main())
