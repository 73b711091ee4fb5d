"""A shop of beauty devices under the rule set `conduct`, and how it is asked."""

import json
from typing import Any

import ecbench
from ecbench.market.conduct import Conduct
from ecbench.suppliers.claims import QUOTE_DAYS
from ecbench.world.load import load_world
from ecbench.world.model import Product, Supplier

WORLD = load_world("default")
CATEGORY = "Beauty Devices"


class Shop:
    """One open store, and honest suppliers of its goods."""

    def __init__(self, **terms: Any) -> None:
        self.episode = ecbench.Episode(WORLD, **{"rules": "conduct", **terms})
        self.seller, self.rival = [each for each in WORLD.suppliers_by_category[CATEGORY] if each.honest][:2]
        self.product: Product = min(WORLD.products_by_category[CATEGORY], key=lambda each: each.reference_price)
        kind = WORLD.category_by_name[CATEGORY].store_type
        self.store = self.ask("open_store", store_type=kind, store_name="Glow")["store_id"]

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        [text] = self.episode.act([{"name": tool, "arguments": arguments}])
        reply: dict[str, Any] = json.loads(text)
        return reply

    def write(self, supplier: Supplier, **action: Any) -> dict[str, Any]:
        """The answer to one action about the product."""
        block = json.dumps({"action": "offer", "sku_id": self.product.sku, **action})
        reply = self.ask("chatbox", uid=supplier.email, content=f"```negotiate\n{block}\n```")
        [answer] = reply["negotiation_responses"]
        return {**reply, **answer}

    def offer(self, supplier: Supplier, share: float = 0.2, quantity: int = 20, **more: Any) -> dict[str, Any]:
        price = round(share * self.product.reference_price, 2)
        return self.write(supplier, price=price, quantity=quantity, **more)

    def accept(self, supplier: Supplier, price: float, quantity: int = 20) -> dict[str, Any]:
        return self.write(supplier, action="accept", price=price, quantity=quantity)

    def buy(self, supplier: Supplier, quantity: int = 20) -> int:
        """The number of the order."""
        quote = self.offer(supplier, share=0.1, quantity=quantity)["price"]
        [placed] = self.accept(supplier, quote, quantity)["orders_placed"]
        return int(placed["order_id"])

    def wait(self, days: int = 1) -> dict[str, Any]:
        for _ in range(days):
            reply = self.ask("wait_for_next_day")
        return reply

    @property
    def conduct(self) -> Conduct:
        found = self.episode.account.conduct
        assert found is not None
        return found

    def verdicts(self, kind: str) -> list[str]:
        return [entry.verdict for entry in self.conduct.entries if entry.kind == kind]


def rival_quote(supplier: Supplier, price: float) -> dict[str, Any]:
    return {"rival_quote": {"supplier": supplier.email, "price": price}}


def volume(units: Any, days: Any) -> dict[str, Any]:
    return {"volume": {"units": units, "days": days}}


LATER = QUOTE_DAYS + 1
