"""`summary.json`: a run in one file, for whoever reads folders without this program.

It is written anew whenever an episode ends and when the command is over. Nothing here reads it: what a run came to is
worked out from the files of its episodes, so a summary that a crash left behind, or that somebody changed, misleads
no command and is right again after the next `resume`.
"""

from contextlib import suppress

import orjson

from ecbench.harness.messages import Setback
from ecbench.runs.disk import write_whole
from ecbench.runs.events import State
from ecbench.runs.folder import Run
from ecbench.runs.session import EpisodeOpening, Listener, Result
from ecbench.runs.summary import Summary, summarize

SUMMARY = "summary.json"


def write_summary(summary: Summary) -> None:
    """Where nothing may be written, or there is no room, the run goes without; where nothing was played, as it was."""
    if all(result.end is None for result in summary.results):
        return
    told = {name: value for name, value in summary.to_json().items() if name != "folder"}
    text = orjson.dumps(told, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    with suppress(OSError):
        write_whole(summary.run.folder / SUMMARY, text)


class Summarizing:
    """A listener that keeps the summary of a run up to date, and tells another one everything it hears."""

    def __init__(self, run: Run, listener: Listener) -> None:
        self._run = run
        self._results: list[Result] = []
        self._listener = listener

    def opened(self, episode: int, opening: EpisodeOpening) -> None:
        self._listener.opened(episode, opening)

    def progressed(self, episode: int, state: State) -> None:
        self._listener.progressed(episode, state)

    def set_back(self, episode: int, setback: Setback) -> None:
        self._listener.set_back(episode, setback)

    def closed(self, result: Result) -> None:
        self._results.append(result)
        write_summary(summarize(self._run, self._results))
        self._listener.closed(result)
