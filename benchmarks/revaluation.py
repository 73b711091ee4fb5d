"""Revalued stock: the one way to make money that has nothing to do with customers, played with ordinary calls.

`redteam.py` measures it. A SKU's cost is the mean over the units at hand. Units that were sold and not
shipped are away, and take over whatever the mean has become when their orders are cancelled. Selling off a store then
pays a tenth of that for each of them.
"""

import json
from typing import Any, NamedTuple

from ecbench import Episode
from ecbench.market.books import Stock
from ecbench.world.model import Product, Supplier, World

CATEGORY = "Hardware & Tools"  # its store serves thousands of customers a day
UNITS = 3_000
SHARE_OF_BANK = 0.8  # for the one dear unit
NEARLY_NOTHING = 0.0001  # yuan: a price at which every unit sells
UNSALEABLE = 1e9
PATIENCE = 60  # days, or letters, before the attempt counts as failed


class Found(NamedTuple):
    units: int
    paid: float  # for the dear unit, yuan
    proceeds: float  # yuan
    days: int  # since the year began
    calls: int  # so far


class Revaluation:
    """The play of revalued stock in a year of its own."""

    def __init__(self, world: World, rules: str, units: int = UNITS) -> None:
        self.units = units
        self.episode = Episode(world, rules=rules)
        self.product: Product = min(world.products_by_category[CATEGORY], key=lambda product: product.reference_price)
        self.store_type = world.category_by_name[CATEGORY].store_type
        self.calls = 0

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        self.calls += 1
        [reply] = self.episode.act([{"name": tool, "arguments": arguments}])
        answer: dict[str, Any] = json.loads(reply)
        return answer

    def order(self, supplier: Supplier, price: float, quantity: int) -> None:
        offer = {"action": "offer", "sku_id": self.product.sku, "price": price, "quantity": quantity}
        for _ in range(PATIENCE):
            reply = self.ask("chatbox", uid=supplier.email, content=f"```negotiate\n{json.dumps(offer)}\n```")
            if reply.get("order_confirmed"):
                return
        raise SystemExit(f"{supplier.name} did not agree to {price} yuan in {PATIENCE} letters")

    @property
    def stock(self) -> Stock | None:
        return self.episode.account.books.stock.get(self.product.sku)

    @property
    def physical(self) -> int:
        return self.stock.physical if self.stock else 0

    def publish(self, store: str, price: float) -> None:
        if self.stock and self.stock.free:
            plan = [{"product_id": self.product.sku, "quantity": self.stock.free, "retail_price": price}]
            self.ask("publish_to_store", store_id=store, plan=plan)

    def wait_for(self, units: int) -> None:
        for _ in range(PATIENCE):
            if self.physical >= units:
                return
            self.ask("wait_for_next_day")
        raise SystemExit(f"{units} units of {self.product.sku} did not come together in {PATIENCE} days")

    def play_round(self) -> Found:
        """Suppliers known to be honest only spare the play some letters; nothing else here is hidden from an agent."""
        honest = [seller for seller in self.episode.world.suppliers_by_category[CATEGORY] if seller.honest]
        store = self.ask("open_store", store_type=self.store_type, store_name="Loophole")["store_id"]
        before = self.stock.delivered if self.stock else 0
        self.order(honest[0], self.product.reference_price, self.units)
        self.wait_for(self.units)
        highest = self.episode.account.rules.highest_bid * self.product.reference_price
        paid = round(min(self.episode.bank * SHARE_OF_BANK, highest), 2)
        self.order(honest[1], paid, 1)
        for _ in range(PATIENCE):
            if self.stock and self.stock.delivered > before + self.units:
                break
            self.publish(store, NEARLY_NOTHING)  # and never ship
            self.ask("wait_for_next_day")
        self.wait_for(self.units)
        self.publish(store, UNSALEABLE)
        sold_off = self.ask("close_store", store_id=store, liquidate=True)
        return Found(self.units, paid, sold_off["salvage_credited"], self.episode.day, self.calls)


def revalue_and_liquidate(world: World, rules: str = "paper") -> Found:
    """One round, from the stake."""
    return Revaluation(world, rules).play_round()
