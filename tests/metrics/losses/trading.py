"""Years of a few days that can be worked out by hand, played with the real market."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tests.analysis.bound.tiny import PLAIN, STALL, tiny_world

from ecbench.episode import Episode
from ecbench.market.books import Store
from ecbench.market.day_demand import ShelfDemand
from ecbench.market.marketplace import Account
from ecbench.market.purchasing import buy, pay_membership_fee
from ecbench.metrics.losses.account import Loss, PlayLog
from ecbench.metrics.losses.prices import judge_prices
from ecbench.metrics.losses.shelves import losses_of, watch_shelves
from ecbench.players.turn import Record
from ecbench.rules import Rules
from ecbench.world.model import Supplier, World

HONEST, SECOND, CHEAT = "Trade 0", "Trade Two", "Trade Cheat"
STORE, SKU = "store_001", "000"
SALES_OF_20 = 6_000.0  # a month, of which a tenth comes to the merchant: twenty a day at the reference price


def stall(**more: Any) -> World:
    """One SKU at 100 yuan, an honest floor of 60, a capacity of 20 and so many customers: ten of the twenty buy."""
    world = tiny_world(("linear", 2.0), **({"monthly_sales": SALES_OF_20} | more))
    [honest] = world.suppliers
    second = replace(honest, id="two", name=SECOND, email="two@tiny.example")
    cheat = Supplier("cheat", CHEAT, "cheat@tiny.example", "candid", "quality_downgrade", honest.category, 99)
    return replace(world, suppliers=(honest, second, cheat))


class Trader:
    """Plays a year turn by turn; purchases are struck without bargaining."""

    def __init__(
        self, world: World | None = None, rules: Rules = PLAIN, stake: float = 1_000_000.0, days: int | None = None
    ) -> None:
        self.year = Episode(world or stall(), rules=rules, stake=stake, days=days)
        self.full: set[tuple[int, str]] = set()  # day and store, where no listing was empty in the evening
        self.watch = watch_shelves(self.year.account, self._judge)

    def _judge(self, account: Account, store: Store, demand: ShelfDemand, day: int) -> Iterator[Loss]:
        if all(listing.quantity for listing in store.shelf.values()):
            self.full.add((day, store.id))
        return judge_prices(account, store, demand, day)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        [text] = self.make([{"name": tool, "arguments": arguments}])
        reply: dict[str, Any] = json.loads(text)
        return reply

    def make(self, calls: Sequence[Record]) -> Sequence[str]:
        """A turn of any calls."""
        return [outcome.text for outcome in self.year.table.act(0, calls) or ()]

    def buy(
        self,
        units: int,
        price: float,
        supplier: str = HONEST,
        sku: str = SKU,
        *,
        short: bool = False,
        defective: bool = False,
    ) -> None:
        buy(
            self.year.account,
            supplier=supplier,
            product=self.year.world.product_by_sku[sku],
            quantity=units,
            unit_price=price,
            short=short,
            defective=defective,
        )

    def pay_fee(self, supplier: str) -> None:
        pay_membership_fee(self.year.account, supplier)

    def sleep(self, days: int = 1) -> None:
        for _ in range(days):
            self.call("wait_for_next_day")

    def open(self) -> None:
        self.call("open_store", store_type=STALL, store_name="Stall")

    def list(self, units: int, price: float = 100.0, sku: str = SKU) -> None:
        plan = [{"product_id": sku, "quantity": units, "retail_price": price}]
        assert self.call("publish_to_store", store_id=STORE, plan=plan)["results"][0]["success"]

    def stocked(self, units: int, price: float = 100.0, cost: float = 60.0) -> "Trader":
        """A store with so many units on its shelf, on the evening of day 1."""
        self.open()
        self.buy(units, cost)
        self.sleep()
        self.list(units, price)
        return self

    def losses(self, ending: str | None = None) -> Sequence[Loss]:
        if ending is not None:
            self.year.finish(ending)
        return losses_of(self.year.account, PlayLog(), over=ending is not None or self.year.done)


def found(losses: Sequence[Loss], cause: str) -> list[tuple[int, float, int]]:
    """Day, yuan and units of the losses to one cause."""
    return [(loss.day, loss.amount, loss.units) for loss in losses if loss.cause == cause]
