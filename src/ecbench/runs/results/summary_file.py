"""`summary.json`: a run in one file, for readers without this program.

It is written while episodes end, as often as that takes a small share of the time, and when the command is over. No
command reads it: the results of a run come from the files of its episodes. A summary that a crash left behind, or that
was edited, misleads no command and is corrected by the next `resume`.
"""

from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

import orjson

from ecbench.metrics.axes import SKILL
from ecbench.runs.folder import Run, open_run
from ecbench.runs.play.episodes import Result
from ecbench.runs.record.atomic_write import atomic_write
from ecbench.runs.results.arena_standings import shared_json
from ecbench.runs.results.summary import summarize

SUMMARY = "summary.json"
PAUSE = 20  # times as long as writing a summary took, until the next one


def write_results(run: Run, results: Sequence[Result]) -> None:
    """Without the folder's name, since it may be moved. Where nothing was played, the summary stays as it was.

    Where nothing can be written, the folder has no summary.
    """
    if any(result.ends for result in results):
        with suppress(OSError):
            atomic_write(run.folder / SUMMARY, summary_content(run, results))


def summary_content(run: Run, results: Sequence[Result]) -> bytes:
    content = summarize(run, results).to_json() if run.seats == 1 else shared_json(run, results)
    del content["folder"]
    if run.seats == 1:
        _drop_skill(content)
    return orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _drop_skill(content: dict[str, Any]) -> None:
    """Skill needs a bound, which does not follow from the records: `bounds.json` has it."""
    content["measures"].pop(SKILL.name, None)
    for holder in (content, *content["episodes"]):
        if holder.get("axes"):
            del holder["axes"][SKILL.name]


def summarize_alone(run: Run, result: Result) -> None:
    """The summary of a run that has one year, such as a sample of Inspect or an external agent's.

    A host may add a year meanwhile, and then there is no summary.
    """
    if open_run(run.folder).episodes == 1:
        write_results(run, [result])
        if open_run(run.folder).episodes > 1:
            discard_summary(run)


def discard_summary(run: Run) -> None:
    """A run that gets another year has no summary until all of them are over."""
    with suppress(OSError):
        (run.folder / SUMMARY).unlink(missing_ok=True)


class SummaryWriter:
    """Keeps the summary of a run up to date while its episodes end.

    A summary takes time in proportion to the episodes that are over. Writing one after each episode would make the time
    of a run grow with the square of its episodes.
    """

    def __init__(self, run: Run, results: Sequence[Result] = ()) -> None:
        self._run = run
        self._results = list(results)  # of episodes that were over before
        self._next = 0.0

    def add(self, result: Result) -> None:
        self._results.append(result)
        began = monotonic()
        if began >= self._next and result.ends:
            write_results(self._run, self._results)
            self._next = monotonic() + PAUSE * (monotonic() - began)
