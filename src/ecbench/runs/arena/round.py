"""A round: the seats of one market, each asked in its turn, until the year is over for all of them."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from ecbench.arena import Arena
from ecbench.harness.messages import ModelFailure
from ecbench.runs.arena.market_record import MarketRecord
from ecbench.runs.arena.patience import Overdue, Patience
from ecbench.runs.arena.pending import Pending
from ecbench.runs.arena.players import Move, Parting, Player
from ecbench.runs.errors import Divergence, MerchantFailure
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.play.recorded_seat import Played, RecordedSeat
from ecbench.seat import answered, readable

Closed = Callable[[int, Played], None]
"""Told of each seat when its year is over, or stops."""


@dataclass(slots=True)
class Round:
    """The market with its seats and players; all of it follows from what the players answer."""

    arena: Arena
    seats: Sequence[RecordedSeat]
    players: Sequence[Player]
    market: MarketRecord
    stop: StopFlag
    closed: Closed
    patience: Patience
    turn_seconds: float | None = None  # that a seat has for a turn which others wait for
    pending: Sequence[Pending] = ()  # by seat, where turns that wait for the morning are kept
    reasons: dict[int, str] = field(default_factory=dict)  # by seat, why it could not go on
    _thinking: dict[int, "asyncio.Task[Move | Parting | None]"] = field(default_factory=dict)
    _under_way: dict[int, Move] = field(default_factory=dict)  # batches that wait for the morning
    _gone: set[int] = field(default_factory=set)

    async def play(self) -> None:
        """To the end of the year, or to where it must stop; the records tell the two apart."""
        with self.patience.looking():
            try:
                await self._trade()
            finally:
                await self._give_up_questions()
                self._close_players()
        self._close()

    async def _trade(self) -> None:
        while (seat := self.arena.turn) is not None:
            if self._leaves(seat):
                continue
            if self.stop.requested and not self.seats[seat].repeating:
                return
            self._ask_all()
            move = await self._move_of(seat)
            if move is not None:
                self._act(seat, move)
            elif seat in self.reasons or (self.stop.requested and seat not in self._gone):
                return

    def _close_players(self) -> None:
        for seat, player in enumerate(self.players):
            seconds = self.turn_seconds
            with suppress(Overdue), self.patience.waiting_for(seat, self.arena.day, player.thinks, seconds):
                player.close()
            self.patience.rest()

    @property
    def _repeating(self) -> bool:
        return self.market.ahead or any(seat.repeating for seat in self.seats)

    def _leaves(self, seat: int) -> bool:
        """Whether this seat trades no further, by its own limits or as the record has it."""
        ending = self.seats[seat].ending
        if ending is not None:
            self._dismiss(seat, ending)
        elif (line := self.market.departure(seat)) is not None:
            self._dismiss(seat, str(line.get("ending")), str(line.get("reason", "")))
        else:
            return False
        return True

    def _ask_all(self) -> None:
        """Whoever has heard everything it can hear before its next turn may think about it now."""
        for seat, player in enumerate(self.players):
            waiting = seat in self._under_way or seat in self._thinking or self.seats[seat].ending is not None
            if player.thinks and not waiting:
                self._thinking[seat] = asyncio.get_running_loop().create_task(player.move())

    async def _move_of(self, seat: int) -> Move | None:
        """None when it has none to make: it stopped trading, was asked to stop, or failed."""
        place = f"in turn {self.seats[seat].turns + 1}"
        try:
            move = await self._answer_of(seat)
        except (Overdue, TimeoutError):
            self.patience.rest()
            if not self.stop.requested:
                self._dismiss(seat, "failed", f"it gave no turn within {self.turn_seconds:g} s, {place}")
            return None
        except ModelFailure as failure:
            self.reasons[seat] = failure.summary()
            return None
        except MerchantFailure as failure:
            if self.seats[seat].repeating:
                raise Divergence(f"seat {seat}: {failure}, {place}, which the recording has") from failure
            self._dismiss(seat, "failed", f"{failure}, {place}")
            return None
        if isinstance(move, Parting):
            self._dismiss(seat, move.ending, move.reason)
            return None
        return move

    async def _answer_of(self, seat: int) -> Move | Parting | None:
        """A recorded turn came in time once, so it has all the time it takes now."""
        player, task = self.players[seat], self._thinking.pop(seat, None)
        seconds = None if self.seats[seat].repeating else self.turn_seconds
        with self.patience.waiting_for(seat, self.arena.day, player.thinks, seconds):
            if task is None:
                return await player.move()
            return await asyncio.wait_for(task, seconds)

    def _dismiss(self, seat: int, ending: str, reason: str = "") -> None:
        """It leaves the market, and its stores close; the others go on."""
        self.market.note("leave", seat=seat, ending=ending, **({"reason": reason} if reason else {}))
        day = self.arena.day
        self.arena.finish(seat, ending)
        self._note_mornings(day)
        self._tell_replies()
        self._gone.add(seat)
        self.closed(seat, self.seats[seat].close(ending, reason))

    def _act(self, seat: int, move: Move) -> None:
        own = self.seats[seat]
        own.recorder.expect(move.calls)
        self.market.note("act", seat=seat, turn=own.turns + 1, time=own.year.now.isoformat(timespec="minutes"))
        day = self.arena.day
        self._under_way[seat] = move
        if self.arena.act(seat, readable(move.calls)) is None:
            self._keep(seat, move)
        self._note_mornings(day)
        self._tell_replies()

    def _keep(self, seat: int, move: Move) -> None:
        if self.pending and not self.seats[seat].repeating:
            self.pending[seat].keep(self.seats[seat].turns + 1, move)

    def _note_mornings(self, last: int) -> None:
        for day in range(last + 1, self.arena.day + 1):
            self.market.seal("morning", day=day)

    def _tell_replies(self) -> None:
        """The turns that are over: this seat's, or after a morning those of all who had reached their evening."""
        for seat in sorted(self._under_way):
            replies = self.arena.replies(seat)
            if replies is not None:
                move = self._under_way.pop(seat)
                recorded_before = self.seats[seat].repeating
                self.players[seat].heard(move, answered(move.calls, replies))
                if self.pending and not recorded_before:
                    self.pending[seat].forget()
                self._close_bankrupt(seat)

    def _close_bankrupt(self, seat: int) -> None:
        """Its year is over while the others go on; at the end of the round there is another date."""
        ending = self.arena.accounts[seat].ending
        if ending is not None and seat not in self._gone and not self.arena.done:
            self._gone.add(seat)
            self.closed(seat, self.seats[seat].close(ending))

    def _close(self) -> None:
        """A round that stops in the middle of its record leaves everything as it was."""
        over = self.arena.done
        if over:
            for pending in self.pending:
                pending.forget()
        if not over and self._repeating:
            return
        endings = [seat.year.ending or self._interruption(number) for number, seat in enumerate(self.seats)]
        self.arena.finish()
        if over:
            self.market.seal("end", day=self.arena.day)
        for number, ending in enumerate(endings):
            if number not in self._gone:
                self.closed(number, self.seats[number].close(ending, self.reasons.get(number, "")))

    def _interruption(self, seat: int) -> str:
        return "model_error" if seat in self.reasons else "stopped"

    async def _give_up_questions(self) -> None:
        for task in self._thinking.values():
            task.cancel()
        await asyncio.gather(*self._thinking.values(), return_exceptions=True)
        self._thinking.clear()
