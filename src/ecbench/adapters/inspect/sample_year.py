"""The year behind a sample of an Inspect evaluation: set up by the task, played by any solver, scored at the end.

It is recorded as a run beside the log of the evaluation, in a folder named by what an `inspect eval-retry` shares with
the evaluation it repeats: the task's id, the sample and the epoch.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from inspect_ai.event import ToolEvent
from inspect_ai.log import transcript
from inspect_ai.tool import ToolCallError

from ecbench.episode import Episode
from ecbench.harness.inspect_internals import ActiveSample, active_sample, log_event
from ecbench.rules import DEFAULT_SET
from ecbench.runs.folder import MANIFEST, Run, create_run, free_folder, open_run
from ecbench.runs.play.episodes import OpenEpisode, open_episode
from ecbench.runs.play.recorded_seat import RecordedSeat
from ecbench.runs.record.events import State, Terms
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.checksums import METRICS
from ecbench.runs.results.summary_file import summarize_alone
from ecbench.seat import Record, Turn, fault_of
from ecbench.suppliers.voices import Voice
from ecbench.world.load import load_world
from ecbench.world.model import World

FOLDER = "ecbench-years"
OWN_LOOP = "inspect"  # the doors: our own turn loop inside Inspect, or another solver with the tools
OTHER_SOLVER = "inspect-tools"

MakeVoice = Callable[[Sequence[Turn]], Voice]
"""Makes the suppliers' voice, which first repeats the lines of the recorded turns."""


@dataclass(frozen=True, slots=True)
class YearTerms:
    """The task's parameters."""

    world: str
    days: int
    stake: float
    max_turns: int
    wording: str | None = None  # of another brief
    rule_set: str = DEFAULT_SET

    def of_run(self, world: World, agent: str, voice: str, door: str) -> Terms:
        return Terms(
            world=world.name,
            world_id=world.id,
            seed=world.seed,
            agent=agent,
            days=self.days,
            stake=self.stake,
            max_turns=self.max_turns,
            voice=voice,
            rule_set=self.rule_set,
            model={"brief": self.wording} if self.wording else {},
            door=door,
        )


class SampleSeat(RecordedSeat):
    """A seat that logs to Inspect's transcript what happens between the model's answers."""

    __slots__ = ("_day",)

    def keep(self, turn: Turn) -> None:
        logged_before = self.repeating
        super().keep(turn)
        if logged_before or self.terms.door != OWN_LOOP:
            return  # Inspect itself logs the calls of other solvers
        for eviction in turn.evictions:
            left = {"tokens": eviction["before"], "freed": eviction["freed"], "messages": len(eviction["cleared"])}
            transcript().info(left, source="context")
        for call, reply in zip(turn.calls, turn.replies, strict=True):
            made = {"id": call["id"], "function": call["name"], "arguments": call["arguments"]}
            fault = fault_of(reply)
            log_event(ToolEvent(**made, result=reply, error=ToolCallError("unknown", fault) if fault else None))
        if self.year.day != getattr(self, "_day", 0):
            self._day = self.year.day
            transcript().info(_books(self.year), source="books")


def _books(year: Episode) -> Record:
    return {
        "date": f"{year.now:%Y-%m-%d}",
        "day": year.day,
        "bank": round(year.bank, 2),
        "wallet": round(year.wallet, 2),
        "escrow": round(year.escrow, 2),
    }


@dataclass(slots=True)
class SampleYear:
    """A sample's seat, once it is taken, and its record."""

    terms: YearTerms
    agent: str
    voice: str
    make_voice: MakeVoice
    place: Path | None  # of the run folder; None where the log is not on this machine's disk
    ending: str | None = None  # of the turn loop, where it has one of its own
    _seat: SampleSeat | None = None
    _run: Run | None = None
    _opened: OpenEpisode | None = None
    _held: ExitStack = field(default_factory=ExitStack)

    def resume(self) -> SampleSeat:
        """For our own loop: the year of an earlier attempt if there was one, else a new one."""
        return self._sit_down(self.place, OWN_LOOP)

    def act(self, calls: Sequence[Mapping[str, Any]]) -> list[str]:
        """For other solvers, which cannot resume an earlier attempt: each begins a new year."""
        if self._seat is None:
            place = self.place and free_folder(self.place.parent, self.place.name)
            self._seat = self._sit_down(place, OTHER_SOLVER)
        return self._seat.take([dict(call) for call in calls])

    def _sit_down(self, place: Path | None, door: str) -> SampleSeat:
        world = load_world(self.terms.world)
        terms = self.terms.of_run(world, self.agent, self.voice, door)
        recording = Recording()
        if place is not None:
            begun = (place / MANIFEST).exists()
            self._run = open_run(place) if begun else _begin_run(place, terms, self.terms.world)
            recording = self._open_record(self._run).recording
        self._seat = SampleSeat(terms, 0, world, recording, self.make_voice(recording.turns), self._append)
        return self._seat

    def _open_record(self, run: Run) -> OpenEpisode:
        self._opened = self._held.enter_context(open_episode(run, 0))
        return self._opened

    def _append(self, lines: bytes, state: State | None) -> None:
        """Nothing is recorded where the log is not on a local disk."""
        if self._opened is not None:
            self._opened.append(lines, state)

    def leave(self) -> None:
        """Close the record, so that a retry of a failed sample in this process can resume it."""
        self._held.close()
        self._opened = None

    def close(self) -> Record:
        """The report of the year; an unfinished one is settled as it stands."""
        seat = self._seat or self._sit_down(None, OWN_LOOP)
        if self._run is not None and self._opened is None:
            self._open_record(self._run)
        played = seat.close(self.ending or seat.ending or "turn_limit")
        if self._opened is not None:
            summarize_alone(self._opened.run, self._opened.close_with(played))
        self.leave()
        report: Record = json.loads(played.files[METRICS])
        return report


def _begin_run(place: Path, terms: Terms, world_source: str) -> Run:
    return create_run(place, terms, episodes=1, world_source=world_source)


_YEARS: dict[str, SampleYear] = {}
"""By the uuid of a running sample; Inspect's own store holds JSON only, and an episode is none."""


def set_up(sample: str, terms: YearTerms, agent: str, voice: str, make_voice: MakeVoice) -> SampleYear:
    year = _YEARS[sample] = SampleYear(terms, agent, voice, make_voice, record_place(active_sample()))
    return year


def current_year() -> SampleYear:
    """The year of the sample that the current task runs."""
    active = active_sample()
    assert active is not None, "a year is played inside a sample of an evaluation"
    return _YEARS[active.uuid]


def close_sample_year(sample: str) -> Record | None:
    """End the sample's year and return its report; None if no year was set up."""
    year = _YEARS.pop(sample, None)
    return None if year is None else year.close()


def record_place(sample: ActiveSample | None) -> Path | None:
    if sample is None or not sample.log_location:
        return None
    place = urlparse(sample.log_location)
    if place.scheme not in ("", "file"):
        return None
    log = Path(unquote(place.path) if place.scheme else sample.log_location)
    task_id = log.stem.rpartition("_")[2]
    return log.parent / FOLDER / task_id / f"{sample.id}-{sample.epoch}"
