"""`summary.json`: a run in one file, for readers without this program.

It is written while episodes end, as often as that takes a small share of the time, and when the command is over. No
command reads it: the results of a run come from the files of its episodes. A summary that a crash left behind, or that
was edited, misleads no command and is right again after the next `resume`.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import orjson

from ecbench.harness.messages import RetryNotice
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import EpisodeOpening, Listener, Result
from ecbench.runs.record.atomic_write import write_whole
from ecbench.runs.record.events import State
from ecbench.runs.results.summary import Summary, summarize

SUMMARY = "summary.json"
PAUSE = 20  # times as long as writing a summary took, until the next one


def write_summary(summary: Summary) -> None:
    """Where nothing was played, it stays as it was."""
    if any(result.end is not None for result in summary.results):
        write_told(summary.run.folder, summary.to_json())


def write_told(folder: Path, told: Mapping[str, Any]) -> None:
    """Where nothing may be written, or there is no room, the folder goes without. It may be moved: it is not named."""
    named = {name: value for name, value in told.items() if name != "folder"}
    with suppress(OSError):
        write_whole(folder / SUMMARY, orjson.dumps(named, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def summarize_alone(run: Run, result: Result) -> None:
    """The summary of a run that has one year: a seat of an arena, a sample of Inspect, a visitor."""
    if run.episodes == 1:
        write_summary(summarize(run, [result]))


class SummaryWriter:
    """A listener that keeps the summary of a run up to date, and passes everything on to another listener.

    A summary takes time in proportion to the episodes that are over. Writing one after each episode would make the time
    of a run grow with the square of its episodes.
    """

    def __init__(self, run: Run, listener: Listener, results: Sequence[Result] = ()) -> None:
        self._run = run
        self._results = list(results)  # of episodes that were over before
        self._listener = listener
        self._next = 0.0

    def opened(self, episode: int, opening: EpisodeOpening) -> None:
        self._listener.opened(episode, opening)

    def progressed(self, episode: int, state: State) -> None:
        self._listener.progressed(episode, state)

    def on_retry(self, episode: int, notice: RetryNotice) -> None:
        self._listener.on_retry(episode, notice)

    def closed(self, result: Result) -> None:
        self._results.append(result)
        began = monotonic()
        if began >= self._next:
            write_summary(summarize(self._run, self._results))
            self._next = monotonic() + PAUSE * (monotonic() - began)
        self._listener.closed(result)
