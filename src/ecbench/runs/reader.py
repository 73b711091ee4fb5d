"""Recorded years, read back: the turns that are whole, and what is wrong with the rest."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from ecbench.runs.events import SCHEMA, Checksum, End, Record, State, Terms, Turn
from ecbench.runs.problems import RunError


@dataclass(slots=True)
class Recording:
    """What a file of events holds, up to the first thing wrong with it."""

    terms: Terms | None = None  # None: not even the first line is whole
    episode: int = 0
    turns: list[Turn] = field(default_factory=list)
    states: list[State] = field(default_factory=list)  # after each turn
    turn_ends: list[int] = field(default_factory=list)  # where the lines of each turn end, in bytes
    end: End | None = None
    start_size: int = 0  # bytes of the first line
    content: bytes = b""
    dropped: str = ""  # what a killed process left unfinished
    damage: str = ""  # what can no longer be trusted, and from where on

    @property
    def kept(self) -> int:
        """Bytes to go on behind."""
        return self.turn_ends[-1] if self.turn_ends else self.start_size

    @property
    def written(self) -> bytes:
        """The lines to go on behind."""
        return self.content[: self.kept]

    @property
    def finished(self) -> bool:
        return self.end is not None and not self.end.resumable


def read_events(content: bytes, where: str) -> Recording:
    """Everything that is whole; `where` names the file in messages. Raises RunError for another schema's file."""
    recording = Recording(content=content)
    lines = content.split(b"\n")
    torn = lines.pop()
    if not lines:
        recording.dropped = "the first line was not finished" if torn else ""
        return recording
    _read_start(recording, lines[0], where)
    checksum, view = Checksum(), memoryview(content)
    first, turn_begins = 1, recording.start_size  # of the turn being read: its first line, and where that begins
    line_ends = turn_begins
    checksum.add(view[:turn_begins])
    for number in range(1, len(lines)):
        line = lines[number]
        line_begins, line_ends = line_ends, line_ends + len(line) + 1
        if recording.end is not None:
            recording.damage = f"{where}, line {number + 1}: there is more behind the end of the year"
            return recording
        if not line.startswith((b'{"event":"state"', b'{"event":"end"')):
            continue
        checksum.add(view[turn_begins:line_begins])
        records = _records(lines[first : number + 1]) if checksum.holds(line + b"\n") else None
        if records is None or not _take(recording, records):
            _damaged(recording, where, first + 1, number + 1)
            return recording
        checksum.add(view[line_begins:line_ends])
        if recording.end is None:
            recording.turn_ends.append(line_ends)
        first, turn_begins = number + 1, line_ends
    if first < len(lines) or torn:
        left = len(lines) - first + bool(torn)
        recording.dropped = f"the last {left} line{'s' if left > 1 else ''} belong to a turn that was not finished"
    return recording


def _read_start(recording: Recording, line: bytes, where: str) -> None:
    record = _parse(line)
    if not isinstance(record, dict) or record.get("event") != "start":
        raise RunError(f"{where}, line 1: this is not the start of a recorded year")
    if record.get("schema") != SCHEMA:
        raise RunError(
            f"{where} is written in schema {record.get('schema')!r}; this version of ecbench reads schema {SCHEMA}"
        )
    try:
        recording.terms, recording.episode = Terms.from_json(record), int(record["episode"])
    except (KeyError, TypeError, ValueError) as problem:
        raise RunError(f"{where}, line 1: the terms of the year are incomplete ({problem!r})") from problem
    recording.start_size = len(line) + 1


def _records(lines: Sequence[bytes]) -> list[Record] | None:
    records = [_parse(line) for line in lines]
    return records if all(isinstance(record, dict) for record in records) else None


def _parse(line: bytes) -> Any:
    """Strict and quick first; NaN and half surrogate pairs are only known to the slower parser."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        try:
            return json.loads(line)
        except ValueError:
            return None


def _take(recording: Recording, records: list[Record]) -> bool:
    """Add a turn, or the end, to the recording; False where its lines are not what such a group consists of."""
    closing = records.pop()
    try:
        event, _ = closing.pop("event"), closing.pop("check")
        if event == "end":
            recording.end = End(**closing)
            return not records
        recording.states.append(State(**closing))
        recording.turns.append(_turn(records))
    except (KeyError, TypeError):
        return False
    return True


def _turn(records: list[Record]) -> Turn:
    evictions, voices, calls, replies = [], [], [], []
    said: Record = {}
    for record in records:
        match record.pop("event"):
            case "call":
                calls.append(record)
            case "reply":
                replies.append(record["text"])
            case "turn":
                del record["turn"]
                said = record
            case "voice":
                voices.append(record)
            case "evict":
                evictions.append(record)
            case _:
                raise KeyError
    return Turn(calls, replies, said, evictions, voices)


def _damaged(recording: Recording, where: str, first: int, last: int) -> None:
    kept = len(recording.turns)
    place = f"lines {first} to {last}" if last > first else f"line {last}"
    whole = f"the {kept:,} turns before it are whole" if kept else "nothing before it can be used"
    if recording.states:
        whole += f" and reach day {recording.states[-1].day}"
    recording.damage = (
        f"{where}, {place}: the lines do not match their checksum, so they were edited or damaged; {whole}"
    )
