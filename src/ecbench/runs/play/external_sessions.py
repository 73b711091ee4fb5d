"""Years that agents of other programs play: they hand in turns, and may come back after either side has died.

Whoever builds a door for such agents opens the run with `visited_run` and each of its years with `VisitedYear`:

    year = VisitedYear(run, 0, world)
    replies = year.take([{"name": "wait_for_next_day", "arguments": {}}])
    year.leave()                                  # or year.finish(); the next VisitedYear goes on from there

A turn is in the record before its replies are given, so a process that is killed loses no turn that was answered. A
power cut may: `sync` sees to that, and is apart from `take`, because a disk is better waited for beside an event loop.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from ecbench.episode import Episode
from ecbench.ranges import quoted
from ecbench.runs.errors import RunError
from ecbench.runs.folder import MANIFEST, Run, create_run, open_run
from ecbench.runs.play.episodes import OpenEpisode, Result, open_episode, settled
from ecbench.runs.play.recorded_seat import RecordedSeat
from ecbench.runs.play.resumed_voice import live_voice
from ecbench.runs.record.events import End, State, Terms
from ecbench.runs.results.summary_file import summarize_alone
from ecbench.seat import Record, Turn
from ecbench.world.model import World

COSTLY_SECONDS = 1.0  # of an agent's time over a turn
UNSYNCED_SECONDS = 5.0  # of quick turns, which a power cut may take

GAVE_UP = "idle"  # as for a merchant that stops trading: a year that its agent has ended does not go on


def visited_run(folder: Path, terms: Terms, *, world_source: str, provenance: Mapping[str, Any] | None = None) -> Run:
    """The run in `folder`, begun now or earlier under the same terms; raises RunError where they are others."""
    if not (folder / MANIFEST).exists():
        return create_run(folder, terms, episodes=1, world_source=world_source, provenance=provenance)
    run = open_run(folder)
    stated, wanted = run.terms.to_json(), terms.to_json()
    for name, value in stated.items():
        if value != wanted[name]:
            raise RunError(
                f"{folder} was begun with {name} {quoted(value)}, not {quoted(wanted[name])}; go on under its own "
                "terms, or give --out another folder"
            )
    return run


class Visit(Protocol):
    """A year as a door holds it, alone in its market or at one of its seats. `VisitedYear` says what each part does."""

    @property
    def recorded(self) -> Sequence[Turn]: ...
    @property
    def last(self) -> Turn | None: ...
    @property
    def turns(self) -> int: ...
    @property
    def result(self) -> Result | None: ...
    @property
    def year(self) -> Episode | None: ...
    @property
    def unsettled(self) -> bool: ...
    @property
    def sync_due(self) -> bool: ...
    @property
    def costly(self) -> bool: ...

    def take(self, calls: Sequence[Record], said: Record | None = None) -> list[str]: ...
    def play(self, calls: Sequence[Record], said: Record | None = None) -> list[str]: ...
    def settle(self) -> None: ...
    def sync(self) -> None: ...
    def finish(self, reason: str = ...) -> Result: ...
    def leave(self) -> None: ...


class VisitedYear:
    """One year of a run folder, locked for whoever holds this; recorded turns are played again as it opens."""

    __slots__ = (
        "_end",
        "_heard",
        "_held",
        "_opened",
        "_seat",
        "_synced",
        "costly",
        "last",
        "recorded",
        "result",
        "turns",
    )

    def __init__(self, run: Run, episode: int, world: World) -> None:
        self._heard = self._synced = time.monotonic()
        self.costly = False
        """Whether the last turn had better not be lost: its agent took long over it, or it ended the year."""
        self._seat: RecordedSeat | None = None
        self._end: tuple[End, str] | None = None  # recorded, with its checksum, and yet to be settled
        with ExitStack() as held:
            self._opened: OpenEpisode = held.enter_context(open_episode(run, episode))
            recording = self._opened.recording
            self.recorded: Sequence[Turn] = recording.turns
            """Turns from before it was opened."""
            self.last = recording.turns[-1] if recording.turns else None
            self.turns = len(recording.turns)
            self.result: Result | None = settled(self._opened, world)
            """How the year ended; None while it runs. Its report lies in its folder: a door keeps many years."""
            if self.result is not None:
                self.result = replace(self.result, report=None)
            else:
                terms = run.terms_of(episode)
                voice = held.enter_context(live_voice(terms, recording.turns))
                self._seat = RecordedSeat(terms, episode, world, recording, voice, self._append)
                self._seat.catch_up()
                recording.content = b""  # of a long year much, and not needed any more
            self._held = held.pop_all()
        self._end_where_due()
        self.settle()

    @property
    def year(self) -> Episode | None:
        """The year as it stands; None once it is over."""
        return None if self._seat is None or self.result is not None else self._seat.year

    def take(self, calls: Sequence[Record], said: Record | None = None) -> list[str]:
        """Run a turn and record it; with the last one the year is over, and its files are written."""
        replies = self.play(calls, said)
        self.settle()
        return replies

    def play(self, calls: Sequence[Record], said: Record | None = None) -> list[str]:
        """The first half of a turn, which is quick unless a model speaks for the suppliers.

        With the last one the year is over and `result` says how it ended. Whoever catches a RunError opens the year
        anew: this one may be ahead of its record.
        """
        if self._seat is None or self.result is not None:
            raise RunError("the year is over")
        replies = self._seat.take(calls, said)
        self.last = Turn(calls, replies, said or {})
        self.turns = self._seat.turns
        self._end_where_due()
        return replies

    def settle(self) -> None:
        """The second half: the files of a year that is over are written, which may be done in another thread.

        A process that is killed before leaves a year whose record is whole; who opens or reads it makes them from that.
        """
        if self._end is None:
            return
        assert self._seat is not None, "a year is settled once"
        self.sync()
        closed = self._opened.close_with(self._seat.derive(*self._end))
        summarize_alone(self._opened.run, closed)
        self.result = replace(closed, report=None)
        self._end = None
        self._held.close()

    @property
    def unsettled(self) -> bool:
        """Whether the year is over, and its files are yet to be written."""
        return self._end is not None

    @property
    def sync_due(self) -> bool:
        """Whether the last turn should outlast a power cut: it is costly, or many have been taken unsynced."""
        return self.costly or self._heard - self._synced >= UNSYNCED_SECONDS

    def sync(self) -> None:
        """What has been answered so far outlasts a power cut. A wait for the disk is not the agent's time."""
        self._opened.events.sync()
        self._heard = self._synced = time.monotonic()

    def finish(self, reason: str = "the agent ended the year") -> Result:
        """End the year for good, if it is not over, and settle it as it stands."""
        result = self.result or self._record_end(GAVE_UP, reason)
        self.settle()
        return self.result or result

    def leave(self) -> None:
        """Let go of the record and the year; one that is not over goes on when it is opened again."""
        if self._seat is not None:
            self._seat.leave()
            self._seat = None
        self._end = None
        self._held.close()

    def _end_where_due(self) -> None:
        if self._seat is not None and self._seat.ending is not None:
            self._record_end(self._seat.ending)

    def _record_end(self, ending: str, reason: str = "") -> Result:
        assert self._seat is not None, "a year ends once"
        self._end = self._seat.end(ending, reason)
        self.result = Result(self._opened.episode, self._end[0])
        self.costly = True
        return self.result

    def _append(self, lines: bytes, state: State | None) -> None:
        del state
        self._opened.events.append(lines, sync=self._seat is None)  # the first line, with which a year begins to exist
        now = time.monotonic()
        self.costly = now - self._heard >= COSTLY_SECONDS
        self._heard = now
