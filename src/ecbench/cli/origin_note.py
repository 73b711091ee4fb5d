"""Where the figures of a run come from that another version recorded."""

from collections.abc import Iterable

from ecbench.cli.plain_text import say
from ecbench.runs.folder import Run


def print_origins(runs: Iterable[Run]) -> None:
    """Print a line on stderr for each folder of another version."""
    for folder, origin in dict.fromkeys((run.folder, run.origin) for run in runs):
        if not origin.replayable:
            say(f"ecbench: note: {folder} was {origin.note}", err=True)
