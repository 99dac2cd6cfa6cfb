"""One report in the form asked for: JSON, a page of the terminal, or one fact a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.render.insight.stats import NARROWEST

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.text import Text

    from attn_study.cli.world import World


@dataclass(frozen=True, slots=True)
class Report:
    """What a command reports: `fields` under the schema `name`, a `page` of so many columns, or
    `facts` line by line. Only what is asked for is worked out.
    """

    name: str
    fields: Callable[[], Mapping[str, object]]
    page: Callable[[int], list[Text]]
    facts: Callable[[], list[Text]]

    def show(self, world: World, *, plain: bool, json: bool) -> None:
        """Print it. Without a terminal, or in a very narrow one, it goes line by line."""
        if json:
            world.json(self.name, **self.fields())
        elif plain or world.columns is None or world.columns < NARROWEST:
            world.show(self.facts())
        else:
            world.page(self.page(world.columns))
