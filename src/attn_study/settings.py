"""The few settings, with their defaults, as settings.toml holds them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from attn_study.errors import UserError, near

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

WHOLE = {"new": (0, 9999), "reviews": (0, 9999), "rollover": (0, 23)}
CHOICES = {"math": ("unicode", "ascii")}
LISTS = ("linked", "hidden")
TEXTS = ("sync",)
LONGEST = 9  # digits of a number anyone means
DECK_KEYS = ("new", "reviews")
AWAY = "mend it, or move the file away: without it the defaults serve"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the learner may choose. None of it changes what the log means.

    `new` and `reviews` are the most cards of a study day, together and for each deck that has
    no entry in `deck`; `rollover` is the hour at which a study day begins; `linked` are deck
    files kept elsewhere, `hidden` built-in decks put away; `sync` is the folder by which other
    machines have the same progress, empty where there is none.
    """

    new: int = 10
    reviews: int = 200
    rollover: int = 4
    math: str = "unicode"
    linked: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    sync: str = ""
    deck: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


def load(path: Path) -> Settings:
    """Return the settings in `path`, the defaults where there is none.

    Raises UserError naming the file and what it should say, always with what to try.
    """
    try:
        found = _toml(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return Settings()
    except (ValueError, RecursionError) as error:  # bad TOML, bad bytes, endless digits
        what = f"not valid TOML: {error}"
        raise UserError(what, where=str(path), hint=AWAY) from error
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise UserError(what, where=str(path), hint=AWAY) from error
    known = {item.name for item in fields(Settings)}
    for key in found:
        if key not in known:
            raise UserError(f"no setting is called {key!r}", where=str(path), hint=near(key, known))
    return Settings(**{key: _checked(key, value, path) for key, value in found.items()})


def _toml(text: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(text)


def _checked(key: str, value: Any, path: Path) -> Any:
    if key in WHOLE:
        return _whole(key, value, str(path))
    if key in CHOICES and value not in CHOICES[key]:
        raise UserError(f"{key} is {value!r}", where=str(path), hint=_allowed(key))
    if key in LISTS:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise UserError(f"{key} should be a list of texts", where=str(path), hint=AWAY)
        return tuple(value)
    if key in TEXTS and not isinstance(value, str):
        raise UserError(f"{key} should be a text", where=str(path), hint=AWAY)
    if key == "deck":
        return _deck_limits(value, path)
    return value


def _deck_limits(value: object, path: Path) -> dict[str, dict[str, int]]:
    if not isinstance(value, dict) or not all(isinstance(item, dict) for item in value.values()):
        what = "deck should hold tables such as [deck.mine]"
        raise UserError(what, where=str(path), hint=AWAY)
    for deck, limits in value.items():
        for key in limits:
            if key not in DECK_KEYS:
                what = f"[deck.{deck}] has no setting {key!r}"
                raise UserError(what, where=str(path), hint=near(key, DECK_KEYS))
    return {
        deck: {key: _whole(key, limit, str(path)) for key, limit in limits.items()}
        for deck, limits in value.items()
    }


def _whole(key: str, value: object, where: str) -> int:
    least, most = WHOLE[key]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise UserError(f"{key} is {value!r}", where=where, hint=_allowed(key))
    return value


def _allowed(key: str) -> str:
    if key in WHOLE:
        return "{} takes a whole number from {} to {}".format(key, *WHOLE[key])
    return f"{key} takes one of: {', '.join(CHOICES[key])}"


def parse(key: str, text: str) -> int | str:
    """Return the value that `text` gives the setting `key` (`new`, or `new.DECK` for one deck).

    Raises UserError for an unknown setting and for a value it cannot take.
    """
    name, _, deck = key.partition(".")
    settable = [*WHOLE, *CHOICES, *TEXTS]
    if name not in settable or (deck and name not in DECK_KEYS):
        rules = ("scheduler", "retention", "fuzz")  # kept in the log, and set by the same command
        of_decks = [f"{name}.DECK" for name in (*DECK_KEYS, *rules)]
        names = [*settable, *rules, *of_decks, "interval_cap"]
        raise UserError(f"no setting is called {key!r}", hint=near(key, names))
    if name in TEXTS:
        return text
    if name in CHOICES:
        if text not in CHOICES[name]:
            raise UserError(f"{text!r} is no value of {key}", hint=_allowed(name))
        return text
    if not text.isascii() or not text.isdigit() or len(text) > LONGEST:
        raise UserError(f"{text!r} is no value of {key}", hint=_allowed(name))
    return _whole(name, int(text), "")


def change(path: Path, key: str, value: int | str) -> None:
    """Write one setting into `path`, keeping the comments and order of the rest."""
    _write(path, key, lambda _: value)


def include(path: Path, key: str, item: str) -> None:
    """Write `item` into the list `key` of `path`, once."""
    _write(path, key, lambda now: list(dict.fromkeys([*getattr(now, key), item])))


def exclude(path: Path, key: str, item: str) -> None:
    """Take `item` out of the list `key` of `path`."""
    _write(path, key, lambda now: [one for one in getattr(now, key) if one != item])


def _write(path: Path, key: str, value: Callable[[Settings], int | str | list[str]]) -> None:
    """Write what `value` makes of the settings as they are, while nobody else changes them."""
    import tomlkit

    from attn_study.files import alone, write
    from attn_study.files import load as read

    with suppress(OSError):  # which the lock beside it will name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with alone(path):
        chosen = value(load(path))
        text = read(path).removeprefix("\ufeff") if path.exists() else ""
        document = tomlkit.parse(text)
        name, _, deck = key.partition(".")
        if deck:
            table = document.setdefault("deck", tomlkit.table()).setdefault(deck, tomlkit.table())
            table[name] = chosen
        else:
            document[name] = chosen
        write(path, tomlkit.dumps(document))
