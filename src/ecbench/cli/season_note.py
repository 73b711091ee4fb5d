"""What the result of a short season is worth."""

from collections.abc import Iterable

from ecbench.cli.plain_text import say
from ecbench.runs.folder import Run
from ecbench.suite.rank_error import note_of_run


def print_short_season(runs: Iterable[Run]) -> None:
    """Print a line on stderr if any of the runs has the shape of a short season."""
    for note in dict.fromkeys(filter(None, map(note_of_run, runs))):
        say(f"ecbench: note: {note}", err=True)
