"""Two schedulers side by side: what each would have asked for, and how well FSRS foretells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.text import wrap
from attn_study.wording import counted

if TYPE_CHECKING:
    from attn_study.memory.insight.comparing import Comparison
    from attn_study.memory.insight.foretelling import Score

NAMES = {"sm2": "SM-2", "fsrs": "FSRS-6"}
WIDTH, NARROW = 24, 14  # of the names in front of the figures
ROOM = 52  # columns that the wide names take with their figures
COST_SAYS = (
    "Between two reviews of a card each asks on its own days, and what it asks there is taken as "
    "good; the grades are yours. Whether other days would have brought other answers, no log can "
    "say."
)
SCORE_SAYS = (
    "Smaller is better, but for AUC, where one half is a guess. The average is that of these very "
    "reviews, known only afterwards. SM-2 gives days, not probabilities: it foretells nothing."
)


def comparison_lines(found: Comparison, columns: int) -> list[Text]:
    """Return the lines of `stats --compare`, at most `columns` wide."""
    if not found.reviews:
        return [Text("Nothing to compare yet: no card was reviewed.")]
    span = f"{counted(found.reviews, 'review(|s)')} in {counted(found.days, 'day(|s)')}"
    lines = [Text("Compared on your own log", "bold"), Text(f"  {span}"), Text()]
    lines.append(Text("  reviews a day", "bold"))
    lines.append(Text(f"  {'as it was':<{WIDTH}}{found.a_day:8.1f}"))
    lines += [
        Text(f"  {f'{NAMES[name]} would have asked':<{WIDTH}}{cost:8.1f}")
        for name, cost in found.cost.items()
    ]
    lines += [*_said(COST_SAYS, columns), Text(), *_scores(found, columns)]
    return lines


def _scores(found: Comparison, columns: int) -> list[Text]:
    if found.fsrs is None or found.constant is None:
        return [Text("  How well recall is foretold: no card was reviewed on two days yet.")]
    reviews = counted(found.foretold, "review(|s)")
    width, name = (WIDTH, "recall foretold") if columns >= ROOM else (NARROW, "foretold")
    head = f"  {name:<{width}}{'log loss':>9}{'RMSE':>8}{'AUC':>7}"
    lines = [
        Text(head, "bold"),
        _score("FSRS-6", found.fsrs, width),
        _score(f"always {found.average:.1%}", found.constant, width),
    ]
    return [*lines, *_said(f"Of {reviews} that came after another. {SCORE_SAYS}", columns)]


def _score(name: str, score: Score, width: int) -> Text:
    auc = "–" if score.auc is None else f"{score.auc:.3f}"
    return Text(f"  {name:<{width}}{score.log_loss:9.4f}{score.rmse:8.4f}{auc:>7}")


def _said(words: str, columns: int) -> list[Text]:
    width = min(columns, 80) - 2
    return [Text(f"  {line}", "dim") for line in wrap(words, max(width, 1))]
