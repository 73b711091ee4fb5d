"""The recorded form of a year: one JSON object a line, the lines of a turn together, and nothing that a clock gave.

    start                                           the terms of the year
    evict?  turn  voice*  (call reply)*  state      once per turn; `state` completes it
    end                                             how it ended

Every `state` and `end` carries a checksum over all that stands before it, so that damage is found when a file is
opened. A line that a process did not live to finish is not damage: what follows the last `state` is a turn in flight.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Annotated, Any, TypeGuard

import orjson
from msgspec import Meta, Struct
from msgspec.structs import asdict

from ecbench.episode import Episode
from ecbench.rules import DEFAULT_SET
from ecbench.runs.run_worlds import Site
from ecbench.seat import Record, Turn

SCHEMA = 1
RESUMABLE = ("stopped", "model_error")

Count = Annotated[int, Meta(ge=0)]
Money = Annotated[float, Meta(ge=-1e300, le=1e300)]  # which neither an infinity nor a NaN is


class State(Struct, frozen=True):
    """Where the merchant stands after a turn."""

    turn: Count
    time: str
    day: Count
    bank: Money
    wallet: Money
    escrow: Money
    stores: Count
    calls: Count  # so far

    @property
    def total(self) -> float:
        return self.bank + self.wallet + self.escrow


class End(Struct, frozen=True):
    """How a year ended, and with what."""

    ending: str
    final_assets: Money
    day: Count
    turns: Count
    calls: Count
    reason: str = ""

    @property
    def resumable(self) -> bool:
        return self.ending in RESUMABLE


def is_over(end: End | None) -> TypeGuard[End]:
    """Whether a record ends for good: it has an end, and nobody can go on from there."""
    return end is not None and not end.resumable


class Fork(Struct, frozen=True):
    """Where a year was taken over: its first `turns` turns are another agent's."""

    run: str
    episode: Count
    day: Count
    turns: Count


class Place(Struct, frozen=True):
    """One of several seats in a market."""

    seat: Count
    seats: Count


@dataclass(frozen=True, slots=True)
class Terms:
    """What an episode is played under; the same for all episodes of a run, but for the world where it has several."""

    world: str
    world_id: str
    seed: int
    agent: str
    days: int
    stake: float
    max_turns: int = 4_000
    voice: str = "template"
    rule_set: str = DEFAULT_SET
    rules: Mapping[str, Any] = field(default_factory=dict)  # overrides on top of it, as JSON has them
    model: Mapping[str, Any] = field(default_factory=dict)
    fork: Fork | None = None
    arena: Place | None = None
    door: str = ""  # by which an agent of another program comes in; none for merchants and our own turn loop

    def on(self, site: Site) -> "Terms":
        """The same on another world."""
        return replace(self, world=site.name, world_id=site.id, seed=site.seed)

    def to_json(self) -> Record:
        return {
            "world": {"name": self.world, "id": self.world_id, "seed": self.seed},
            "agent": self.agent,
            "model": dict(self.model),
            "voice": self.voice,
            "rule_set": self.rule_set,
            "rules": dict(self.rules),
            "days": self.days,
            "stake": self.stake,
            "max_turns": self.max_turns,
            "fork": asdict(self.fork) if self.fork else None,
            "door": self.door,
            "arena": asdict(self.arena) if self.arena else None,
        }


def state_of(episode: Episode, turn: int, calls: int) -> State:
    return State(
        turn,
        episode.now.isoformat(),
        episode.day,
        episode.bank,
        episode.wallet,
        episode.escrow,
        len(episode.account.books.trading),
        calls,
    )


def end_of(episode: Episode, ending: str, turns: int, calls: int, reason: str = "") -> End:
    total = episode.bank + episode.wallet + episode.escrow
    return End(ending, total, episode.day, turns, calls, reason)


_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def encode(record: Mapping[str, Any]) -> bytes:
    """One line. Half a surrogate pair, which a model may well send, has no UTF-8 form and is written escaped."""
    try:
        return _written(record).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def encode_reply(text: str) -> bytes:
    """The same line that `encode` writes. Most of a record is replies, long texts that orjson writes soonest."""
    reply = {"event": "reply", "text": text}
    try:
        return orjson.dumps(reply, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # half a surrogate pair
        return encode(reply)


class Checksum:
    """Runs over the lines of a year. A sealed line ends in the sum of everything before it and of its own content."""

    _MARK = b',"check":"'
    _TAIL = len(_MARK) + 16 + len(b'"}\n')

    def __init__(self) -> None:
        self._sum = blake2b(digest_size=8)

    def add(self, lines: bytes | memoryview) -> None:
        self._sum.update(lines)

    def seal(self, record: Mapping[str, Any]) -> bytes:
        content = encode(record)[: -len(b"}\n")]
        return content + self._MARK + self._over(content) + b'"}\n'

    @classmethod
    def of(cls, line: bytes) -> str:
        """The sum that a sealed line ends in."""
        return line[len(cls._MARK) - cls._TAIL : -len(b'"}\n')].decode()

    def holds(self, line: bytes) -> bool:
        content = line[: -self._TAIL]
        return line[-self._TAIL :] == self._MARK + self._over(content) + b'"}\n'

    def _over(self, content: bytes) -> bytes:
        sum_now = self._sum.copy()
        sum_now.update(content)
        return sum_now.hexdigest().encode()


class Writer:
    """Gives the lines of a year their final form."""

    def __init__(self, written: bytes = b"") -> None:
        self._sum = Checksum()
        self._sum.add(written)

    def start(self, terms: Terms, episode: int) -> bytes:
        return self._added(encode({"event": "start", "schema": SCHEMA, "episode": episode, **terms.to_json()}))

    def turn(self, turn: Turn, state: State) -> bytes:
        lines = [encode({"event": "evict", **eviction}) for eviction in turn.evictions]
        lines.append(encode({"event": "turn", "turn": state.turn, **turn.said}))
        lines += [encode({"event": "voice", **line}) for line in turn.voices]
        for call, reply in zip(turn.calls, turn.replies, strict=True):
            lines += (encode({"event": "call", **call}), encode_reply(reply))
        for line in lines:
            self._sum.add(line)
        lines.append(self._added(self._sum.seal({"event": "state", **asdict(state)})))
        return b"".join(lines)  # at the end, since replies are long and each copy of them takes its time

    def end(self, end: End) -> bytes:
        """Not added to the sum: a year that was stopped goes on as if this line had never been."""
        record = {"event": "end", **asdict(end)}
        return self._sum.seal({name: value for name, value in record.items() if name != "reason" or value})

    def _added(self, lines: bytes) -> bytes:
        self._sum.add(lines)
        return lines
