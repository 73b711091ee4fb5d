"""The merchant that bargains: three low offers bring the quotes down, and then fair quotes are taken."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ecbench.players.merchants.corner_shop import CornerShop
from ecbench.players.merchants.protocol import Reply, Routine
from ecbench.players.merchants.supplier_letters import Clause, acceptances, clause, quotes_in

OFFERS = (0.10, 0.12, 0.14)  # of the reference price, too low for any supplier to accept
FAIR = 0.75  # of the reference price, at most


class Haggler(CornerShop):
    """Four stores at plain prices, everything bought after three rounds of bargaining.

    As shares of the reference price, `offers` are those it begins with, and `fair` is the dearest quote it takes.
    """

    def __init__(self, days: int = 365, *, offers: Sequence[float] = OFFERS, fair: float = FAIR, **habits: Any) -> None:
        super().__init__(days)
        self.habits = replace(self.habits, **habits)
        if not offers or self.habits.goods < 1 or self.habits.restocked_a_day <= 0:
            raise ValueError("a haggler makes an offer at least, carries goods, and restocks some categories a day")
        self.offers, self.fair = tuple(offers), fair

    def buy(self, address: str, wants: dict[str, int]) -> Routine[bool]:
        """Make low offers until the quotes have fallen, then accept the fair ones in one order.

        Three rounds are safe: no supplier ends the talks before the fifth. Suppliers retire after a number of orders,
        so one order is better than many.
        """
        quotes: dict[str, float] = {}
        for index, share in enumerate(self.offers):
            bids = [self.bid(address, sku, units, share, index) for sku, units in wants.items()]
            reply, _ = yield from self.write(address, bids)
            quotes = self.read_quotes(address, bids, reply)
        fair = {sku: price for sku, price in quotes.items() if price <= self.fair * self.reference(sku)}
        taken = acceptances(fair, wants)
        return bool(taken and (yield from self.write(address, taken))[1])

    def bid(self, _address: str, sku: str, units: int, share: float, _index: int) -> Clause:
        """An offer of a share of the reference price, in the round of this index."""
        return clause("offer", sku, round(share * self.reference(sku), 2), units)

    def read_quotes(self, _address: str, _bids: list[Clause], reply: Reply) -> dict[str, float]:
        """What was quoted in answer to bids."""
        return quotes_in(reply)
