"""How much the one exception to the bound is worth: goods that are sold off for more than they were bought for.

    python benchmarks/revaluation.py                 play it on the default world and print the steps
    python benchmarks/revaluation.py docs/bound.md   put them into the page, between its marks

A SKU's cost basis is the mean over the units at hand, and units that come back take it over. So cheap units are sold
and not shipped; while they are away, one dear unit arrives and is the whole mean; the cheap ones come back, and the
store is closed for a tenth of what all of them now count as.
"""

import json
import sys
from pathlib import Path
from typing import Any

from doc_tables import markdown_table, write_block

from ecbench import Episode, load_world

CATEGORY, STORE_TYPE = "Hardware & Tools", "auto_hardware"
CHEAP_UNITS = 3_000
SHARE_OF_BANK = 0.8  # that the dear unit costs
ROUNDS = 2
ALMOST_NOTHING, TOO_DEAR = 0.0001, 1e9  # list prices at which everything sells, and nothing


class Loophole:
    def __init__(self) -> None:
        self.world = load_world("default")
        self.episode = Episode(self.world)
        self.calls = 0
        self.goods = min(self.world.products_by_category[CATEGORY], key=lambda product: product.reference_price)
        self.sellers = [supplier for supplier in self.world.suppliers_by_category[CATEGORY] if supplier.honest]

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        self.calls += 1
        [reply] = self.episode.act([{"name": tool, "arguments": arguments}])
        found: dict[str, Any] = json.loads(reply)
        return found

    def order(self, price: float, quantity: int) -> None:
        offer = {"action": "offer", "sku_id": self.goods.sku, "price": price, "quantity": quantity}
        for seller in self.sellers * 4:
            letter = f"```negotiate\n{json.dumps(offer)}\n```"
            if self.ask("chatbox", uid=seller.email, content=letter).get("order_confirmed"):
                return
        raise SystemExit("nobody takes the offer")

    def warehouse(self) -> tuple[int, float]:
        """Free units, and what each of them counts as."""
        item = self.ask("check_warehouse")["items"].get(self.goods.sku, {"quantity": 0, "purchase_price": 0.0})
        return item["quantity"], item["purchase_price"]

    def publish(self, store: str, units: int, price: float) -> None:
        plan = [{"product_id": self.goods.sku, "quantity": units, "retail_price": price}]
        self.ask("publish_to_store", store_id=store, plan=plan)

    def play_round(self) -> tuple[float, float]:
        """What the dear unit cost, and what closing the store brought."""
        store = self.ask("open_store", store_type=STORE_TYPE, store_name="Loophole")["store_id"]
        self.order(self.goods.reference_price, CHEAP_UNITS)
        while self.warehouse()[0] < CHEAP_UNITS:
            self.ask("wait_for_next_day")
        dear = round(SHARE_OF_BANK * self.episode.bank, 2)
        self.order(dear, 1)
        units, basis = self.warehouse()
        while basis < 0.5 * dear:  # whatever has come back goes away again until the dear unit is there
            if units:
                self.publish(store, units, ALMOST_NOTHING)
            self.ask("wait_for_next_day")
            units, basis = self.warehouse()
        while units <= CHEAP_UNITS:
            self.ask("wait_for_next_day")
            units, _ = self.warehouse()
        self.publish(store, units, TOO_DEAR)
        return dear, self.ask("close_store", store_id=store, liquidate=True)["salvage_credited"]


def main() -> None:
    loophole, rows = Loophole(), []
    for _ in range(ROUNDS):
        dear, salvage = loophole.play_round()
        bank = loophole.episode.bank
        rows.append(
            [str(loophole.episode.day), str(loophole.calls), *(f"¥{amount:,.0f}" for amount in (dear, salvage, bank))]
        )
    block = markdown_table(("Day", "Calls so far", "One dear unit", "Store closed for", "Bank"), rows)
    print(block)
    for page in map(Path, sys.argv[1:]):
        write_block(page, "revaluation", block)


if __name__ == "__main__":
    main()
