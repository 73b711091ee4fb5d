"""Whoever hands in turns from outside, as a round sees it."""

from collections.abc import Sequence
from pathlib import Path

from ecbench.runs.arena.open_seats import OpenSeat
from ecbench.runs.arena.pending import read_pending
from ecbench.runs.arena.players import Move, Parting
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.play.recorded_seat import RecordedSeat
from ecbench.seat import Turn


class OutsidePlayer:
    """Recorded turns are played again, and one that was under way: nobody can be asked for those once more."""

    thinks = True

    def __init__(self, seat: RecordedSeat, place: OpenSeat, folder: Path, stop: StopFlag) -> None:
        self._seat = seat
        self._place = place
        self._folder = folder
        self._stop = stop

    async def move(self) -> Move | Parting | None:
        turn = self._seat.recorder.ahead
        if turn is not None:
            return Move(turn.calls, turn.said)
        under_way = read_pending(self._folder, self._seat.turns + 1)
        return under_way or await self._place.handed(self._seat, self._stop)

    def heard(self, move: Move, replies: Sequence[str]) -> None:
        turn, recorded_before = Turn(move.calls, replies, move.said), self._seat.repeating
        self._seat.keep(turn)
        if not recorded_before:
            self._place.tell(turn, last=self._seat.ending is not None)

    def close(self) -> None: ...
