"""The year behind a sample of an Inspect evaluation: opened by the task, played by any solver, scored at the end."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspect_ai.log._samples import sample_active

from ecbench.episode import Episode
from ecbench.suppliers.voices import Voice
from ecbench.world.load import load_world

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class YearTerms:
    """What the task's parameters come to."""

    world: str
    days: int
    stake: float
    max_turns: int
    wording: str | None = None  # of another brief


@dataclass(slots=True)
class SampleYear:
    """An episode, and what its report says of how it was played."""

    terms: YearTerms
    episode: Episode
    turns: int = 0
    evictions: int = 0
    ending: str | None = None  # of the loop, where it has one of its own
    calls_by_tool: Counter[str] = field(default_factory=Counter)

    def act(self, calls: Sequence[Mapping[str, Any]]) -> list[str]:
        self.count(calls)
        return self.episode.act(calls)

    def count(self, calls: Sequence[Mapping[str, Any]]) -> None:
        self.calls_by_tool.update(str(call["name"]) for call in calls)

    def report(self) -> Record:
        """The year's report with what the run adds to it; a year that nobody ended is settled as it stands."""
        self.episode.finish("turn_limit")
        run = {
            "ending": self.ending or self.episode.ending,
            "voice": self.episode.office.voice.name,
            "turns": self.turns,
            "tool_calls": self.calls_by_tool.total(),
            "calls_by_tool": dict(sorted(self.calls_by_tool.items())),
            "evictions": self.evictions,
        }
        return self.episode.report() | {"run": run}


_YEARS: dict[str, SampleYear] = {}
"""By the uuid of a sample under way: an episode is no JSON, so Inspect's own store cannot hold it."""


def open_sample_year(sample: str, terms: YearTerms, voice: Voice) -> SampleYear:
    episode = Episode(load_world(terms.world), days=terms.days, stake=terms.stake, voice=voice)
    year = _YEARS[sample] = SampleYear(terms, episode)
    return year


def current_sample() -> str:
    """The uuid of the sample that the code at hand plays."""
    active = sample_active()
    assert active is not None, "a year is played inside a sample of an evaluation"
    return active.sample_uuid


def sample_year(sample: str) -> SampleYear | None:
    return _YEARS.get(sample)


def close_sample_year(sample: str) -> Record | None:
    """The report of the sample's year, which is over with it; None where none was opened."""
    year = _YEARS.pop(sample, None)
    return None if year is None else year.report()
