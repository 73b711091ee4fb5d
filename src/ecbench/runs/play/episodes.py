"""Episodes of a run folder: open the record, check that it belongs there, play on, write the derived files."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from shlex import quote
from time import monotonic
from typing import NamedTuple

from ecbench.errors import DamagedRecord, RunError
from ecbench.harness.messages import Usage
from ecbench.players.turn import State
from ecbench.players.turn_timer import SlowTurn
from ecbench.runs.folder import MANIFEST, Run
from ecbench.runs.play.recorded_table import Played, RecordedTable, replay_episode
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.atomic_write import opened, read_file, sync_folder, write_new_file
from ecbench.runs.record.lines import End, is_over
from ecbench.runs.record.reader import FollowedRecord, Recording, YearEnd, last_line_end, read_record
from ecbench.runs.results.database import RESULTS, open_results
from ecbench.runs.results.derived_files import DERIVED, Report, stored_reports, write_derived
from ecbench.runs.signatures.signature import SIGNATURE, check_signature, now, read_signature, sign, signed_with
from ecbench.runs.terms import Terms, differing_terms
from ecbench.suppliers.voices import Voice
from ecbench.world.model import World

TURN_SECONDS = 1.0  # a merchant's hundreds of turns in that time are not told one by one
TRAINING = "rl"  # the transport of a policy in training, which begins anew after a power cut


@dataclass(frozen=True, slots=True)
class Result:
    """What became of an episode: its end and its report at each seat, or why it has none.

    With ends, a problem is one of the derived files. `end` and `report` are those of `seat`.
    """

    episode: int
    ends: tuple[End, ...] = ()
    problem: str = ""
    reports: tuple[Report, ...] = ()
    recoverable: bool = False  # the record is damaged, and its whole turns can be recovered
    lost: bool = False  # with its worker; the record is whole, and continues from there
    stack: str = ""  # of a merchant's failure, for its author
    seat: int = 0
    head: str = field(default="", compare=False)  # of the record, if the result was read from its derived files

    @classmethod
    def failed(cls, episode: int, problem: RunError) -> "Result":
        return cls(episode, problem=str(problem), recoverable=isinstance(problem, DamagedRecord))

    @property
    def end(self) -> End | None:
        return self.ends[self.seat] if self.ends else None

    @property
    def report(self) -> Report | None:
        return self.reports[self.seat] if self.reports else None

    @property
    def over(self) -> bool:
        """Whether the year has ended for good at every seat."""
        return bool(self.ends) and all(map(is_over, self.ends))


class EpisodeOpening(NamedTuple):
    """Where an episode starts from."""

    turns: int
    states: Mapping[int, State]  # by seat, of those that have played already
    dropped: str  # what a killed process left unfinished and is now gone


class TurnRecorded(NamedTuple):
    """A turn is recorded, the first of its day or of a second."""

    seat: int
    state: State


class RequestRepeated(NamedTuple):
    """A request to the model of a seat is repeated."""

    seat: int
    notice: str


Message = EpisodeOpening | TurnRecorded | SlowTurn | RequestRepeated | Usage | Result
"""What is told of an episode: where it starts, its turns, what its models meet with and use, and what became of it."""

Tell = Callable[[Message], None]
Hear = Callable[[int, Message], None]
"""Receives the messages of all episodes of a run, with their numbers. A slow turn is told of from another thread."""


def ignore(*_: object) -> None:
    """Hears nothing."""


@dataclass(slots=True)
class OpenEpisode:
    """An episode whose record is open for writing, and what is around it while it is played."""

    run: Run
    episode: int
    events: AppendOnlyLog
    recording: Recording
    tell: Tell = ignore
    began: str = ""  # for its signature
    terms: Terms = field(init=False)
    _synced_day: int = -1
    _told: dict[int, tuple[int, float]] = field(default_factory=dict)  # by seat, the last day that was told, and when
    _costly: bool = field(init=False)
    _training: bool = field(init=False)

    def __post_init__(self) -> None:
        self.terms = terms = self.run.terms_of(self.episode)
        transports = {each.transport for each in terms.seats}
        self._training = transports == {TRAINING}
        self._costly = terms.asks_model or not transports <= {"", TRAINING}

    def append(self, line: bytes, state: State | None, seat: int) -> None:
        """Write a line, and tell of the turn that it completes: of one a day, or one a second where a day takes long.

        A turn of a model, or from outside, costs seconds or money: it is on the disk before it is acknowledged. Turns
        of a merchant are many and cheap: they are synced once a day. A year of training is synced at its end.
        """
        day = -1 if state is None else state.day
        sync = self._costly or state is None or (day != self._synced_day and not self._training)
        self.events.append(line, sync=sync)
        self._synced_day = day
        if state is not None:
            told_day, told_at = self._told.get(seat, (-1, 0.0))
            if day != told_day or monotonic() - told_at > TURN_SECONDS:
                self._told[seat] = day, monotonic()
                self.tell(TurnRecorded(seat, state))

    def table(self, world: World, voice: Voice) -> RecordedTable:
        return RecordedTable(self.terms, self.episode, world, self.recording, voice, self.append)

    def sign(self) -> None:
        """Sign the record as it stands on the disk, if its run is signed."""
        if self.run.signing_key is not None:
            sign(self.run, self.episode, read_episode(self.run, self.episode), self.began)

    def close_with(self, played: Played) -> Result:
        """Sign the record and write the derived files. The year is recorded, whatever becomes of them."""
        problem = ""
        try:
            self.sign()
            write_derived(self.run.episode_folder(self.episode), played.head, played.seats)
        except RunError as error:
            problem = str(error)
        reports = tuple(seat.report for seat in played.seats)
        return Result(self.episode, played.ends, problem, reports, stack=played.stack, seat=self.run.seat(self.episode))


@contextmanager
def open_episode(run: Run, episode: int, tell: Tell = ignore) -> Iterator[OpenEpisode]:
    """Raises RunError, with everything left as it was, when the record is damaged or belongs to other terms."""
    path = run.events_path(episode)
    with AppendOnlyLog(path) as events:
        recording = Recording(str(path))
        if events.size or run.terms.fork:
            recording = read_episode(run, episode)
            _refuse_damage(run, recording.damage)
        if run.signed is not None:
            _check_signed(run, episode, recording)
        events.size = recording.kept
        states = {turn.seat: turn.state for turn in recording.turns if turn.state is not None}
        tell(EpisodeOpening(len(recording.turns), states, recording.dropped))
        yield OpenEpisode(run, episode, events, recording, tell, began=now() if run.signed else "")


def _check_signed(run: Run, episode: int, recording: Recording) -> None:
    """What is signed stands in the record, and the key is there for what is not. Raises RunError."""
    try:
        if run.signing_key is not None:
            check_signature(run, episode, recording)
        elif not (recording.finished and (stated := read_signature(run, episode)) and stated.over):
            signed_with(run, None)
    except DamagedRecord as problem:
        _refuse_damage(run, str(problem))


def follow_episode(run: Run, episode: int) -> FollowedRecord:
    """An index of a record that may be growing. Raises NoSuchYear."""
    run.require(episode)
    return FollowedRecord(run.events_path(episode), partial(check_start, run, episode))


def recorded_end(run: Run, episode: int) -> End | None:
    """How an episode ended, from the last line of its record alone, which is not checked."""
    closed = last_line_end(run.events_path(episode), run.seats)
    return closed.ends[run.seat(episode)] if closed else None


def read_episode(run: Run, episode: int) -> Recording:
    """The record of an episode as it stands; it may be growing.

    Raises RunError when it was made under other terms, or when a fork lacks its beginning.
    """
    run.require(episode)
    path = run.events_path(episode)
    try:
        with opened(path) as file:
            recording = read_record(file, str(path), partial(check_start, run, episode))
    except FileNotFoundError:
        recording = Recording(str(path))
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    inherited = run.terms.fork.turns if run.terms.fork else 0
    if len(recording.turns) < inherited:
        raise RunError(
            f"{path} lacks turns that it took over: it has {len(recording.turns):,} of {inherited:,}; fork the "
            "original run again"
        )
    return recording


def load_finished(opened: OpenEpisode, world: World) -> Result | None:
    """What became of an episode that is over; files that are missing or of another end are derived from its record."""
    recording = opened.recording
    if not recording.finished or recording.year_end is None:
        return None
    stored = stored_result(opened.run, opened.episode, recording.year_end)
    if stored is not None:
        sign(opened.run, opened.episode, recording, opened.began)  # its process may have been killed before it did
    return stored or opened.close_with(replay_episode(opened.terms, opened.episode, world, recording))


def stored_result(run: Run, episode: int, end: YearEnd) -> Result | None:
    """The result of an episode that ended so; None unless its derived files were made from that record."""
    folder = run.episode_folder(episode)
    reports = stored_reports(folder, end.head, run.seats)
    database = open_results(folder / RESULTS, end.head, tables=()) if reports else None
    if reports is None or database is None:
        return None
    database.close()
    return Result(episode, end.ends, reports=reports, seat=run.seat(episode), head=end.head)


def check_start(run: Run, episode: int, terms: Terms, recorded_episode: int) -> None:
    """The first line of a record states the terms of its run. Raises RunError."""
    path = run.events_path(episode)
    if differing := differing_terms(terms, run.terms_of(episode)):
        name, recorded, stated = differing
        raise RunError(
            f"{path} was recorded with {name} {recorded}, but {run.folder / MANIFEST} says {stated}; one of them was "
            "edited or belongs to another run"
        )
    if recorded_episode != episode:
        raise RunError(f"{path} is the record of episode {recorded_episode}, not of episode {episode}")


def _refuse_damage(run: Run, damage: str) -> None:
    if damage:
        raise DamagedRecord(
            f"{damage}. Nothing was changed. To continue after the last complete turn: ecbench resume "
            f"{quote(str(run.folder))} --salvage; what is there now is kept beside it"
        )


def salvage(run: Run, episode: int) -> Path | None:
    """Where the damaged record is kept; derived files are deleted, and a signature about lines that stay is not."""
    if not _is_damaged(run, episode, read_episode(run, episode)):
        return None
    path, folder = run.events_path(episode), run.episode_folder(episode)
    signature = folder / SIGNATURE
    with AppendOnlyLog(path) as events:
        recording = read_episode(run, episode)
        if not _is_damaged(run, episode, recording):  # another process has salvaged it meanwhile
            return None
        try:
            number = next(n for n in count(1) if not any(_aside(file, n).exists() for file in (path, signature)))
            write_new_file(_aside(path, number), read_file(path))
            if _signature_is_damaged(run, episode, recording):
                signature.rename(_aside(signature, number))
            for name in DERIVED:
                (folder / name).unlink(missing_ok=True)
            sync_folder(folder)
            events.cut(recording.kept)
        except OSError as error:
            raise RunError(f"cannot put {path} aside: {error.strerror}; its record was not changed") from error
    return _aside(path, number)


def _is_damaged(run: Run, episode: int, recording: Recording) -> bool:
    return bool(recording.damage) or _signature_is_damaged(run, episode, recording)


def _signature_is_damaged(run: Run, episode: int, recording: Recording) -> bool:
    try:
        check_signature(run, episode, recording)
    except DamagedRecord:
        return True
    return False


def _aside(path: Path, number: int) -> Path:
    """`events.jsonl` becomes `events.damaged-1.jsonl`."""
    return path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
