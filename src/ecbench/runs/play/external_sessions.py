"""Years that external agents play: they hand in turns, and may reconnect after either side has died.

An adapter opens the run with `external_run` and each of its years with `YearSession`:

    year = YearSession(run, 0, world)
    outcomes = year.take([{"name": "wait_for_next_day", "arguments": {}}])
    year.close()                                  # or year.finish(); the next YearSession continues from there

A turn is in the record before it is answered, so a killed process loses no turn that was answered. A power cut may:
`sync` prevents that, and is apart from `take`, because an event loop had better not wait for a disk.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ecbench.episode import Episode
from ecbench.errors import RunError
from ecbench.players.turn import Move, Record, State, Turn
from ecbench.runs.folder import MANIFEST, Run, create_run, open_run
from ecbench.runs.play.episodes import OpenEpisode, load_finished, open_episode
from ecbench.runs.play.external_seats import GAVE_UP, SeatSession
from ecbench.runs.play.recorded_table import RecordedTable
from ecbench.runs.play.resumed_voice import live_voice
from ecbench.runs.record.lines import End
from ecbench.runs.signatures.keys import SigningKey
from ecbench.runs.signatures.signature import signed_with
from ecbench.runs.terms import Terms, differing_terms
from ecbench.tools.outcome import Outcome
from ecbench.world.model import World

COSTLY_SECONDS = 1.0  # of an agent's time over a turn
UNSYNCED_SECONDS = 5.0  # of quick turns, which a power cut may take


def external_run(
    folder: Path,
    terms: Terms,
    *,
    world_source: str,
    provenance: Mapping[str, Any] | None = None,
    signing_key: SigningKey | None = None,
) -> Run:
    """The run in `folder`, begun now or earlier under the same terms and with the same key; raises RunError if not."""
    if not (folder / MANIFEST).exists():
        return create_run(
            folder, terms, episodes=1, world_source=world_source, provenance=provenance, signing_key=signing_key
        )
    run = signed_with(open_run(folder), signing_key)
    if differing := differing_terms(run.terms, terms):
        name, begun, wanted = differing
        raise RunError(
            f"{folder} was begun with {name} {begun}, not {wanted}; continue under its own terms, or give --out "
            "another folder"
        )
    return run


class YearSession:
    """One year of a run folder, locked for its holder; recorded turns are replayed as it opens."""

    __slots__ = (
        "_ended",
        "_heard",
        "_held",
        "_opened",
        "_synced",
        "_table",
        "costly",
        "end",
        "last",
        "recorded",
        "turns",
    )

    def __init__(self, run: Run, episode: int, world: World) -> None:
        self._heard = self._synced = time.monotonic()
        self.costly = False
        """Whether the last turn had better not be lost: its agent took long over it, or it ended the year."""
        self._table: RecordedTable | None = None
        self._ended: tuple[Sequence[End], str] | None = None  # recorded, with the record's head, and yet to be settled
        with ExitStack() as held:
            self._opened: OpenEpisode = held.enter_context(open_episode(run, episode))
            recording = self._opened.recording
            self.recorded: Sequence[Turn] = recording.turns
            """Turns from before it was opened."""
            self.last = recording.turns[-1] if recording.turns else None
            self.turns = len(recording.turns)
            result = load_finished(self._opened, world)
            self.end: End | None = result.end if result else None
            """How the year ended; None while it runs."""
            if result is None:
                terms = run.terms_of(episode)
                voice = held.enter_context(live_voice(terms, recording.turns))
                self._table = RecordedTable.open(terms, episode, world, recording, voice, self._append)
                self._table.catch_up()
                recording.content = b""  # of a long year much, and not needed any more
            self._held = held.pop_all()
        self._end_where_due()
        self.settle()

    @property
    def year(self) -> Episode | None:
        """The year as it stands; None once it is over."""
        return None if self._table is None or self.end is not None else self._table.session.years[0]

    def take(self, calls: Sequence[Record], said: Record | None = None) -> Sequence[Outcome]:
        """Run a turn and record it; with the last one the year is over, and its files are written."""
        outcomes = self.play(calls, said)
        self.settle()
        return outcomes

    def play(self, calls: Sequence[Record], said: Record | None = None) -> Sequence[Outcome]:
        """The first half of a turn, which is quick unless a model speaks for the suppliers.

        With the last one the year is over and `end` says how. After a RunError the year must be opened again: this
        object may be ahead of its record.
        """
        if self._table is None or self.end is not None:
            raise RunError("the year is over")
        [self.last] = self._table.session.act(0, Move(calls, said or {}))
        self.turns = self._table.session.counts[0].turns
        self._end_where_due()
        return self.last.outcomes

    def settle(self) -> None:
        """The second half: the files of a year that is over are written, which may happen in another thread.

        A process that is killed before leaves a year whose record is whole; they are derived from it later.
        """
        if self._ended is None:
            return
        assert self._table is not None, "a year is settled once"
        self.sync()
        self._opened.close_with(self._table.derive(*self._ended))
        self._ended = None
        self._held.close()

    @property
    def unsettled(self) -> bool:
        """Whether the year is over, and its files are yet to be written."""
        return self._ended is not None

    @property
    def sync_due(self) -> bool:
        """Whether the last turn should outlast a power cut: it is costly, or many have been taken unsynced."""
        return self.costly or self._heard - self._synced >= UNSYNCED_SECONDS

    def sync(self) -> None:
        """What has been answered so far outlasts a power cut. A wait for the disk is not the agent's time."""
        self._opened.events.sync()
        self._heard = self._synced = time.monotonic()

    def finish(self, reason: str = "the agent ended the year") -> End:
        """End the year for good, if it is not over, and settle it as it stands."""
        end = self.end or self._record_end(GAVE_UP, reason)
        self.settle()
        return end

    def close(self) -> None:
        """Release the record and the year; one that is not over continues when it is opened again."""
        if self._table is not None:
            if self.end is None:
                self._opened.sign()
            self._table.release()
            self._table = None
        self._ended = None
        self._held.close()

    def _end_where_due(self) -> None:
        if self._table is not None and self._table.session.ending() is not None:
            self._record_end()

    def _record_end(self, ending: str = "", reason: str = "") -> End:
        assert self._table is not None, "a year ends once"
        self._ended = self._table.end(None, ending, reason)
        [self.end] = self._ended[0]
        self.costly = True
        return self.end

    def _append(self, line: bytes, state: State | None, seat: int) -> None:
        del state, seat
        self._opened.events.append(line, sync=self._table is None)  # the first line, with which a year begins to exist
        now = time.monotonic()
        self.costly = now - self._heard >= COSTLY_SECONDS
        self._heard = now


ExternalSession = YearSession | SeatSession
"""A year as an adapter holds it, alone in its market or at one of its seats. `YearSession` documents each part."""
