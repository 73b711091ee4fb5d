"""The finished years of runs as they enter a comparison, and what makes it unfair, such as other terms or insiders."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from msgspec.structs import replace

from ecbench.errors import RunError
from ecbench.metrics.anchors import with_skill
from ecbench.metrics.estimators import distinct
from ecbench.metrics.losses.failure_modes import loophole_signs
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import is_insider
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.results.anchors_file import bound_of
from ecbench.runs.results.derived_files import Report
from ecbench.runs.results.ranking import PAPERS_WINDOW
from ecbench.runs.results.year_view import stored_year, view_record
from ecbench.runs.terms import Terms, WorldRef
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
    equal = f"{entry.copies:,} of {entry.count:,} years equal another on their world to the yuan"
    return f"{equal}. Equal years are one observation."


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


def _finished(run: Run, episode: int) -> Report | str:
    """The report of a finished year, or why there is none. What is not stored is recomputed and not written."""
    stored = stored_year(run, episode)
    if stored is not None and stored.report is not None and stored.over:
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


Read = Callable[[Terms], object]
RESUMED = "resumed_window"
LONGEST = 80  # characters of a value in a line


def _window(thresholds: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {tokens:,}" for name, tokens in thresholds.items())


GAME: Mapping[str, Read] = {
    "days": lambda terms: terms.days,
    "stake": lambda terms: f"¥{terms.stake:,.2f}".removesuffix(".00"),
    "rules": lambda terms: ", ".join(
        [terms.rule_set, *(f"{key}={json.dumps(value):.30}" for key, value in sorted(terms.rules.items()))]
    ),
    "house rules": lambda terms: json.dumps(terms.policy, sort_keys=True),
    "market": lambda terms: f"shared by {len(terms.seats)}" if terms.shared else "of its own",
}
"""Terms that make it a different game: the figures of two such runs cannot be compared."""

HANDICAPS: Mapping[str, Read] = {
    "suppliers' voice": lambda terms: terms.voice,
    "transport": lambda terms: terms.seats[0].transport or "none",
    "turn limit": lambda terms: terms.turn_limit(0),
    "context": lambda terms: _window(terms.seats[0].model.get("window", PAPERS_WINDOW)),
    "context after a resume": lambda terms: _window(terms.seats[0].model.get(RESUMED, {})) or "none",
    "brief": lambda terms: terms.seats[0].model.get("brief", "the usual one"),
    "calls": lambda terms: terms.seats[0].model.get("calls", "native"),
    "brief style": lambda terms: terms.brief_style,
    "fork": lambda terms: f"from day {terms.fork.day} on" if terms.fork else "none",
}
"""Terms that make the same game easier or harder for one of them."""


def refuse_other_games(entries: Sequence[ComparedRun]) -> None:
    differences = list(_differences(entries, GAME))
    if differences:
        raise RunError(f"these runs cannot be compared: {differences[0]}; --anyway compares them all the same")


def warnings(entries: Sequence[ComparedRun]) -> list[str]:
    """A line each, the gravest first."""
    lines = [f"Not the same game: {line}. The figures below compare what cannot be compared." for line in
            _differences(entries, GAME)]  # fmt: skip
    lines += [f"Not the same terms: {line}." for line in _differences(entries, HANDICAPS)]
    if len({entry.run.terms.voice for entry in entries}) > 1:
        lines.append("Bad spend is left out between runs with different voices: each gives cheats away differently.")
    lines += [
        f"{entry.label} reads hidden state: an insider, whose figures are no competitor's."
        for entry in entries
        if is_insider(entry.run.player.agent)
    ]
    lines += [
        f"{entry.label} stopped early at an interim analysis: it played {len(entry.years)} of "
        f"{len(plan.scores)} fresh worlds."
        for entry in entries
        if (plan := entry.run.manifest.stopping) and len(entry.years) < len(plan.scores)
    ]
    lines += [f"{entry.label}: {_first_of(entry.signs)}." for entry in entries if entry.signs]
    lines += [
        f"{entry.label}: {len(entry.left_out):,} of {entry.count + len(entry.left_out):,} years left out; "
        f"{_first_of(entry.left_out)}"
        for entry in entries
        if entry.left_out
    ]
    return lines


def _first_of(lines: Sequence[str]) -> str:
    return lines[0] + (f" (and {len(lines) - 1:,} more)" if len(lines) > 1 else "")


def _differences(entries: Sequence[ComparedRun], terms: Mapping[str, Read]) -> Iterator[str]:
    """Of each term the first two runs that differ in it."""
    for name, read in terms.items():
        for one, other in combinations(entries, 2):
            if found := next(differing_terms(played_terms(one.run), played_terms(other.run), {name: read}), None):
                yield f"{name} {found[1]} ({one.label}) and {found[2]} ({other.label})"
                break


def played_terms(run: Run) -> Terms:
    """The terms of a run, its entry first, with the window that a resume gave its models among their options."""
    terms, window = run.terms, run.manifest.resumed_window
    seats = (*terms.seats[run.entry :], *terms.seats[: run.entry])
    if window:
        seats = tuple(replace(seat, model={**seat.model, RESUMED: window}) for seat in seats)
    return replace(terms, seats=seats)


def differing_terms(one: Terms, other: Terms, terms: Mapping[str, Read]) -> Iterator[tuple[str, str, str]]:
    """The name of each term that differs, and both values as they are shown."""
    for name, read in terms.items():
        here, there = read(one), read(other)
        if here != there:
            yield name, f"{here!s:.{LONGEST}}", f"{there!s:.{LONGEST}}"
