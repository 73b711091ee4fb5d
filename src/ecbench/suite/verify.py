"""What a run folder proves, and what no folder can.

A record is a function of its world, its terms and its calls, so every reply and every cent in it can be recomputed.
It does not show who made the calls. Only a merchant that comes with the package can be asked for them once more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from ecbench.errors import Divergence, RunError
from ecbench.players.merchants.registry import merchant_names
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.play_context import PlayContext
from ecbench.runs.play.recorded_table import Played, replay_episode
from ecbench.runs.play.year import play_episode
from ecbench.runs.record.reader import Recording
from ecbench.runs.verify.derived_check import mismatched_file, missing_files
from ecbench.suite.seasons import Season, departures
from ecbench.world.model import World


@dataclass(frozen=True, slots=True)
class YearProof:
    """The result of replaying a year; `difference` names where the replay differs from the record, or why it failed."""

    episode: int
    world: str
    turns: int = 0
    calls: int = 0
    ending: str | None = None
    final_assets: float | None = None
    missing: Sequence[str] = ()  # derived files that the folder lacks
    difference: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """What the replay of all years of a run showed."""

    run: Run
    season: Season | None  # that it was held against
    years: Sequence[YearProof]
    departures: Sequence[str]  # from the season's terms

    @property
    def agents(self) -> str:
        """Who has a seat, each named once."""
        return ", ".join(dict.fromkeys(seat.agent for seat in self.run.base_terms.seats))

    @property
    def differences(self) -> list[str]:
        return [year.difference for year in self.years if year.difference]

    @property
    def holds(self) -> bool:
        return not self.differences and not self.departures

    def proven(self) -> Iterator[str]:
        terms, good = self.run.terms, [year for year in self.years if not year.difference]
        if not good:
            return
        calls, turns = sum(year.calls for year in good), sum(year.turns for year in good)
        yield f"{len(good):,} of {len(self.years):,} years are over, and their records whole: every checksum holds"
        yield f"{calls:,} calls in {turns:,} turns: every reply, and the money after every turn, is as recorded"
        worlds = ", ".join(dict.fromkeys(year.world for year in good))
        yield f"the worlds that they were played on ({worlds}) have the ids that run.json states"
        if not any(year.missing for year in good):
            yield "the files beside the records follow from them to the byte"
        if can_replay_agent(self.run):
            behind = f" from day {terms.fork.day} on" if terms.fork else ""
            yield f"every call{behind} is the merchant's own: {self.agents} played the same year again"
        if self.season is not None and not self.departures:
            yield f"worlds and terms are those of season {self.season.name}"

    def unproven(self) -> Iterator[str]:
        terms = self.run.terms
        if not can_replay_agent(self.run):
            kind = "a model" if self._has_models else "a program"
            yield f"that {self.agents} made the calls: {kind}, a person or a script may have written them"
            yield "that this is the first attempt, and not the best of many"
        if self._has_models:
            yield "what the model said beside its calls, its tokens, seconds and costs: they are taken from the record"
        if terms.voice != "template":
            yield f"that {terms.voice} wrote the suppliers' letters: they are quoted from the record"
        if terms.fork:
            yield f"who played before day {terms.fork.day}, where the year was taken over"
        if any(year.missing for year in self.years if not year.difference):
            yield "the files that are not there; ecbench resume makes them from the records"

    @property
    def _has_models(self) -> bool:
        return any(is_model(seat.agent) for seat in self.run.base_terms.seats)


def can_replay_agent(run: Run) -> bool:
    """Whether all agents come with the package and can be asked once more. Code of others is never run here."""
    terms = run.terms
    return terms.voice == "template" and all(seat.agent in merchant_names() and not seat.door for seat in terms.seats)


def verify(run: Run, season: Season | None) -> Proof:
    """Recompute every year, world by world."""
    years = chain.from_iterable(_on_world(run, first) for first in range(len(run.sites)))
    found = sorted(years, key=lambda year: year.episode)
    return Proof(run, season, found, list(departures(run, season)) if season else [])


def _on_world(run: Run, first: int) -> Iterator[YearProof]:
    episodes = range(first, run.episodes, len(run.sites))
    name = run.site(first).name
    try:
        world = run.load_world(first)
    except RunError as problem:
        yield from (YearProof(episode, name, difference=f"{run.called(episode)}: {problem}") for episode in episodes)
        return
    yield from (_year(run, episode, world) for episode in episodes)


def _year(run: Run, episode: int, world: World) -> YearProof:
    try:
        recording = read_episode(run, episode)
        difference = recording.damage or _unfinished(run, episode, recording)
        if not difference:
            difference = _mismatch(run, episode, _replayed(run, episode, world, recording))
    except RunError as problem:
        return YearProof(episode, world.name, difference=str(problem))
    end = recording.end(run.seat(episode))
    return YearProof(
        episode,
        world.name,
        len(recording.turns),
        sum(len(turn.calls) for turn in recording.turns),
        end.ending if end else None,
        end.final_assets if end else None,
        [name for own in run.entries() for name in missing_files(own, episode)],
        difference,
    )


def _unfinished(run: Run, episode: int, recording: Recording) -> str:
    if recording.finished:
        return ""
    day = recording.states[-1].day if recording.states else 0
    return f"{run.called(episode)}: the year is not over; its record reaches day {day}"


def _mismatch(run: Run, episode: int, played: Played) -> str:
    """The first derived file of any seat that differs from the replay."""
    seats = [run.at_seat(episode, seat) for seat in range(run.seats)]
    found = (mismatched_file(own, episode, each.files) for own, each in zip(seats, played.seats, strict=True))
    return next(filter(None, found), "")


def _replayed(run: Run, episode: int, world: World, recording: Recording) -> Played:
    terms = run.terms_of(episode)
    if can_replay_agent(run):
        return play_episode(terms, episode, world, recording, _goes_on, PlayContext())
    return replay_episode(terms, episode, world, recording)


def _goes_on(*_: object) -> None:
    raise Divergence("the merchant goes on where the record ends")
