"""A seat of an arena in the engine's hands.

Nobody can ask its rivals how they would have gone on, so they stay as they are on that morning: the same shelves,
prices and standing, never sold out, until the end of the year. At the next position they are looked at anew.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ecbench.arena import Arena
from ecbench.episode import Episode
from ecbench.market.books import Lot
from ecbench.market.clock import begin_tomorrow, end_day
from ecbench.market.marketplace import Account
from ecbench.review.positions import YearPosition
from ecbench.runs.arena.folder import ArenaRun, SeatPlace, open_arena
from ecbench.runs.arena.market_record import FILE, moves_in, read_lines
from ecbench.runs.arena.play import open_market
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.verify.replay_turn import refuse_other
from ecbench.seat import Turn, answered, readable
from ecbench.suppliers.voices import Voice
from ecbench.tools.batch import Paused, go_on, run_batch
from ecbench.world.model import World

PLENTY = 10**9  # units of what a rival has on its shelf, and yuan in its bank


class SeatAmongRivals(Episode):
    """A year to play on from one seat while the others stand still; made from an arena, which is left as it is."""

    __slots__ = ("_arena", "_standing")

    def __init__(self, arena: Arena, seat: int, voice: Voice | None = None) -> None:
        self._arena = arena.copy()
        self._office = self._arena.offices[seat]
        if voice is not None:
            self._office.voice = voice
        self._standing = [(store, store.reputation) for rival in self._rivals for store in rival.books.trading]
        for rival in self._rivals:
            _stock_up(rival)

    @property
    def _rivals(self) -> list[Account]:
        return [account for account in self._arena.market.in_business if account is not self.account]

    def act(self, calls: Sequence[Mapping[str, Any]]) -> list[str]:
        outcome = run_batch(self._office, calls)
        while isinstance(outcome, Paused):
            for rival in self._rivals:
                end_day(rival)
            begin_tomorrow(self._arena.market)
            for store, reputation in self._standing:
                store.reputation = reputation
            outcome = go_on(self._office, outcome)
        return outcome

    def copy(self, *, voice: Voice | None = None) -> Episode:
        return SeatAmongRivals(self._arena, self.account.seat, voice)


def _stock_up(rival: Account) -> None:
    """Whatever it has on a shelf it has for the rest of the year, and whatever that costs it can pay."""
    rival.books.purse.bank = float(PLENTY) ** 2
    for store in rival.books.trading:
        for listing in store.shelf.values():
            if listing.quantity:
                listing.quantity = PLENTY
                listing.stock.lots = [
                    Lot(rival.market.date.toordinal(), PLENTY * 2, listing.stock.demand.age_steps[0][1])
                ]
    rival.books.aging.clear()


def seat_played_again(
    place: SeatPlace, world: World, positions: Sequence[YearPosition]
) -> Iterator[tuple[YearPosition, Episode]]:
    """The seat at each of the positions, in their order; the round is played again as a whole.

    Raises Divergence where the seat is answered otherwise than it is recorded.
    """
    run, number, seat = open_arena(place.arena), place.round, place.seat
    turns = [read_episode(each, 0).turns for each in run.seat_runs(number, world)]
    arena, ahead = open_market(run, world), list(positions)
    while ahead and not ahead[0].turns:
        yield ahead.pop(0), SeatAmongRivals(arena, seat)
    for done in _turns_done(run, number, seat, arena, turns):
        while ahead and ahead[0].turns == done:
            yield ahead.pop(0), SeatAmongRivals(arena, seat)
        if not ahead:
            return


def _turns_done(run: ArenaRun, number: int, seat: int, arena: Arena, turns: Sequence[Sequence[Turn]]) -> Iterator[int]:
    """Plays move after move, and says whenever a turn of the seat is over."""
    done, waiting = 0, False
    for move in moves_in(read_lines(run.round_folder(number) / FILE)):
        mover = move["seat"]
        if move["event"] == "leave":
            arena.finish(mover, str(move["ending"]))
        elif move["turn"] > len(turns[mover]):
            return  # it was under way when the round stopped
        else:
            arena.act(mover, readable(turns[mover][move["turn"] - 1].calls))
            waiting = waiting or mover == seat
        replies = arena.replies(seat)
        if waiting and replies is not None:
            turn = turns[seat][done]
            done, waiting = done + 1, False
            refuse_other(answered(turn.calls, replies), turn, done, f" of seat {seat}")
            yield done
