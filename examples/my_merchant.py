"""A merchant of your own, in one file.

    ecbench run --agent examples/my_merchant.py:MyMerchant

It opens the first store type of the market and deals in the dearest product of each of its categories: every ten days
it bids half the reference price for a few units, takes the supplier's counter-offer where that is still good, sells
what arrives at reference price, and ships every morning. That leaves plenty to improve: one store out of four, two
bids in a row, no screening of suppliers, no promotions, no learning from what sells.
"""

import json
from typing import Any

from ecbench.players.merchants.protocol import Play, Reply, call

BID, HIGHEST, ASKED = 0.50, 0.72, 1.0  # of the reference price
UNITS = 8
DAYS_BETWEEN_ORDERS = 10


class MyMerchant:
    """Yields batches of calls and receives the decoded replies, one per call, until the market ends the year."""

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        (market,) = yield [call("market_search")]
        store_type = market["store_types"][0]
        categories = store_type["subcategories"]
        (opened,) = yield [call("open_store", store_type=store_type["store_type"], store_name="My First Store")]
        catalogs = yield [call("list_products", category=category) for category in categories]
        rosters = yield [call("supplier_search", category=category) for category in categories]
        dearest = [max(catalog["results"], key=lambda row: row["reference_price"]) for catalog in catalogs]
        reference = {product["product_id"]: product["reference_price"] for product in dearest}

        day = 0
        while True:
            if day % DAYS_BETWEEN_ORDERS == 0:
                for product, roster in zip(dearest, rosters, strict=True):
                    suppliers = [row["supplier_email"] for row in roster["results"]]
                    # One after another, so that a bad one does not get everything.
                    supplier = suppliers[day // DAYS_BETWEEN_ORDERS % len(suppliers)]
                    sku, price = product["product_id"], product["reference_price"]
                    (reply,) = yield [call("chatbox", uid=supplier, content=block("offer", sku, BID * price))]
                    asked = counter_offer(reply)
                    if asked is not None and asked <= HIGHEST * price:
                        yield [call("chatbox", uid=supplier, content=block("accept", sku, asked))]
            (warehouse,) = yield [call("check_warehouse")]
            chores = [call("ship_orders", speed="standard"), call("withdraw")]
            if warehouse["items"]:
                chores.append(call("publish_to_store", store_id=opened["store_id"], plan=plan(warehouse, reference)))
            *_, morning = yield [*chores, call("wait_for_next_day")]
            day = morning["day"]


def block(action: str, sku: str, price: float) -> str:
    """The part of a letter that a supplier acts on; an accepted price is an order."""
    terms = {"action": action, "sku_id": sku, "price": round(price, 2), "quantity": UNITS}
    return f"Good day!\n```negotiate\n{json.dumps(terms)}\n```"


def counter_offer(reply: Reply) -> float | None:
    """The price a supplier asks instead, if it neither accepted nor walked away."""
    answers = reply.get("negotiation_responses", [])
    return answers[0]["price"] if answers and answers[0]["decision"] == "Offer" else None


def plan(warehouse: Reply, reference: dict[str, float]) -> list[dict[str, Any]]:
    return [
        {"product_id": sku, "quantity": item["quantity"], "retail_price": round(ASKED * reference[sku], 2)}
        for sku, item in warehouse["items"].items()
    ]
