"""A merchant that needs no model, to put in a model's place."""

import json
from itertools import count
from typing import Any

from ecbench.players.merchants.protocol import Play, call


class Patient:
    """Orders at the reference price every four weeks, and looks after its one store every morning in one batch."""

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        (market,) = yield [call("market_search")]
        kind = market["store_types"][0]
        category = kind["subcategories"][0]
        opened, goods, suppliers = yield [
            call("open_store", store_type=kind["store_type"], store_name="Corner"),
            call("list_products", category=category),
            call("supplier_search", category=category),
        ]
        chosen = goods["results"][:3]
        stock: dict[str, Any] = {}
        for visit in count():
            batch = [call("check_warehouse")]
            if stock:
                batch.append(call("publish_to_store", store_id=opened["store_id"], plan=shelf_plan(stock)))
            if visit % 28 == 0:
                letter = "\n".join(order(item["product_id"], item["reference_price"]) for item in chosen)
                supplier = suppliers["results"][visit // 28 % len(suppliers["results"])]
                batch.append(call("chatbox", uid=supplier["supplier_email"], content=letter))
            warehouse, *_ = yield [*batch, call("ship_orders"), call("withdraw"), call("wait_for_next_day")]
            stock = warehouse["items"]


def order(sku: str, price: float) -> str:
    block = {"action": "offer", "sku_id": sku, "price": price, "quantity": 4}
    return f"```negotiate\n{json.dumps(block)}\n```"


def shelf_plan(stock: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"product_id": sku, "quantity": item["quantity"], "retail_price": round(item["purchase_price"] * 1.2, 2)}
        for sku, item in stock.items()
    ]
