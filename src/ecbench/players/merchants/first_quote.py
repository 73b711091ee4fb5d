"""The merchant that pays what it is asked: it offers the opening quote of the supplier's price list.

It only passes over goods that are quoted at almost its own price.
"""

from ecbench.players.merchants.corner_shop import CornerShop
from ecbench.players.merchants.protocol import Routine, call
from ecbench.players.merchants.supplier_letters import acceptances, clause, quotes_in
from ecbench.suppliers.catalog import price_list_in

INQUIRY = "Hello, we run a store of your kind of goods. Please send us your catalog with your opening quotes."
DEAREST = 0.9  # quotes that are paid, over the reference price: dearer goods bring less than they cost to sell


class FirstQuote(CornerShop):
    """Four stores at plain prices, everything bought at the opening quote."""

    def begin(self) -> None:
        super().begin()
        self.price_lists: dict[str, dict[str, float]] = {}  # by address and SKU

    def buy(self, address: str, wants: dict[str, int]) -> Routine[bool]:
        """Offer what the price list asks, and accept the supplier's answer where it is not a yes."""
        if address not in self.price_lists:
            reply = yield from self.do(call("chatbox", uid=address, content=INQUIRY))
            listed, _ = price_list_in(reply.get("supplier_reply", ""))
            self.price_lists[address] = {line.sku: line.quote for line in listed}
        asked = self.price_lists[address]
        offers = [
            clause("offer", sku, asked[sku], units)
            for sku, units in wants.items()
            if sku in asked and asked[sku] <= DEAREST * self.reference(sku)
        ]
        if not offers:
            return False
        reply, bought = yield from self.write(address, offers)
        if taken := acceptances(quotes_in(reply), wants):
            bought |= (yield from self.write(address, taken))[1]
        return bool(bought)
