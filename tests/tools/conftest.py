"""A new account, and a pet shop in business: goods in the warehouse and on the shelf, orders to ship."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tools.tea_shop import TeaShop

import ecbench
from ecbench.world.model import Product, Supplier, World

CATEGORY = "Pet Supplies"
Ask = Callable[..., dict[str, Any]]


def asking(episode: ecbench.Episode) -> Ask:
    def ask(tool: str, **arguments: Any) -> dict[str, Any]:
        [text] = episode.act([{"name": tool, "arguments": arguments}])
        reply: dict[str, Any] = json.loads(text)
        return reply

    return ask


@pytest.fixture(scope="session")
def world() -> World:
    return ecbench.load_world("default")


@pytest.fixture(scope="session")
def goods(world: World) -> list[Product]:
    """Six cheap products of one honest supplier."""
    return sorted(world.products_by_category[CATEGORY], key=lambda product: product.reference_price)[:6]


@pytest.fixture(scope="session")
def seller(world: World) -> Supplier:
    return next(supplier for supplier in world.suppliers_by_category[CATEGORY] if supplier.honest)


@pytest.fixture(scope="session")
def running(world: World, goods: list[Product], seller: Supplier) -> ecbench.Episode:
    episode = ecbench.Episode(world, days=200)
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


@pytest.fixture
def account(world: World) -> ecbench.Episode:
    return ecbench.Episode(world)


@pytest.fixture
def new(account: ecbench.Episode) -> Ask:
    """Ask on a new account."""
    return asking(account)


@pytest.fixture
def shop(running: ecbench.Episode) -> ecbench.Episode:
    return running.copy()


@pytest.fixture
def ask(shop: ecbench.Episode) -> Ask:
    """Ask in the pet shop."""
    return asking(shop)


@pytest.fixture
def sold(running: ecbench.Episode) -> Product:
    """A product that is free in the warehouse and on the shelf."""
    books = running.account.books
    shelf = books.stores["store_001"].shelf
    return next(s.product for s in books.stock.values() if s.free and shelf[s.product.sku].quantity)


@pytest.fixture
def tea_shop(small_world: Path) -> TeaShop:
    return TeaShop(small_world)
