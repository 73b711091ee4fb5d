"""A site from a folder of submissions: all of them checked, those that hold ranked, and every page written or none."""

import json
import resource
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

from ecbench.cancellation import StopFlag
from ecbench.extras import require_extra
from ecbench.metrics.measures import ALL_AXES
from ecbench.pages.report.colours import LIGHT
from ecbench.pages.report.output import PAGE
from ecbench.pages.report.run_data import unique_labels
from ecbench.pages.report.vega import alone
from ecbench.runs.record.atomic_write import refuse_used, write_folder
from ecbench.runs.workers.pool import Finished, Lost, Processes, Send
from ecbench.season.seasons import Season, open_world
from ecbench.season.site.leaderboard import RankedEntry, rank_entries
from ecbench.season.site.site_pages import SiteContent, forest, pages_of
from ecbench.season.site.submissions import (
    RefusedSubmission,
    SubmissionCheck,
    VerifiedEntry,
    find_submissions,
    one_line,
)

RESULTS = "results.json"
PICTURE = "leaderboard.svg"
CHECK_SECONDS = 3_600  # for one submission; a season of eight years takes a minute
MOST_MEMORY = 4 << 30  # bytes of a check; a year of 4,000 turns takes a tenth

Checked = VerifiedEntry | RefusedSubmission
Progress = Callable[[Checked, int, int], None]
"""Called with each submission that was checked, how many were, and how many there are."""


@dataclass(frozen=True, slots=True)
class BuiltSite:
    """What a site lists. `pages` is 0 where nothing could be listed: then nothing was written."""

    facts: dict[str, Any]  # as `results.json` states them
    refused: Sequence[RefusedSubmission]
    pages: int


def build_site(
    folder: Path,
    out: Path,
    season: Season,
    *,
    trusted: Sequence[str] = (),
    jobs: int = 1,
    seconds: float = CHECK_SECONDS,
    progress: Progress,
) -> BuiltSite:
    """Check every submission in a folder and write the site; one that takes more than `seconds` or memory is refused.

    Raises RunError if the folder cannot be read or written.
    """
    for extra in ("harness", "sign"):  # without them an honest submission would be refused
        require_extra(extra, "checks of submissions")
    refuse_used(out)
    open_world(season)
    found, unnamed = find_submissions(folder)
    with TemporaryDirectory(prefix="ecbench-") as scratch:
        check = SubmissionCheck(season, tuple(trusted), Path(scratch))
        checked = _check_all(check, found, jobs, seconds, progress)
        entries = with_equal_years([each for each in checked if isinstance(each, VerifiedEntry)])
        refused = [*unnamed, *(each for each in checked if isinstance(each, RefusedSubmission))]
        refused.sort(key=lambda each: each.name)
        if not entries:
            return BuiltSite({}, refused, 0)
        labels = unique_labels([entry.compared.run for entry in entries])
        labelled = [
            replace(entry, compared=replace(entry.compared, label=label))
            for entry, label in zip(entries, labels, strict=True)
        ]
        site = SiteContent(season, rank_entries(labelled), refused, sorted(trusted))
        facts = facts_of(site)
        written = write_folder(out, _files(site, facts, Path(scratch)))
    return BuiltSite(facts, refused, sum(path.suffix == ".html" for path in written))


def _check_one(check: SubmissionCheck, submission: Path, seconds: float, _send: Send, _stop: StopFlag) -> Checked:
    try:
        with process_limits(seconds):
            return check(submission)
    except TookTooLong as problem:
        return RefusedSubmission(submission.name, str(problem))


def _check_all(
    check: SubmissionCheck, submissions: Sequence[Path], jobs: int, seconds: float, progress: Progress
) -> list[Checked]:
    """In the order of the submissions, each in its own process; one that its worker does not survive is refused."""
    results: dict[int, Checked] = {}

    def report(number: int, message: Finished | Lost) -> None:
        if isinstance(message, Lost):
            why = one_line(f"cannot be checked: {message.problem}")
            results[number] = RefusedSubmission(submissions[number].name, why)
        else:
            results[number] = message.result
        progress(results[number], len(results), len(submissions))

    works = [partial(_check_one, check, each, seconds) for each in submissions]
    Processes().run(works, jobs, StopFlag(), report)
    return [results[number] for number in range(len(submissions))]


def with_equal_years(entries: Sequence[VerifiedEntry]) -> list[VerifiedEntry]:
    """The entries, each with a remark on every year whose calls are those of another entry, which is no fault."""
    found = []
    for entry in entries:
        remarks = list(entry.proof.remarks)
        for number, calls in enumerate(entry.proof.calls):
            others = [each.name for each in entries if each is not entry and calls == each.proof.calls[number]]
            if calls and others:
                same = f"every call is the same as in {', '.join(others)}, so that they are one observation"
                remarks.append(f"episode {number}: {same}")
        found.append(replace(entry, proof=replace(entry.proof, remarks=remarks)))
    return found


def facts_of(site: SiteContent) -> dict[str, Any]:
    """The leaderboard as plain data."""
    return {
        "season": site.season.name,
        "practice_season": site.season.practice,
        "kind": site.season.kind.name,
        "ranked_by": site.board.axis.name,
        "entries": [_facts(line) for line in site.board.lines],
        "refused": [{"name": each.name, "reason": each.reason} for each in site.refused],
    }


def _facts(line: RankedEntry) -> dict[str, Any]:
    entry = line.entry
    return {
        "name": entry.name,
        "agent": entry.compared.run.label,
        "rank": line.rank,
        "possible_ranks": [line.best, line.worst] if line.rank is not None else None,
        "groups": line.groups.split(),
        "score": line.score,
        "score_interval": line.interval,
        **{axis.name: entry.values.get(axis.name) for axis in ALL_AXES},
        "final_assets_interval": entry.assets_interval,
        "years": entry.compared.count,
        "bankrupt": entry.bankrupt,
        "usage": dict(entry.spent.usage),
        "signature": {"key": entry.proof.key, "trusted": entry.proof.trusted} if entry.proof.key else None,
        "stopped_early": entry.proof.stopped_early,
        "warnings": list(entry.compared.signs),
    }


def _files(site: SiteContent, facts: dict[str, Any], scratch: Path) -> Iterator[tuple[str, bytes]]:
    for name, text in pages_of(site):
        yield name, text.encode()
    for line in site.board.lines:
        name = f"entries/{line.entry.name}/{PAGE}"
        yield name, (scratch / line.entry.name / PAGE).read_bytes()
    if any(line.rank is not None for line in site.board.lines):
        yield PICTURE, alone(forest(site), LIGHT).encode()
    yield RESULTS, json.dumps(facts, ensure_ascii=False, indent=2).encode() + b"\n"


class TookTooLong(BaseException):
    """A check exceeded its time. No handler of errors on the way may take it for one of its own."""


@contextmanager
def process_limits(seconds: float) -> Iterator[None]:
    """Raise TookTooLong in the main thread after `seconds`, and MemoryError beyond MOST_MEMORY."""

    def stop(*_: object) -> NoReturn:
        raise TookTooLong(f"its check took more than {seconds:,g} seconds")

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    with suppress(ValueError, OSError):  # a system without this limit, or with a lower one
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, hard))
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
