"""A new account, and a pet shop in business: goods in the warehouse and on the shelf, orders to ship."""

from pathlib import Path

import pytest
from tests.tools.pet_shop import Ask, asking, pet_shop
from tests.tools.tea_shop import TeaShop

import ecbench
from ecbench.world.model import Product, World


@pytest.fixture(scope="session")
def world() -> World:
    return ecbench.load_world("default")


@pytest.fixture(scope="session")
def running(world: World) -> ecbench.Episode:
    return pet_shop(world)


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
