"""The one loop that plays a table: it asks a player for each turn, runs it, and gives the outcomes back.

Limits, cancellation, time limits and departures are decided here. Where no player waits, no event loop runs.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ecbench.cancellation import StopFlag
from ecbench.errors import Divergence, MerchantFailure, PlayerFailure
from ecbench.players.session import Seat, TableSession
from ecbench.players.turn import Leave, Move, Player
from ecbench.players.turn_timer import TurnOverdue, TurnTimer

OVERDUE = "it gave no turn within"  # how the reason of a seat begins that left by its time limit

Found = TypeVar("Found")
Closed = Callable[[Seat], None]
"""Called with a seat whose year is over while rivals continue, before anything else happens at the table."""


@dataclass(slots=True)
class Interrupted:
    """Why the loop stopped before the year was over for all: by seat, and the failure itself."""

    ending: str
    reason: str = ""
    failure: PlayerFailure | None = None


def play(session: TableSession, players: Sequence[Player], **options: Any) -> dict[int, Interrupted]:
    """`play_async` for callers without an event loop."""
    return finish(play_async(session, players, **options), waits=any(player.waits for player in players))


def finish(game: Coroutine[Any, Any, Found], *, waits: bool) -> Found:
    """What `game` returns. It runs without an event loop if no player in it waits."""
    if waits:
        return asyncio.run(game)
    try:
        game.send(None)
    except StopIteration as result:
        return result.value  # type: ignore[no-any-return]
    game.close()
    raise RuntimeError("a player that does not wait awaited something")


async def play_async(
    session: TableSession,
    players: Sequence[Player],
    *,
    stop: StopFlag | None = None,
    timer: TurnTimer | None = None,
    closed: Closed | None = None,
    act_in_thread: bool = False,
) -> dict[int, Interrupted]:
    """Play until the year is over for all seats, a player fails in a way that interrupts, or a stop is requested.

    Returns why seats did not reach the end of their year: empty if all did. The table is left as it stands.
    `act_in_thread` runs the tools beside the event loop, which a supplier voice needs that asks a model.
    """
    game = _Game(session, players, stop or StopFlag(), timer, closed, act_in_thread)
    with timer.watching() if timer else nullcontext():
        try:
            await game.play()
        finally:
            await game.close()
    return game.interrupted


@dataclass(slots=True)
class _Game:
    session: TableSession
    players: Sequence[Player]
    stop: StopFlag
    timer: TurnTimer | None
    closed: Closed | None
    act_in_thread: bool
    interrupted: dict[int, Interrupted] = field(default_factory=dict)
    _asked: dict[int, "asyncio.Task[Move | Leave | None]"] = field(default_factory=dict)

    async def play(self) -> None:
        alone = len(self.session.seats) == 1
        while (seat := self.session.turn) is not None:
            move: Move | Leave | None = seat.departure
            if move is None:
                if self.stop.requested and not seat.next_recorded:
                    return self._stop()
                if not alone:
                    self._ask_all()
                move = await self._move_of(seat)
            if isinstance(move, Leave):
                done = seat.leave(move)
            elif move is not None and self.act_in_thread:
                from anyio import to_thread  # noqa: PLC0415 - comes with the models, which only they need

                done = await to_thread.run_sync(seat.act, move)
            elif move is not None:
                done = seat.act(move)
            elif self.interrupted or self.stop.requested:
                return self._stop()
            else:
                continue
            for turn in done:  # each player hears what came of its turn
                self.players[turn.seat].on_results(turn.move, turn.outcomes)
            for over in () if alone else self.session.newly_over():  # it left or is bankrupt, while rivals continue
                if self.closed is not None:
                    self.closed(over)
        return None

    def _ask_all(self) -> None:
        """Every player that has heard all it can hear before its next turn may think about it now."""
        for seat, player in zip(self.session.seats, self.players, strict=True):
            busy = seat.under_way or seat.number in self._asked or seat.ending is not None
            if player.waits and not busy:
                self._asked[seat.number] = asyncio.get_running_loop().create_task(player.move())

    async def _move_of(self, seat: Seat) -> Move | Leave | None:
        """None when the player has no move: it was asked to stop, or its failure interrupts the table."""
        location = f"in turn {seat.turns + 1}"
        player, task = self.players[seat.number], self._asked.pop(seat.number, None)
        # A recorded turn came in time once, so its replay has all the time it takes.
        seconds = self.timer.seconds if self.timer and not seat.next_recorded else None
        try:
            with self._waiting_for(seat, seconds):
                return await (player.move() if task is None else asyncio.wait_for(task, seconds))
        except (TurnOverdue, TimeoutError):
            assert self.timer is not None
            self.timer.rest()
            if self.stop.requested:
                return None
            return Leave("failed", f"{OVERDUE} {self.timer.seconds:g} s, {location}")
        except MerchantFailure as failure:
            if seat.next_recorded:
                raise Divergence(f"{failure}, {location}, which the record has; nothing was changed") from failure
            reason = f"{failure}, {location}"
            if len(self.session.seats) > 1:
                return Leave("failed", reason)
            self.interrupted[seat.number] = Interrupted("stopped", reason, failure)
        except PlayerFailure as failure:
            self.interrupted[seat.number] = Interrupted("model_error", failure.describe())
        return None

    def _waiting_for(self, seat: Seat, seconds: float | None) -> AbstractContextManager[None]:
        if self.timer is None:
            return nullcontext()
        waits = self.players[seat.number].waits
        return self.timer.waiting_for(seat.number, self.session.table.day, waits=waits, limit=seconds)

    def _stop(self) -> None:
        for account in self.session.table.market.in_business:
            self.interrupted.setdefault(account.seat, Interrupted("stopped"))

    async def close(self) -> None:
        for task in self._asked.values():
            task.cancel()
        if self._asked:
            await asyncio.gather(*self._asked.values(), return_exceptions=True)
        for seat, player in zip(self.session.seats, self.players, strict=True):
            with suppress(TurnOverdue), self._waiting_for(seat, self.timer.seconds if self.timer else None):
                player.close()
            if self.timer:
                self.timer.rest()
