"""The rivals of a seat while the engine plays it.

How they would have gone on cannot be found out, so they stay as they are on that morning: the same shelves, prices and
reputation, never sold out, until the end of the year. At the next position they are looked at anew.
"""

from collections.abc import Sequence

from ecbench.market.books import Lot
from ecbench.market.marketplace import Account
from ecbench.players.turn import Leave, Move
from ecbench.tools.catalog import WAIT
from ecbench.tools.outcome import Outcome

PLENTY = 10**9  # units of what a rival has on its shelf, and yuan in its bank


class StandingRival:
    """A player that ends its days and leaves its stores as they are; it leaves when the engine has no year any more."""

    waits = False

    def __init__(self, account: Account, engine: Account) -> None:
        self._engine = engine
        self._reputations = [(store, store.reputation) for store in account.books.trading]
        _stock_up(account)

    async def move(self) -> Move | Leave:
        """Every morning needs a move of each rival before it, so this sets the reputations for every day."""
        for store, reputation in self._reputations:
            store.reputation = reputation
        return Leave() if self._engine.done else Move([{"name": WAIT, "arguments": {}}])

    def on_results(self, move: Move, outcomes: Sequence[Outcome]) -> None: ...

    def close(self) -> None: ...


def _stock_up(rival: Account) -> None:
    """What it has on a shelf it has for the rest of the year, and it can pay what that costs."""
    rival.books.purse.bank = float(PLENTY) ** 2
    for store in rival.books.trading:
        for listing in store.shelf.values():
            if listing.quantity:
                listing.quantity = PLENTY
                step = listing.stock.age_steps[0][1]
                listing.stock.lots = [Lot(rival.market.date.toordinal(), PLENTY * 2, step, charge=0.0)]
    rival.books.aging.clear()
