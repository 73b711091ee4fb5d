"""What an episode is played under: the world, the rules, the length, and who sits at its table."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import asdict

from ecbench.players.turn import Record
from ecbench.rules import DEFAULT_SET, Rules, versioned_set
from ecbench.runs.play.agents import short_name
from ecbench.runs.rule_overrides import rules_with
from ecbench.runs.run_worlds import Site
from ecbench.world.model import World

MAX_TURNS = 4_000
CALLS_A_TURN = 10  # over MCP each call is a turn of its own, so such a rival has so many times the turns of others

# Some doors, as records name them.
OWN_LOOP_IN_INSPECT = "inspect"  # the turns and the context are ours
PERSONS_BOARD = "board"  # a person's clicks, without a loop in between
LONGEST_PAUSE = 300.0  # seconds that count between two turns of a person: one who left was not playing
HOST = "http"  # whose years are opened one by one

Count = Annotated[int, Meta(ge=0)]
Money = Annotated[float, Meta(ge=-1e300, le=1e300)]  # neither an infinity nor a NaN


class Fork(Struct, frozen=True):
    """Where a year was taken over: the first `turns` turns of the table were played before."""

    run: str
    episode: Count
    day: Count
    turns: Count
    seat: Count = 0  # at which another agent goes on
    earlier: tuple[tuple[Count, Count], ...] = ()  # other seats that forks before this one took over, with their turns

    @property
    def label(self) -> str:
        return f"fork of {self.run} at day {self.day}"

    def inherited_turns(self, seat: int) -> int:
        """Of how many first turns of the table the agent at a seat played none itself."""
        return dict([*self.earlier, (self.seat, self.turns)]).get(seat, 0)

    def earlier_than(self, turns: int, seat: int) -> tuple[tuple[int, int], ...]:
        """The seats that are taken over already where this fork is forked at another seat, behind so many turns."""
        taken = [*self.earlier, (self.seat, self.turns)]
        return tuple((other, min(before, turns)) for other, before in taken if other != seat)


@dataclass(frozen=True, slots=True)
class SeatTerms:
    """Who plays a seat."""

    agent: str
    model: Mapping[str, Any] = field(default_factory=dict)  # options, of a model
    door: str = ""  # the adapter through which an external agent plays; none for merchants and our own turn loop

    def to_json(self) -> Record:
        return {"agent": self.agent, "model": dict(self.model), "door": self.door}


@dataclass(frozen=True, slots=True)
class Terms:
    """The same for all episodes of a run, but for the world where it has several, and for the order of its seats.

    `seat` selects the seat that `agent`, `model`, `door` and `max_turns` are about. It and `names` are for readers, and
    not part of the terms.
    """

    world: str
    world_id: str
    seed: int
    seats: tuple[SeatTerms, ...]
    days: int
    stake: float
    turn_limit: int = MAX_TURNS
    voice: str = "template"
    rule_set: str = DEFAULT_SET
    rules: Mapping[str, Any] = field(default_factory=dict)  # overrides on top of the rule set, as JSON has them
    turn_seconds: float | None = None  # that a seat may keep its rivals waiting; None: no limit
    fork: Fork | None = None
    seat: int = 0
    names: tuple[str, ...] = ()  # of the seats, where another order of them has given the names

    def __post_init__(self) -> None:
        object.__setattr__(self, "rule_set", versioned_set(self.rule_set))

    @classmethod
    def alone(
        cls,
        world: World,
        *,
        agent: str,
        model: Mapping[str, Any] | None = None,
        door: str = "",
        days: int | None = None,
        stake: float | None = None,
        max_turns: int = MAX_TURNS,
        **terms: Any,
    ) -> "Terms":
        """The terms of a year with one seat; `days` are by default those of the world, the stake that of the rules."""
        seats = (SeatTerms(agent, model or {}, door),)
        days = world.days if days is None else days
        stated = cls(world.name, world.id, world.seed, seats, days, 0.0, turn_limit=max_turns, **terms)
        return replace(stated, stake=rules_of(stated).stake if stake is None else stake)

    @property
    def agent(self) -> str:
        return self.seats[self.seat].agent

    @property
    def model(self) -> Mapping[str, Any]:
        return self.seats[self.seat].model

    @property
    def door(self) -> str:
        return self.seats[self.seat].door

    @property
    def shared(self) -> bool:
        """Whether rivals trade in the same market."""
        return len(self.seats) > 1

    @property
    def max_turns(self) -> int:
        return self.turn_limit * CALLS_A_TURN if self.shared and self.door == "mcp" else self.turn_limit

    @property
    def labels(self) -> list[str]:
        """The agents' names by seat; one that sits at several seats is numbered, in the order of entries."""
        return list(self.names) or numbered([short_name(seat.agent) for seat in self.seats])

    def at(self, seat: int) -> "Terms":
        """The same terms, looked at from a seat."""
        return replace(self, seat=seat)

    def on(self, site: Site) -> "Terms":
        """The same on another world."""
        return replace(self, world=site.name, world_id=site.id, seed=site.seed)

    def rotated(self, episode: int) -> "Terms":
        """In each episode an entry sits one seat further, so that no seat is an advantage over a run."""
        if not self.shared:
            return self
        count = len(self.seats)
        order = [(seat - episode) % count for seat in range(count)]
        seats, names = tuple(self.seats[entry] for entry in order), self.labels
        return replace(
            self, seats=seats, seat=(self.seat + episode) % count, names=tuple(names[entry] for entry in order)
        )

    def changed(self, **changes: Any) -> "Terms":
        """The same with other values; `agent`, `model` and `door` are those of the selected seat."""
        own = {name: changes.pop(name) for name in ("agent", "model", "door") if name in changes}
        if "max_turns" in changes:
            changes["turn_limit"] = changes.pop("max_turns")
        terms = self.with_agent(self.seat, replace(self.seats[self.seat], **own)) if own else self
        return replace(terms, **changes)

    def with_agent(self, seat: int, agent: SeatTerms) -> "Terms":
        """The same with another agent at one seat."""
        return replace(self, seats=(*self.seats[:seat], agent, *self.seats[seat + 1 :]), names=())

    def to_json(self) -> Record:
        return {
            "world": {"name": self.world, "id": self.world_id, "seed": self.seed},
            "seats": [seat.to_json() for seat in self.seats],
            "voice": self.voice,
            "rule_set": self.rule_set,
            "rules": dict(self.rules),
            "days": self.days,
            "stake": self.stake,
            "max_turns": self.turn_limit,
            "turn_seconds": self.turn_seconds,
            "fork": asdict(self.fork) if self.fork else None,
        }


def rules_of(terms: Terms) -> Rules:
    """What a run is played under."""
    return rules_with(terms.rules, terms.rule_set)


def numbered(names: Sequence[str]) -> list[str]:
    """Each name once: `steady-1`, `steady-2` if two are the same. A number that gives another's name is left out."""
    times, taken, labels = Counter(names), set(names), list[str]()
    for name in names:
        free = (label for number in count(1) if (label := f"{name}-{number}") not in taken)
        labels.append(name if times[name] == 1 else next(free))
        taken.add(labels[-1])
    return labels
