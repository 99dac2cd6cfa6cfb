"""How a part that is not installed is put beside this program."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from shlex import quote


def install(extra: str) -> str:
    """Return the command that adds one of the extras, from where the program was installed.

    Where it came from a folder or an archive, an index may not have it, or another of its name.
    """
    wanted = quote(f"{_origin() or 'attn-study'}[{extra}]")
    if find_spec("pip") is None:  # as after `uv tool install` and `pipx install`
        return f"install the program again as {wanted}"
    return f"{quote(sys.executable)} -m pip install {wanted}"


def _origin() -> str:
    """Return the folder or address that was installed, "" for an index (PEP 610)."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        told = json.loads(distribution("attn-study").read_text("direct_url.json") or "{}")
        url = str(told.get("url", ""))
    except (PackageNotFoundError, ValueError, AttributeError):
        return ""
    return url2pathname(urlsplit(url).path) if url.startswith("file:") else ""
