"""Years of persons as a baseline for models: each is verified, and years under the same terms are averaged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import exp
from pathlib import Path
from statistics import fmean

from ecbench.compare.verdict import log_assets
from ecbench.errors import RunError
from ecbench.market.finalize import ENDED_BY_MARKET
from ecbench.quantiles import mean_interval
from ecbench.runs.folder import Run, open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.events import End
from ecbench.runs.record.reader import Recording
from ecbench.runs.run_archive import run_folder
from ecbench.runs.terms import PERSONS_BOARD, Terms
from ecbench.suite.verify import verify

MINUTE = 60

Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PlayedTerms:
    """What years must have in common to be averaged."""

    world: str
    world_id: str
    days: int
    rules: str
    changed_rules: tuple[tuple[str, str], ...]
    stake: float


@dataclass(frozen=True, slots=True)
class HumanYear:
    """A verified year of a person. `minutes` of real time are taken from the record; None where it has none."""

    file: str
    terms: PlayedTerms
    ending: str
    minutes: float | None
    final_assets: float


@dataclass(frozen=True, slots=True)
class BaselineGroup:
    """Years under the same terms: the geometric mean of their money, with its 95% interval from two years on."""

    terms: PlayedTerms
    years: Sequence[HumanYear]

    @property
    def mean(self) -> float:
        return log_mean(self._assets, self.terms.stake)[0]

    @property
    def interval(self) -> Bounds | None:
        return log_mean(self._assets, self.terms.stake)[1]

    @property
    def _assets(self) -> list[float]:
        return [year.final_assets for year in self.years]


@dataclass(frozen=True, slots=True)
class HumanBaseline:
    """Which files entered, and why the others did not."""

    years: Sequence[HumanYear]
    refused: Sequence[tuple[str, str]]  # file and reason

    @property
    def groups(self) -> list[BaselineGroup]:
        found: dict[PlayedTerms, list[HumanYear]] = {}
        for year in self.years:
            found.setdefault(year.terms, []).append(year)
        return [BaselineGroup(terms, years) for terms, years in found.items()]


def log_mean(assets: Sequence[float], stake: float) -> tuple[float, Bounds | None]:
    """The geometric mean of final assets, and its 95% interval; None below two years."""
    logs = [log_assets(each, stake) for each in assets]
    found = mean_interval(logs)
    return exp(fmean(logs)), (exp(found[0]), exp(found[1])) if found else None


def played_terms(terms: Terms) -> PlayedTerms:
    """The terms of one year that a comparison of money depends on."""
    changed = tuple(sorted((name, str(value)) for name, value in terms.rules.items()))
    return PlayedTerms(terms.world, terms.world_id, terms.days, terms.rule_set, changed, terms.stake)


def human_baseline(places: Iterable[Path]) -> HumanBaseline:
    """From run folders and ZIP files of them. The same record counts once, whatever its file is called."""
    years: list[HumanYear] = []
    refused: list[tuple[str, str]] = []
    seen: dict[str, str] = {}
    for place in places:
        try:
            with run_folder(place) as folder:
                run = open_run(folder)
                recording = _persons_record(run)
                record = sha256(read_file(run.events_path(0))).hexdigest()
                if record in seen:
                    raise RunError(f"the same year as {seen[record]}, which counts once")
                years.append(_verified(place, run, recording))
                seen[record] = str(place)
        except (RunError, OSError) as problem:
            refused.append((str(place), str(problem)))
    return HumanBaseline(years, refused)


def _persons_record(run: Run) -> Recording:
    """Raises RunError for what is not a whole year that one person played alone."""
    terms = run.terms
    if terms.door != PERSONS_BOARD:
        raise RunError(f"not a person's year: {terms.agent} played it; play one with ecbench serve")
    if run.episodes != 1 or terms.shared:
        raise RunError("not a year that a person played alone: it has several years or seats")
    if terms.fork:
        raise RunError(f"not a whole year of one person: {terms.fork.label}")
    return read_episode(run, 0)


def _verified(place: Path, run: Run, recording: Recording) -> HumanYear:
    proof = verify(run, None)
    if not proof.holds:
        raise RunError(f"does not verify: {[*proof.differences, *proof.unfinished][0]}")
    end: End | None = recording.end(0)
    assert end is not None, "what verifies is over"
    if end.ending not in ENDED_BY_MARKET:
        raise RunError(f"ended early, on day {end.day} of {run.terms.days}")
    played = played_terms(run.terms_of(0))
    return HumanYear(str(place), played, end.ending, _minutes(recording), end.assets)


def _minutes(recording: Recording) -> float | None:
    seconds = [turn.said["seconds"] for turn in recording.turns if "seconds" in turn.said]
    return sum(seconds) / MINUTE if seconds else None
