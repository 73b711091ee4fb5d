"""The finished years of runs, as they enter a comparison, and which years do not."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ecbench.errors import RunError
from ecbench.metrics.anchors import with_skill
from ecbench.metrics.estimators import distinct
from ecbench.metrics.losses.failure_modes import loophole_signs
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.results.anchors_file import bound_of
from ecbench.runs.results.derived_files import Report
from ecbench.runs.results.year_view import stored_year, view_record
from ecbench.runs.run_worlds import WorldRef
from ecbench.world.load import shipped_worlds

NOT_BEGUN = "not begun"


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One run in a comparison: the reports of its finished years by the id of their world."""

    label: str
    run: Run
    years: Mapping[str, Sequence[Report]]
    left_out: Sequence[str] = field(default_factory=list)  # a line for each year that has no result
    signs: Sequence[str] = field(default_factory=list)  # of loopholes, a line each
    recomputed: bool = False  # from the records alone, so that nothing that the folder stores may be used

    @property
    def count(self) -> int:
        return sum(map(len, self.years.values()))

    def distinct(self, world: str) -> Sequence[Report]:
        """Its years on a world, those that end with the same final assets, to the yuan, once."""
        return distinct(self.years[world])

    @property
    def copies(self) -> int:
        """Years that repeat another one on their world."""
        return self.count - sum(len(self.distinct(world)) for world in self.years)

    def names(self, worlds: Sequence[str]) -> list[str]:
        sites = {site.id: site.name for site in self.run.worlds}
        return [sites[world] for world in worlds]


def read_entries(runs: Sequence[Run]) -> list[ComparedRun]:
    """Raises RunError for a run without a single finished year: there is nothing of it to compare."""
    entries = [read_finished(label, run) for label, run in zip(labels(runs), runs, strict=True)]
    for entry in entries:
        if not entry.count:
            why = f" ({entry.left_out[0]})" if entry.left_out else ""
            raise RunError(f"{entry.run.folder} has no finished year to compare{why}")
    return entries


def equal_years(entry: ComparedRun) -> str:
    """A line about the years that repeat another."""
    return (
        f"{entry.copies:,} of {entry.count:,} years equal another on their world to the yuan. "
        "Equal years are one observation."
    )


def labels(runs: Sequence[Run]) -> list[str]:
    """The agents' names; of agents that come up more than once with the folder behind it."""
    names = [run.label for run in runs]
    often = Counter(names)
    return [name if often[name] == 1 else f"{name} ({run.folder.name})" for name, run in zip(names, runs, strict=True)]


def read_finished(label: str, run: Run) -> ComparedRun:
    """The finished years of a run, which may be none."""
    years: dict[str, list[Report]] = {}
    left_out, signs = list[str](), list[str]()
    for episode in range(run.episodes):
        try:
            found = _finished(run, episode)
        except RunError as problem:
            left_out.append(f"{run.called(episode)}: {problem}")
            continue
        if found == NOT_BEGUN and run.manifest.stopping:
            continue  # its plan may have ended before
        if isinstance(found, str):
            left_out.append(f"{run.called(episode)}: {found}")
        else:
            years.setdefault(run.world_of(episode).id, []).append(with_skill(found, bound_of(run, episode)))
            signs += [f"{run.called(episode)}: {sign}" for sign in loophole_signs(found)]
    return ComparedRun(label, run, years, left_out, signs)


def recomputed_entry(run: Run, reports: Mapping[int, Report]) -> ComparedRun:
    """Of reports by episode that follow from the records; nothing that the folder stores beside them is used."""
    years: dict[str, list[Report]] = {}
    for episode, report in reports.items():
        bound = bound_of(run, episode, stored=False)
        years.setdefault(run.world_of(episode).id, []).append(with_skill(report, bound))
    return ComparedRun(run.label, run, years, recomputed=True)


def replayed_reports(run: Run) -> dict[int, Report]:
    """The reports of the finished episodes of a run, by replays of their records."""
    records = ((episode, read_episode(run, episode)) for episode in range(run.episodes))
    return {episode: view_record(run, episode, read).report for episode, read in records if read.finished}


def _finished(run: Run, episode: int) -> Report | str:
    """The report of a finished year, or why there is none. What is not stored is recomputed and not written."""
    stored = stored_year(run, episode)
    if stored is not None and not stored.end.resumable:
        return stored.report
    recording = read_episode(run, episode)
    if recording.damage:
        return recording.damage
    if not recording.finished:
        day = recording.states[-1].day if recording.states else 0
        return f"not over, day {day}" if recording.turns else NOT_BEGUN
    return view_record(run, episode, recording).report


def is_known(site: WorldRef) -> bool:
    """Whether a world comes with the package: any model may have memorized it."""
    return site.source in shipped_worlds()
