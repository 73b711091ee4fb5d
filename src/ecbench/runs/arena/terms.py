"""What an arena is played under, and who sits where in which round."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from msgspec import Meta, Struct

from ecbench.ranges import DAYS, EPISODES, SEATS, SECONDS, STAKE, TURNS
from ecbench.rules import DEFAULT_SET
from ecbench.runs.play.agents import short_name
from ecbench.runs.record.schema import within
from ecbench.seat import Record


@dataclass(frozen=True, slots=True)
class ArenaTerms:
    """The same for all rounds, but for the world. An entry keeps its agent; its seat moves on by one each round."""

    agents: tuple[str, ...]  # by entry
    rounds: int
    worlds: tuple[str, ...]  # round by round, and then from the first again
    days: int
    stake: float
    max_turns: int = 4_000
    rule_set: str = DEFAULT_SET
    rules: Mapping[str, Any] = field(default_factory=dict)  # overrides on top of it
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # options by agent, of those that are models
    turn_seconds: float | None = None  # that a seat may keep the others waiting; None: as long as it likes

    @property
    def seats(self) -> int:
        return len(self.agents)

    def entry_at(self, number: int, seat: int) -> int:
        """Who sits there in a round."""
        return (seat - number) % self.seats

    def seat_of(self, number: int, entry: int) -> int:
        """Where somebody sits in a round."""
        return (entry + number) % self.seats

    def world_of(self, number: int) -> str:
        return self.worlds[number % len(self.worlds)]

    @property
    def labels(self) -> list[str]:
        """The entries' names; one that is entered several times is numbered."""
        return numbered([short_name(agent) for agent in self.agents])

    def to_json(self) -> Record:
        return {
            "agents": list(self.agents),
            "rounds": self.rounds,
            "worlds": list(self.worlds),
            "days": self.days,
            "stake": self.stake,
            "max_turns": self.max_turns,
            "rule_set": self.rule_set,
            "rules": dict(self.rules),
            "models": {agent: dict(options) for agent, options in self.models.items()},
            "turn_seconds": self.turn_seconds,
        }


class ArenaRecord(Struct, frozen=True, kw_only=True):
    """The terms as `arena.json` states them."""

    agents: Annotated[list[str], Meta(min_length=int(SEATS.least), max_length=int(SEATS.most))]
    rounds: Annotated[int, within(EPISODES)]
    worlds: Annotated[list[str], Meta(min_length=1)]
    days: Annotated[int, within(DAYS)]
    stake: Annotated[float, Meta(ge=STAKE.least, le=STAKE.most)]
    max_turns: Annotated[int, within(TURNS)]
    rule_set: str
    rules: Record
    models: dict[str, Record]
    turn_seconds: Annotated[float, Meta(ge=SECONDS.least, le=SECONDS.most)] | None = None

    def terms(self) -> ArenaTerms:
        return ArenaTerms(
            tuple(self.agents),
            self.rounds,
            tuple(self.worlds),
            self.days,
            self.stake,
            self.max_turns,
            self.rule_set,
            self.rules,
            self.models,
            self.turn_seconds,
        )


def numbered(names: Sequence[str]) -> list[str]:
    """Each name once: `steady-1`, `steady-2` where two are the same."""
    times, seen, labels = Counter(names), Counter[str](), list[str]()
    for name in names:
        seen[name] += 1
        labels.append(name if times[name] == 1 else f"{name}-{seen[name]}")
    return labels
