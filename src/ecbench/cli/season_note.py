"""What the result of a short season is worth."""

from collections.abc import Iterable

from ecbench.cli.plain_text import say
from ecbench.runs.folder import Run
from ecbench.suite.season_kinds import SHORT


def print_short_season(runs: Iterable[Run]) -> None:
    """Print a line on stderr if any of the runs has the shape of a short season."""
    if any(map(SHORT.has_shape_of, runs)):
        say(f"ecbench: note: {SHORT.note}", err=True)
