"""The kinds of seasons: how long their years are and on how many worlds they are played.

A full season has two whole years on each world. A short one has a single half-year: it costs about a quarter of the
calls and ranks less exactly.
"""

from dataclasses import dataclass
from typing import Literal

from ecbench.runs.folder import Run
from ecbench.runs.results.ranking import FULL_YEAR

KindName = Literal["full", "short"]


@dataclass(frozen=True, slots=True)
class SeasonKind:
    """The shape of a season."""

    name: KindName
    days: int  # of a year
    worlds: int  # fresh ones
    years: int  # on each world

    def has_shape_of(self, run: Run) -> bool:
        """Whether a run has as many worlds, years and days; `default` is played beside the fresh worlds."""
        sites = self.worlds + 1
        return (run.terms.days, len(run.worlds), run.episodes) == (self.days, sites, self.years * sites)

    @property
    def note(self) -> str:
        """What a result of a short season is worth, in a line; empty for a full season."""
        if self.name != "short":
            return ""
        return (
            f"a short season, {self.worlds} worlds of {self.days} days, ranks only within the season and less exactly "
            "than whole years do"
        )


FULL = SeasonKind("full", FULL_YEAR, worlds=10, years=2)
SHORT = SeasonKind("short", 180, worlds=10, years=1)
KINDS = {kind.name: kind for kind in (FULL, SHORT)}
