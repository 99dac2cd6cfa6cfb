"""The zone of a log that says none itself: a name, a distance from UTC, or the learner's own."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING, NamedTuple

from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.cli.world import World

AHEAD = re.compile(r"([+-])(\d\d):?(\d\d)")
HINT = "for example --zone Asia/Shanghai, or --zone +08:00"


class Zone(NamedTuple):
    """Where answers were given; without a `tz`, wherever this machine is."""

    tz: tzinfo | None

    def local(self, at: datetime) -> datetime:
        """Return the wall-clock time of an instant.

        Raises ValueError, OverflowError or OSError where no calendar has it.
        """
        return at.astimezone(self.tz)


def zone_of(world: World, name: str) -> Zone:
    """Return the zone called `name`; the local one, which is said, where none is named.

    Raises UserError for what is no zone.
    """
    if name:
        return Zone(_named(name))
    frozen = world.frozen
    here = (frozen.tzinfo if frozen else None, f"{world.clock():%Z}")
    world.say(f"no --zone was named: the days are those of this machine's zone ({here[1]})")
    return Zone(here[0])


def _named(name: str) -> tzinfo:
    if name.upper() in ("UTC", "Z"):
        return UTC
    if ahead := AHEAD.fullmatch(name):
        sign, hours, minutes = ahead.groups()
        away = timedelta(hours=int(hours), minutes=int(minutes))
        if int(minutes) < 60 and away < timedelta(days=1):
            return timezone(away if sign == "+" else -away)
        raise UserError(f"no zone is {name} away from UTC", hint=HINT)
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (OSError, ValueError, LookupError) as error:
        raise UserError(f"no time zone is called {name!r} here", hint=HINT) from error
