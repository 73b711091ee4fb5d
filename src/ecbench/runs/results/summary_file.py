"""`summary.json`: a run in one file, for whoever reads folders without this program.

It is written anew whenever an episode ends and when the command is over. Nothing here reads it: what a run came to is
worked out from the files of its episodes, so a summary that a crash left behind, or that somebody changed, misleads
no command and is right again after the next `resume`.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from ecbench.harness.messages import RetryNotice
from ecbench.players.turn import State
from ecbench.players.turn_timer import SlowTurn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import EpisodeOpening, Listener, Result
from ecbench.runs.record.atomic_write import atomic_write
from ecbench.runs.results.standings import shared_json
from ecbench.runs.results.summary import Summary, summarize

SUMMARY = "summary.json"


def write_summary(summary: Summary) -> None:
    """Where nothing was played, it stays as it was."""
    if any(result.end is not None for result in summary.results):
        write_told(summary.run.folder, summary.to_json())


def write_told(folder: Path, told: Mapping[str, Any]) -> None:
    """Where nothing may be written, or there is no room, the folder goes without. It may be moved: it is not named."""
    named = {name: value for name, value in told.items() if name != "folder"}
    with suppress(OSError):
        atomic_write(folder / SUMMARY, orjson.dumps(named, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def write_results(run: Run, results: Sequence[Result]) -> None:
    """The summary of a year alone, or of several agents in one market."""
    if run.seats == 1:
        write_summary(summarize(run, results))
    elif any(result.ends for result in results):
        write_told(run.folder, shared_json(run, results))


def summarize_alone(run: Run, result: Result) -> None:
    """The summary of a run that has one year, such as a sample of Inspect or an external agent's."""
    if run.episodes == 1:
        write_results(run, [result])


class Summarizing:
    """A listener that keeps the summary of a run up to date, and tells another one everything it hears."""

    def __init__(self, run: Run, listener: Listener) -> None:
        self._run = run
        self._results: list[Result] = []
        self._listener = listener

    def opened(self, episode: int, opening: EpisodeOpening) -> None:
        self._listener.opened(episode, opening)

    def progressed(self, episode: int, seat: int, state: State) -> None:
        self._listener.progressed(episode, seat, state)

    def on_retry(self, episode: int, seat: int, notice: RetryNotice) -> None:
        self._listener.on_retry(episode, seat, notice)

    def slow(self, episode: int, seat: int, turn: SlowTurn) -> None:
        self._listener.slow(episode, seat, turn)

    def closed(self, result: Result) -> None:
        self._results.append(result)
        write_results(self._run, self._results)
        self._listener.closed(result)
