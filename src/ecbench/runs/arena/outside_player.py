"""Whoever hands in turns from outside, as a round sees it."""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ecbench.runs.arena.open_seats import OpenSeat
from ecbench.runs.arena.players import Move, Parting
from ecbench.runs.disk import read_file, write_whole
from ecbench.runs.records import parse
from ecbench.runs.seat import RecordedSeat
from ecbench.runs.stopping import StopFlag
from ecbench.seat import Turn


class OutsidePlayer:
    """Recorded turns are played again; nobody can be asked for those once more.

    A turn that runs into the evening is recorded the morning after, and meanwhile rivals act on a market that it has
    changed. So it is on the disk before they do, and the client need not be trusted to send the same one again.
    """

    thinks = True

    def __init__(self, seat: RecordedSeat, place: OpenSeat, turn_file: Path, stop: StopFlag) -> None:
        self._seat = seat
        self._place = place
        self._file = turn_file
        self._stop = stop

    async def move(self) -> Move | Parting | None:
        turn = self._seat.recorder.ahead
        if turn is not None:
            return Move(turn.calls, turn.said)
        return self._kept() or await self._place.handed(self._seat, self._stop)

    def paused(self, move: Move) -> None:
        if not self._seat.repeating:
            content = {"turn": self._seat.turns + 1, "calls": list(move.calls), "said": move.said}
            write_whole(self._file, json.dumps(content).encode())

    def heard(self, move: Move, replies: Sequence[str]) -> None:
        turn, recorded_before = Turn(move.calls, replies, move.said), self._seat.repeating
        self._seat.keep(turn)
        if not recorded_before:
            self._file.unlink(missing_ok=True)
            self._place.tell(turn, last=self._seat.ending is not None)

    def close(self) -> None:
        if self._kept() is None:  # a process that was killed may have left one of a turn that is recorded
            self._file.unlink(missing_ok=True)

    def _kept(self) -> Move | None:
        """What is there of another turn, or was not finished, is none."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            record = parse(read_file(self._file))
            if record["turn"] == self._seat.turns + 1:
                return Move(record["calls"], record["said"])
        return None
