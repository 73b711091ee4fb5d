"""A marketplace small enough to work its numbers out on paper."""

from datetime import date
from types import MappingProxyType

import pytest

from ecbench.market.economy import Economy
from ecbench.market.marketplace import Account, open_marketplace
from ecbench.rules import Rules
from ecbench.world.fields import MonthDay
from ecbench.world.model import Category, Elasticity, Event, Product, Promotion, StoreType, Supplier, World


def tiny_category(name: str, store_type: str, elasticity: Elasticity = "linear", eta: float = 2.0) -> Category:
    return Category(
        name=name,
        store_type=store_type,
        size="Small",
        price_min=10,
        price_max=200,
        sales_min=300,
        sales_max=900,
        return_min=0.0,
        return_max=0.2,
        return_note="Few returns.",
        elasticity=elasticity,
        eta=eta,
        wholesale_ratio=0.75,
        floor_ratio=0.5,
        scam_cap_ratio=0.6,
        price_range="10-200",
    )


@pytest.fixture
def world() -> World:
    return World(
        name="tiny",
        seed=7,
        start=date(2026, 1, 1),
        days=365,
        store_types=(
            StoreType("garden", "Garden", 3, 100.0, 3.0, (1.0,) * 6 + (1.5,) * 6, ("Pots", "Seeds")),
            StoreType("books", "Books", 2, 40.0, 2.0, (1.0,) * 12, ("Novels",)),
        ),
        categories=(
            tiny_category("Pots", "garden"),
            tiny_category("Seeds", "garden", "quadratic", 4.0),
            tiny_category("Novels", "books", "exponential", 3.0),
        ),
        products=(
            Product("a00000000001", "Pots", "Ato", "Ato Clay Pot", "Small", 100.0, 0.10),
            Product("a00000000002", "Pots", "Ato", "Ato Tin Pot", "Large", 50.0, 0.10),
            Product("a00000000003", "Seeds", "Bru", "Bru Basil Seeds", "Small", 20.0, 0.0),
            Product("a00000000004", "Novels", "Cet", "Cet Novel", "Medium", 40.0, 0.05),
        ),
        suppliers=(
            Supplier("S1", "North Pots", "north@pots.example", "candid", "", "Pots", 10),
            Supplier("S2", "South Pots", "south@pots.example", "adversarial", "qty_bait", "Pots", 10),
        ),
        events=(
            Event("Frost", MonthDay(1, 10), 3, MappingProxyType({"garden": 0.5}), 2.0, None, "Frost is here."),
            Event("Fair", MonthDay(12, 30), 5, MappingProxyType({"garden": 2.0}), 1.0, frozenset(), "A fair opens."),
        ),
        promotions=(
            Promotion("Spring Days", ((MonthDay(3, 4), MonthDay(3, 8)),), 2.5, 1.8),
            Promotion("First Days", ((MonthDay(1, 1), MonthDay(1, 7)),), 2.0, 1.5),
        ),
    )


@pytest.fixture
def market(world: World) -> Economy:
    return Economy(world, Rules())


@pytest.fixture
def account(market: Economy) -> Account:
    return open_marketplace(market, days=365, stake=100_000.0).accounts[0]
