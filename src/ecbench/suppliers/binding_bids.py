"""Bids that bind: what a bid asks for is checked before the supplier decides, so that no answer comes without an order.

Where bids do not bind, a quantity of 0, more than the bank pays for or a second bid in the same letter finds out what a
supplier accepts, and no order follows.
"""

from ecbench.suppliers.grammar import BargainAction


class LetterBids:
    """The bids of one letter, and what the bank and the supplier's week have left after those that were agreed."""

    __slots__ = ("_bank", "_skus", "_units")

    def __init__(self, bank: float, units: int | None) -> None:
        self._bank = bank
        self._units = units  # that the supplier still delivers this week; None: any number
        self._skus: set[str] = set()

    def refusal(self, bid: BargainAction) -> str | None:
        """The code of the error where a bid could not be ordered as it stands."""
        if bid.sku in self._skus:
            return "second_bid"
        self._skus.add(bid.sku)
        if bid.quantity < 1:
            return "quantity_too_small"
        if self._units is not None and bid.quantity > self._units:
            return "beyond_supply"
        return "insufficient_funds" if (bid.price or 0.0) * bid.quantity > self._bank else None

    def agree(self, sku: str, price: float, quantity: int) -> None:
        """Reserve what an agreement of this letter takes."""
        self._skus.add(sku)
        self._bank -= price * quantity
        if self._units is not None:
            self._units -= quantity
