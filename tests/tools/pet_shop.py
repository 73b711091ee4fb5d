"""A pet shop in business: goods in the warehouse and on the shelf, orders to ship, money everywhere."""

import json
from collections.abc import Callable
from typing import Any

from ecbench import Episode
from ecbench.world.model import World

CATEGORY = "Pet Supplies"
Ask = Callable[..., dict[str, Any]]


def asking(episode: Episode) -> Ask:
    """Call one tool, and read its reply."""

    def ask(tool: str, **arguments: Any) -> dict[str, Any]:
        [text] = episode.act([{"name": tool, "arguments": arguments}])
        reply: dict[str, Any] = json.loads(text)
        return reply

    return ask


def pet_shop(world: World) -> Episode:
    """Six cheap products of one honest supplier, on the shelf for twenty days."""
    goods = sorted(world.products_by_category[CATEGORY], key=lambda product: product.reference_price)[:6]
    seller = next(supplier for supplier in world.suppliers_by_category[CATEGORY] if supplier.honest)
    episode = Episode(world, days=200)
    ask = asking(episode)
    bids = [{"action": "offer", "sku_id": p.sku, "price": p.reference_price, "quantity": 90} for p in goods]
    ask("open_store", store_type="pet", store_name="Paws")
    ask("chatbox", uid=seller.email, content=f"```negotiate\n{json.dumps(bids)}\n```")
    for _ in range(9):
        ask("wait_for_next_day")
    plan = [{"product_id": p.sku, "quantity": 60, "retail_price": p.reference_price} for p in goods]
    ask("publish_to_store", store_id="store_001", plan=plan)
    for _ in range(20):
        ask("ship_orders")
        ask("wait_for_next_day")
    return episode
