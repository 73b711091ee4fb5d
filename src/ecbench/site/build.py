"""A site from a folder of submissions: all of them checked, those that hold ranked, and every page written or none."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ecbench.cancellation import StopFlag
from ecbench.metrics.axes import ALL_AXES
from ecbench.report.output import PAGE
from ecbench.report.run_data import unique_labels
from ecbench.runs.record.atomic_folder import refuse_used, write_folder
from ecbench.runs.workers.pool import Inline, Send, Task, run_pool
from ecbench.runs.workers.processes import Processes
from ecbench.site.leaderboard import RankedEntry, rank_entries, season_score
from ecbench.site.site_pages import SiteContent, pages_of
from ecbench.site.submission_check import SubmissionCheck, VerifiedEntry
from ecbench.site.submissions import RefusedSubmission, Submission, find_submissions, one_line
from ecbench.site.transcript_page import TRANSCRIPT
from ecbench.suite.seasons import Season, open_world

RESULTS = "results.json"

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
    folder: Path, out: Path, season: Season, *, trusted: Sequence[str] = (), jobs: int = 1, progress: Progress
) -> BuiltSite:
    """Check every submission in a folder and write the site. Raises RunError where it cannot be read or written."""
    refuse_used(out)
    open_world(season)
    found, unnamed = find_submissions(folder)
    with TemporaryDirectory(prefix="ecbench-") as scratch:
        check = SubmissionCheck(season, tuple(trusted), Path(scratch))
        checked = _check_all(check, found, jobs, progress)
        entries, copies = without_copies([each for each in checked if isinstance(each, VerifiedEntry)])
        refused = [*unnamed, *(each for each in checked if isinstance(each, RefusedSubmission)), *copies]
        refused.sort(key=lambda each: each.name)
        if not entries:
            return BuiltSite({}, refused, 0)
        site = SiteContent(season, rank_entries(_labelled(entries)), refused, sorted(trusted))
        facts = facts_of(site)
        written = write_folder(out, _files(site, facts, Path(scratch)))
    return BuiltSite(facts, refused, sum(path.suffix == ".html" for path in written))


@dataclass(frozen=True, slots=True)
class _CheckWork:
    """Work of the worker pool: check a submission."""

    check: SubmissionCheck
    submission: Submission

    def __call__(self, _send: Send, _stop: StopFlag) -> Checked:
        return self.check(self.submission)


@dataclass(slots=True)
class _Checks:
    """Receives the results of the pool. A submission that its worker does not survive is refused."""

    total: int
    progress: Progress
    results: dict[str, Checked] = field(default_factory=dict)

    def received(self, name: str, message: Any) -> None:
        """A check sends no messages."""

    def finished(self, name: str, result: Checked) -> None:
        self.results[name] = result
        self.progress(result, len(self.results), self.total)

    def given_up(self, name: str, problem: str) -> None:
        self.finished(name, RefusedSubmission(name, one_line(f"cannot be checked: {problem}")))


def _check_all(
    check: SubmissionCheck, submissions: Sequence[Submission], jobs: int, progress: Progress
) -> list[Checked]:
    """In the order of the submissions, whatever the order in which they were checked."""
    checks = _Checks(len(submissions), progress)
    tasks = [Task(each.name, _CheckWork(check, each)) for each in submissions]
    run_pool(tasks, checks, executor=Processes() if jobs > 1 else Inline(), jobs=jobs)
    return [checks.results[each.name] for each in submissions]


def without_copies(entries: Sequence[VerifiedEntry]) -> tuple[list[VerifiedEntry], list[RefusedSubmission]]:
    """The entries without those that repeat every year of another one, and these as refusals.

    The entry that a trusted key signed is kept, or else the first by name. Some years in common are remarked on.
    """
    kept, refused, seen = list[VerifiedEntry](), list[RefusedSubmission](), dict[tuple[int, str], VerifiedEntry]()
    for entry in sorted(entries, key=lambda each: (not each.proof.trusted, each.name)):
        years = [(number, calls) for number, calls in enumerate(entry.proof.calls) if calls]
        others = [seen.get(year) for year in years]
        first = others[0] if others else None
        if first is not None and all(other is first for other in others):
            refused.append(
                RefusedSubmission(entry.name, f"the same calls as {first.name}: a copy of it, or it of this one")
            )
            continue
        shared = [
            f"episode {number}: every call is the same as in {other.name}, so that they are one observation"
            for (number, _), other in zip(years, others, strict=True)
            if other is not None
        ]
        remarks = [*entry.proof.remarks, *shared]
        kept.append(replace(entry, proof=replace(entry.proof, remarks=remarks)))
        for year in years:
            seen.setdefault(year, entry)
    return sorted(kept, key=lambda each: each.name), refused


def _labelled(entries: Sequence[VerifiedEntry]) -> list[VerifiedEntry]:
    """Agents that several entries have are told apart by the names of the entries."""
    labels = unique_labels([entry.compared.run for entry in entries])
    return [
        replace(entry, compared=replace(entry.compared, label=label))
        for entry, label in zip(entries, labels, strict=True)
    ]


def facts_of(site: SiteContent) -> dict[str, Any]:
    """The leaderboard as plain data."""
    return {
        "season": site.season.name,
        "practice_season": site.season.practice,
        "kind": site.season.kind.name,
        "ranked_by": site.board.axis.name,
        "entries": [_facts(site, line) for line in site.board.lines],
        "refused": [{"name": each.name, "reason": each.reason} for each in site.refused],
    }


def _facts(site: SiteContent, line: RankedEntry) -> dict[str, Any]:
    entry = line.entry
    return {
        "name": entry.name,
        "agent": entry.compared.run.label,
        "rank": line.rank,
        "possible_ranks": [line.best, line.worst] if line.rank is not None else None,
        "groups": line.groups.split(),
        "score": season_score(entry, site.board.axis),
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
        for page in (PAGE, TRANSCRIPT):
            name = line.entry.name
            yield f"entries/{name}/{page}", (scratch / name / page).read_bytes()
    yield RESULTS, json.dumps(facts, ensure_ascii=False, indent=2).encode() + b"\n"
