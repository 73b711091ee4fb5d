"""The JSON of a run folder, parsed at the edge: what is of another kind than it should be goes no further.

Lines of a model's turn stay open: a field that is not named here is kept as it was recorded.
"""

import json
from collections import Counter
from threading import Lock
from typing import Annotated, Any, Literal, TypeVar

import msgspec
import orjson
from msgspec import Meta, Struct

from ecbench.gate import DEEPEST, is_too_deep
from ecbench.players.turn import Record, State
from ecbench.ranges import DAYS, EPISODES, SEATS, SECONDS, STAKE, TURNS, WORLDS, Range
from ecbench.runs.budget_limits import BudgetLimits
from ecbench.runs.receipts.signing import SignedBy
from ecbench.runs.record.events import End
from ecbench.runs.run_worlds import Site
from ecbench.runs.stopping_plan import StoppingPlan
from ecbench.runs.terms import Count, Fork, Money, SeatTerms, Terms
from ecbench.tools.outcome import CallError, ErrorKind, Outcome

DEEPEST_RECORD = DEEPEST + 20  # what an agent may send, and what is written around it

Kind = TypeVar("Kind")

_TOO_DEEP = f"nested more than {DEEPEST_RECORD} deep"

_quickly = msgspec.json.Decoder().decode

_worked_out: set[Any] = set()
_one_at_a_time = Lock()


def within(whole: Range) -> Meta:
    """For msgspec: a whole number in this range."""
    return Meta(ge=int(whole.least), le=int(whole.most))


Source = Annotated[str, Meta(pattern=r"\A[^\0]+\Z")]
Yuan = Annotated[float, Meta(ge=-1e18, le=1e18)]
"""More than any year can bring; neither infinite nor NaN, and far from where sums overflow."""


class WorldRecord(Struct, frozen=True):
    """A world by name, id and seed."""

    name: str
    id: str
    seed: int


class SeatRecord(Struct, frozen=True):
    """Who plays a seat."""

    agent: str
    model: Record
    door: str

    def __post_init__(self) -> None:
        for name in ("supplier", "window"):
            if not isinstance(self.model.get(name, {}), dict):
                raise ValueError(f"model.{name}: expected an object")


class TermsRecord(Struct, frozen=True, kw_only=True):
    """Terms as `run.json` and the first line of a record state them."""

    world: WorldRecord
    seats: Annotated[list[SeatRecord], Meta(min_length=int(SEATS.least), max_length=int(SEATS.most))]
    voice: str
    rule_set: str
    rules: Record
    days: Annotated[int, within(DAYS)]
    stake: Annotated[float, Meta(ge=STAKE.least, le=STAKE.most)]
    max_turns: Annotated[int, within(TURNS)]
    turn_seconds: Annotated[float, Meta(ge=SECONDS.least, le=SECONDS.most)] | None
    fork: Fork | None

    def terms(self) -> Terms:
        return Terms(
            world=self.world.name,
            world_id=self.world.id,
            seed=self.world.seed,
            seats=tuple(SeatTerms(seat.agent, seat.model, seat.door) for seat in self.seats),
            days=self.days,
            stake=self.stake,
            turn_limit=self.max_turns,
            voice=self.voice,
            rule_set=self.rule_set,
            rules=self.rules,
            turn_seconds=self.turn_seconds,
            fork=self.fork,
        )


class SiteRecord(WorldRecord, frozen=True):
    """A world and where it is found."""

    source: Source

    def site(self) -> Site:
        return Site(self.name, self.id, self.seed, self.source)


class Manifest(TermsRecord, frozen=True, kw_only=True):
    """What `run.json` says."""

    ecbench: Annotated[str, Meta(pattern=r"\A[0-9A-Za-z.+-]{1,40}\Z")] = "of an unknown version"
    behaviour: Count = 0
    git_commit: Annotated[str, Meta(pattern=r"\A[0-9a-f]{7,64}\Z")] | None = None
    created: Annotated[str, Meta(max_length=40)] = ""
    episodes: Annotated[int, within(EPISODES)]
    worlds: Annotated[list[SiteRecord], Meta(min_length=1, max_length=int(WORLDS.most))]
    signed: SignedBy | None = None
    resumed_window: dict[str, Count] | None = None
    stopping: StoppingPlan | None = None
    budget: BudgetLimits | None = None

    def __post_init__(self) -> None:
        plan, worlds = self.stopping, len(self.worlds)
        if plan is not None and (self.episodes % worlds or len(self.seats) > 1):
            raise ValueError("a stopping plan is of one agent that plays each world of the run equally often")

    def sites(self) -> tuple[Site, ...]:
        return tuple(record.site() for record in self.worlds)


def read_manifest(record: Record) -> Manifest:
    """A run states all its worlds in one list. Raises ValueError."""
    worlds = record.get("worlds")
    first = worlds[0] if isinstance(worlds, list) and worlds else None
    return typed({**record, "world": first}, Manifest)


class StartLine(TermsRecord, frozen=True, kw_only=True):
    """The first line of a record."""

    episode: Count


class EvictLine(Struct, tag_field="event", tag="evict"):
    """Messages that left a model's context."""

    before: Count
    freed: Count
    cleared: list[Count]


class RetryRecord(Struct):
    """A retried request."""

    cause: str
    seconds: Money
    usage: dict[str, Money] = {}


class TurnLine(Struct, tag_field="event", tag="turn"):
    """What is read of a turn beside the model's own fields; a merchant's turn has none of them."""

    seat: Count
    turn: Count
    day: Count
    text: str = ""
    reasoning: str = ""
    usage: dict[str, Money] = {}
    seconds: Money = 0.0
    stop_reason: str = ""
    retries: list[RetryRecord] = []
    context: Count = 0
    window: dict[str, Count] = {}


class VoiceRecord(Struct, tag_field="event", tag="voice"):
    """What a supplier said."""

    kind: Literal["letter", "membership"]
    said: str
    fallback: str = ""
    usage: dict[str, Money] = {}
    retries: list[RetryRecord] = []


class CallLine(Struct, tag_field="event", tag="call"):
    """Agents may name and send anything; the tools say what is wrong with it."""

    name: Any
    arguments: Any
    id: str = ""
    problem: str = ""
    written: str = ""


class ErrorRecord(Struct):
    """Why a call, or an item of it, was not carried out."""

    kind: ErrorKind
    message: str
    missing: Money = 0.0


class ReplyLine(Struct, tag_field="event", tag="reply"):
    """The outcome of a call."""

    text: str
    day: Count
    minute: Count
    minutes: Count
    mornings: Count
    error: ErrorRecord | None = None


class MorningLine(Struct, tag_field="event", tag="morning"):
    """A turn that was handed in goes on."""

    seat: Count
    turn: Count


class StateLine(Struct):
    """A turn is complete."""

    seat: Count
    turn: Count
    time: str
    day: Count
    bank: Money
    wallet: Money
    escrow: Money
    stores: Count
    calls: Count

    def state(self) -> State:
        return State(self.turn, self.time, self.day, self.bank, self.wallet, self.escrow, self.stores, self.calls)


class HandedLine(Struct):
    """A turn waits for the morning."""

    seat: Count
    turn: Count


class LeaveLine(Struct):
    """A seat leaves."""

    seat: Count
    ending: str
    reason: str = ""


class EndLine(Struct):
    """The year is over, or was interrupted."""

    seats: Annotated[list[End], Meta(min_length=1)]
    check: str


OpeningLine = EvictLine | TurnLine | VoiceRecord | MorningLine
"""What stands in a group before its calls and replies."""


def read_reply(line: bytes, call: Record) -> Outcome:
    """Most of a record is replies, long texts that orjson reads fastest. Raises ValueError."""
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        record = parse(line)
    reply = typed(record, ReplyLine)
    found = reply.error
    error = None if found is None else CallError(found.kind, found.message, found.missing)
    return Outcome(call, reply.text, error, reply.day, reply.minute, reply.minutes, reply.mornings)


def parse(content: bytes) -> Any:
    """Raises ValueError."""
    try:
        value = read_json(content)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    brackets = content.count(b"[") + content.count(b"{")
    if brackets > DEEPEST_RECORD and is_too_deep(value, DEEPEST_RECORD):
        raise ValueError(_TOO_DEEP)
    return value


def repeated_field(content: bytes) -> str:
    """A field that an object of a JSON text states twice; empty where none does. Raises ValueError.

    Readers differ in which of the two they take.
    """
    repeated: list[str] = []

    def look(fields: list[tuple[str, Any]]) -> None:
        counts = Counter(name for name, _ in fields)
        repeated.extend(name for name, count in counts.items() if count > 1)

    json.loads(content, object_pairs_hook=look)
    return repeated[0] if repeated else ""


def read_json(text: str | bytes) -> Any:
    """What `json.loads` reads, whole numbers of any size too, in half the time.

    NaN, infinities and half surrogate pairs are only known to the slower parser. Raises ValueError or RecursionError.
    """
    try:
        return _quickly(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return json.loads(text)


def typed(value: Any, kind: type[Kind]) -> Kind:
    """Raises ValueError, which names the field, where `value` is not of this kind."""
    if kind not in _worked_out:
        _work_out(kind)
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        what, at, place = str(error).replace("`", "").partition(" - at $.")
        raise ValueError(f"{place}: {what[:1].lower()}{what[1:]}" if at else f"{what[:1].lower()}{what[1:]}") from error


def _work_out(kind: Any) -> None:
    """Let msgspec look at a class before it converts to it: two threads that meet one at once crash the process."""
    with _one_at_a_time:
        msgspec.json.Decoder(kind)
        _worked_out.add(kind)
