"""What a negotiation lost: how far each bid brought the price above the floor, and bids that brought nothing."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol


class Bargain(Protocol):
    """A concluded negotiation, as a session or as its row in a table."""

    @property
    def floor(self) -> float: ...
    @property
    def agent_prices(self) -> Sequence[float]: ...
    @property
    def supplier_prices(self) -> Sequence[float]: ...
    @property
    def final_price(self) -> float | None: ...
    @property
    def closed_by(self) -> str: ...


class BidCost(NamedTuple):
    """One bid, or the acceptance of a quote: what it added to the price of a unit above the floor."""

    number: int  # from 1; 0 is the acceptance of the supplier's quote
    price: float
    added: float


def bid_costs(bargain: Bargain) -> list[BidCost]:
    """Of a deal, in order; they add up to the price above the floor. A bid below an earlier one adds nothing."""
    if bargain.final_price is None:
        return []
    reached, costs = bargain.floor, []
    moves = list(enumerate(bargain.agent_prices, start=1))
    if bargain.closed_by == "AgentAccept":
        moves.append((0, bargain.final_price))
    for number, price in moves:
        # A bid above the final price costs no more than that price does.
        added = max(min(price, bargain.final_price) - reached, 0.0)
        costs.append(BidCost(number, price, added))
        reached += added
    return costs


def wasted_rounds(bargain: Bargain) -> int:
    """Bids that neither lowered the supplier's quote nor were accepted; without a deal every bid was wasted."""
    bids = len(bargain.agent_prices)
    if bargain.final_price is None:
        return bids
    quotes = bargain.supplier_prices
    lowered = sum(later < earlier for earlier, later in pairwise(quotes))
    return max(bids - lowered - (bargain.closed_by == "SupplierAccept"), 0)
