"""The format of `receipts.jsonl`: one signed line for each closed group of an episode's record.

A receipt says when a group was recorded, who acted and, of a model, what its provider reported. It holds the SHA-256 of
the record from its first byte to the end of that group, and the SHA-256 of the receipt before it. The signature covers
the line up to its own field. The first receipt is about the start line, the last one about the end of the year. An end
that can be resumed has none, since a resumed record continues in its place.
"""

import builtins
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import asdict

from ecbench.runs.play.agents import is_model
from ecbench.runs.receipts.signing import SigningKey, signature_holds
from ecbench.runs.record.checksums import encode
from ecbench.runs.record.events import is_over
from ecbench.runs.record.groups import read_year_end
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.schema import parse
from ecbench.runs.results.counters import add_answer_usage
from ecbench.runs.terms import Count, Terms

RECEIPTS = "receipts.jsonl"

Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Time = Annotated[str, Meta(pattern=r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\Z")]
EventName = Literal["start", "turn", "handed", "morning", "leave", "end"]

_SIGNATURE = b',"signature":"'
_LAST = b'"}\n'
_TURN = b'{"event":"turn"'


class GroupStatement(Struct, frozen=True):
    """What a receipt says of a group of the record; it follows from the group and from the terms."""

    event: EventName
    seat: Count | None = None
    turn: Count | None = None
    participant: str | None = None
    provider: str | None = None
    model: str | None = None  # its id as the provider reported it
    usage: dict[str, int | float] | None = None  # as the provider reported it, refused answers included


class Receipt(GroupStatement, frozen=True, kw_only=True):
    """One receipt without its signature."""

    receipt: Count  # its number, from 0
    run: str
    episode: Count
    episodes: Count  # of the run at that time; a host adds some
    time: Time  # UTC
    late: bool = False  # signed by a later process than the one that recorded the group
    bytes: Count  # of the record, up to the end of the group
    sha256: Digest  # of these bytes
    previous: str  # the SHA-256 of the line before; of the first one empty

    def line(self, key: SigningKey) -> builtins.bytes:
        content = self._content()
        return content + _SIGNATURE + key.sign(content).encode() + _LAST

    def states(self, statement: GroupStatement) -> bool:
        return all(getattr(self, name) == value for name, value in asdict(statement).items())

    def is_written_as(self, line: builtins.bytes) -> bool:
        return line.rpartition(_SIGNATURE)[0] == self._content()

    def _content(self) -> builtins.bytes:
        stated = {name: value for name, value in asdict(self).items() if value is not None and value is not False}
        return encode(stated)[: -len(b"}\n")]


def is_signed(line: bytes, key: str) -> bool:
    """Whether a line ends in a signature of itself by the owner of a public key."""
    content, _, signature = line.rpartition(_SIGNATURE)
    return signature.endswith(_LAST) and signature_holds(
        key, signature.removesuffix(_LAST).decode(errors="replace"), content
    )


class SignedGroup(NamedTuple):
    """A part of the record that a receipt is about."""

    lines: bytes
    end: int  # in the file, in bytes


def groups_to_sign(recording: Recording, start: int) -> Iterator[SignedGroup]:
    """What receipts are about, in their order; the first one is about the first `start` bytes."""
    ends = [group.end for group in recording.groups if group.end > start]
    ends += [len(recording.content)] * recording.finished
    begin = 0
    for end in (start, *ends):
        yield SignedGroup(recording.content[begin:end], end)
        begin = end


def start_sizes(recording: Recording) -> list[int]:
    """How many bytes the first receipt may be about: the first line, with all turns that a fork took over."""
    fork = recording.terms.fork if recording.terms else None
    if fork is None or not fork.turns:
        return [recording.start_size]
    turns, sizes = 0, []
    for group in recording.groups:
        turns += group.kind in ("turn", "handed")
        if turns == fork.turns:
            sizes.append(group.end)
    return sizes


def statement_of(lines: bytes, terms: Terms) -> GroupStatement | None:
    """What a receipt says of a group under these terms; None for an end that can be resumed."""
    first = lines[: lines.find(b"\n") + 1]
    last = lines[lines.rfind(b"\n", 0, -1) + 1 :]
    closing: Mapping[str, Any] = parse(last)
    event = parse(first)["event"]
    if event == "start":
        return GroupStatement("start")
    if event == "end":
        end = read_year_end(last, len(terms.seats))
        return GroupStatement("end") if end is not None and all(map(is_over, end.ends)) else None
    seat = closing["seat"]
    name = terms.labels[seat]
    if event == "leave":
        return GroupStatement("leave", seat, participant=name)
    kind: EventName = "handed" if closing["event"] == "handed" else "morning" if event == "morning" else "turn"
    stated = GroupStatement(kind, seat, closing["turn"], name)
    agent = terms.seats[seat]
    if kind == "morning" or not is_model(agent.agent) or agent.door:
        return stated
    said, usage = parse(_turn_line(lines)), dict[str, int | float]()
    add_answer_usage(usage, said)
    return GroupStatement(kind, seat, closing["turn"], name, agent.agent.partition("/")[0], said.get("model"), usage)


def _turn_line(lines: bytes) -> bytes:
    """Evictions may stand before it."""
    begin = 0 if lines.startswith(_TURN) else lines.index(b"\n" + _TURN) + 1
    return lines[begin : lines.index(b"\n", begin) + 1]
