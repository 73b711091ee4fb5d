"""What an episode is played under: the world, the rules, the length, and who sits at its table."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Annotated, Any

from msgspec import Meta, Struct, field, to_builtins
from msgspec.structs import asdict, force_setattr, replace

from ecbench.errors import RunError
from ecbench.harness.brief import BriefStyle
from ecbench.house_rules import house_rules
from ecbench.players.turn import Count, Record
from ecbench.ranges import DAYS, EPISODES, SEATS, SECONDS, STAKE, TURNS, WORLDS, Range, plain_value
from ecbench.rules import DEFAULT_SET, Rules, rule_set, versioned_set
from ecbench.runs.play.agents import is_model, short_name
from ecbench.world.fields import SEED
from ecbench.world.load import FRESH, load_world, seed_of
from ecbench.world.model import World


class WorldRef(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A world, and where it is found: a name that is known everywhere, such as `default` or `seed-7`, or a folder."""

    name: str
    id: str
    seed: int
    source: Annotated[str, Meta(pattern=r"\A[^\0]*\Z")] = ""  # none in a record
    year: Annotated[int, Meta(ge=0)] = 0  # a later one has a salt of its own (`world_in_year`)

    @property
    def year_id(self) -> str:
        """The id of the world, and of a later year on it its number."""
        return f"{self.id}/{self.year}" if self.year else self.id

    @classmethod
    def of(cls, world: World, source: str = "") -> "WorldRef":
        return cls(world.name, world.id, world.seed, source)


def worlds_at(sources: Sequence[str], days: int | None = None) -> list[WorldRef]:
    """Each world with its id. Without `days` their years must be equally long, since a run has one length."""
    worlds, lengths = [], {}
    for source in sources:
        world = load_world(source)
        worlds.append(WorldRef.of(world, source))
        lengths[source] = world.days if days is None else days
    other = next((source for source in sources if lengths[source] != lengths[sources[0]]), None)
    if other is not None:
        raise RunError(
            f"an episode of {sources[0]} has {lengths[sources[0]]} days, one of {other} {lengths[other]}; give --days"
        )
    return worlds


def read_worlds(text: str) -> list[str]:
    """Sources from a list such as `1-10` or `default,3,7`: seeds and ranges of seeds, names and folders of worlds."""
    sources = [source for part in text.split(",") for source in _sources(text, part.strip())]
    if len(sources) not in WORLDS:
        raise RunError(f"--world {text}: {len(sources):,} worlds; a run is played on 1 to {WORLDS.most:,}")
    twice = next((source for number, source in enumerate(sources) if source in sources[:number]), None)
    if twice:
        raise RunError(f"--world {text}: {twice} is there twice; --episodes says how often each world is played")
    return sources


def _sources(text: str, part: str) -> Iterable[str]:
    first, dash, last = part.partition("-")
    if not part:
        raise RunError(f"--world {text!r}: write seeds or ranges of seeds with commas, such as 1-10 or 3,7,12-14")
    last = last if dash else first
    if not (first.isdecimal() and last.isdecimal()):
        return [part]
    if any(seed_of(f"{FRESH}{seed}") is None for seed in (first, last)):
        raise RunError(f"--world {text}: a seed is {SEED}")
    seeds = range(int(first), int(last) + 1)
    if len(seeds) not in WORLDS:
        raise RunError(f"--world {text}: {part} is {len(seeds):,} worlds; a run is played on 1 to {WORLDS.most:,}")
    return [f"{FRESH}{seed}" for seed in seeds]


def check_episodes(worlds: Sequence[object], each: int) -> int:
    """Episodes of a run that plays each world so often."""
    total = len(worlds) * each
    if total not in EPISODES:
        raise RunError(
            f"{len(worlds):,} worlds by {each:,} episodes are {total:,} episodes; a run has 1 to {EPISODES.most:,}"
        )
    return total


MAX_TURNS = 4_000
CALLS_A_TURN = 10  # over MCP each call is a turn of its own, so such a rival has this many times the turns of others

# Some transports, as records name them.
OWN_LOOP_IN_INSPECT = "inspect"  # the turns and the context are ours
PERSONS_BOARD = "board"  # a person's clicks, without a loop in between
LONGEST_PAUSE = 300.0  # seconds that count between two turns of a person: one who left was not playing
HOST = "http"  # whose years are opened one by one


def within(whole: Range) -> Meta:
    """For msgspec: a whole number in this range."""
    return Meta(ge=int(whole.least), le=int(whole.most))


class Fork(Struct, frozen=True):
    """Where a year was taken over: the first `turns` turns of the table were played before."""

    run: str
    episode: Count
    day: Count
    turns: Count
    seat: Count = 0  # at which another agent continues

    @property
    def label(self) -> str:
        return f"fork of {self.run} at day {self.day}"


class SeatTerms(Struct, frozen=True):
    """Who plays a seat."""

    agent: str
    model: Record = field(default_factory=dict)  # options, of a model
    transport: str = ""  # by which an external agent connects; none for merchants and our own turn loop

    def __post_init__(self) -> None:
        for name in ("supplier", "window", "model_args"):
            if not isinstance(self.model.get(name, {}), dict):
                raise ValueError(f"model.{name}: expected an object")
        if not isinstance(self.model.get("supplier", {}).get("model_args", {}), dict):
            raise ValueError("model.supplier.model_args: expected an object")

    @property
    def asks_model(self) -> bool:
        """Whether our turn loop asks a model for the turns of this seat."""
        return not self.transport and is_model(self.agent)

    @property
    def names_model(self) -> bool:
        """Whether the agent is a model, whoever asks it."""
        return is_model(self.agent)

    @property
    def own_loop(self) -> bool:
        """Whether our turn loop asks a model, here or in Inspect, so that its context can be recomputed."""
        return self.names_model and self.transport in ("", OWN_LOOP_IN_INSPECT)


TurnSeconds = Annotated[int, within(SECONDS)] | Annotated[float, Meta(ge=SECONDS.least, le=SECONDS.most)]
"""Read as it was written: a replay of 20 seconds as 20.0 would differ from its record."""


class SharedTerms(Struct, frozen=True, kw_only=True):
    """What all episodes of a run are played under, whatever their world."""

    seats: Annotated[tuple[SeatTerms, ...], Meta(min_length=int(SEATS.least), max_length=int(SEATS.most))]
    voice: str = "template"
    rule_set: str = DEFAULT_SET
    rules: Record = field(default_factory=dict)  # overrides on top of the rule set, as JSON has them
    days: Annotated[int, within(DAYS)]
    stake: Annotated[float, Meta(ge=STAKE.least, le=STAKE.most)]
    max_turns: Annotated[int, within(TURNS)] = MAX_TURNS
    turn_seconds: TurnSeconds | None = None
    """That a seat may keep its rivals waiting; None: no limit."""
    policy: Record = field(default_factory=dict)  # the owner's house rules
    brief_style: BriefStyle = "neutral"
    fork: Fork | None = None

    def __post_init__(self) -> None:
        versioned = versioned_set(self.rule_set)
        if versioned != self.rule_set:
            force_setattr(self, "rule_set", versioned)
        if (self.policy or self.brief_style != "neutral") and not rules_of(self).conduct:
            raise ValueError("house rules and other briefs need rules that count conduct: --rules conduct")
        house_rules(self.policy)

    @property
    def shared(self) -> bool:
        """Whether rivals trade in the same market."""
        return len(self.seats) > 1

    @property
    def model_voice(self) -> bool:
        """Whether a model writes the suppliers' letters."""
        return is_model(self.voice)

    @property
    def asks_model(self) -> bool:
        """Whether our program asks a model, for a seat or for the letters."""
        return self.model_voice or any(seat.asks_model for seat in self.seats)

    @property
    def supplier_options(self) -> Record:
        """The options of the model that writes the suppliers' letters, which only a single-seat year has."""
        options: Record = self.seats[0].model.get("supplier", {})
        return options

    @property
    def labels(self) -> list[str]:
        """The agents' names by seat; one that sits at several seats is numbered."""
        return numbered([short_name(seat.agent) for seat in self.seats])

    def turn_limit(self, seat: int) -> int:
        """How many turns a seat may take."""
        own = self.seats[seat].transport
        return self.max_turns * CALLS_A_TURN if self.shared and own == "mcp" else self.max_turns


class Terms(SharedTerms, frozen=True, kw_only=True):
    """What an episode is played under."""

    world: WorldRef

    @classmethod
    def alone(
        cls,
        world: World,
        *,
        agent: str,
        model: Mapping[str, Any] | None = None,
        transport: str = "",
        days: int | None = None,
        stake: float | None = None,
        **terms: Any,
    ) -> "Terms":
        """The terms of a year with one seat; `days` are by default those of the world, the stake that of the rules."""
        seats = (SeatTerms(agent, dict(model or {}), transport),)
        days = world.days if days is None else days
        rules = rules_with(terms.get("rules", {}), terms.get("rule_set", DEFAULT_SET))
        stake = rules.stake if stake is None else stake
        return cls(world=WorldRef.of(world), seats=seats, days=days, stake=stake, **terms)

    @classmethod
    def of_seats(cls, world: World, seats: Sequence[SeatTerms], days: int, stake: float, **terms: Any) -> "Terms":
        """The terms of a year with these seats."""
        return cls(world=WorldRef.of(world), seats=tuple(seats), days=days, stake=stake, **terms)

    def with_seat(self, seat: int, **changes: Any) -> "Terms":
        """The same with another agent, or other options, at one seat."""
        changed = replace(self.seats[seat], **changes)
        return replace(self, seats=(*self.seats[:seat], changed, *self.seats[seat + 1 :]))


def rotated(entries: Sequence[Any], episode: int) -> tuple[Any, ...]:
    """What belongs to the entries of a run, by the seats of an episode: an entry sits one seat further in each."""
    count = len(entries)
    return tuple(entries[(seat - episode) % count] for seat in range(count))


def differing_terms(some: Terms, others: Terms) -> tuple[str, str, str] | None:
    """The first term that differs, by its name, with both values for a person; of a single seat its own fields."""
    one, other = asdict(some), asdict(others)
    if not some.shared and not others.shared:
        one, other = asdict(some.seats[0]) | one, asdict(others.seats[0]) | other
    for name, value in one.items():
        if value != other[name]:
            return name, plain_value(to_builtins(value)), plain_value(to_builtins(other[name]))
    return None


def rules_of(terms: SharedTerms) -> Rules:
    """What a run is played under."""
    return rules_with(terms.rules, terms.rule_set)


def rules_with(overrides: Mapping[str, Any], set_name: str = DEFAULT_SET) -> Rules:
    """The rules of that name, changed."""
    try:
        rules = rule_set(set_name)
        return rules.with_overrides(overrides) if overrides else rules
    except ValueError as problem:
        raise RunError(str(problem)) from problem


def numbered(names: Sequence[str]) -> list[str]:
    """Each name once: `steady-1`, `steady-2` if two are the same. A number that gives another's name is left out."""
    times, taken, labels = Counter(names), set(names), list[str]()
    for name in names:
        free = (label for number in count(1) if (label := f"{name}-{number}") not in taken)
        labels.append(name if times[name] == 1 else next(free))
        taken.add(labels[-1])
    return labels
