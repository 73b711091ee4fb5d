"""A market of one category, with a supplier of every kind."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from itertools import count
from typing import Any

import pytest
from tests.market.conftest import tiny_category

from ecbench.market.economy import Economy
from ecbench.market.marketplace import Account, open_marketplace
from ecbench.rules import DEFAULT_RULES
from ecbench.suppliers.conversation import converse
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.records import Response
from ecbench.suppliers.voices import get_voice
from ecbench.world.model import Category, Product, StoreType, Supplier, World
from ecbench.world.supplier_kinds import Scam, Template

HONEST: tuple[Template, ...] = ("expressive", "candid", "stochastic", "taciturn", "strategic", "adversarial")
NAMES = {
    "expressive": "Alder",
    "candid": "Birch",
    "stochastic": "Cedar",
    "taciturn": "Dogwood",
    "strategic": "Elm",
    "adversarial": "Fir",
    "vip_fee": "Gum",
    "future_discount": "Hazel",
    "fake_urgency": "Ironwood",
    "qty_bait": "Juniper",
    "quality_downgrade": "Kapok",
}
SCAMS: tuple[Scam, ...] = ("vip_fee", "future_discount", "fake_urgency", "qty_bait", "quality_downgrade")


def _category(name: str) -> Category:
    return replace(tiny_category(name, "pantry"), floor_ratio=0.507, scam_cap_ratio=0.552)


def _suppliers() -> tuple[Supplier, ...]:
    number = count(1)

    def supplier(template: Template, scam: Scam) -> Supplier:
        key = scam or template
        return Supplier(
            id=f"S-{next(number):03d}",
            name=f"{NAMES[key]} Traders",
            email=f"{NAMES[key].lower()}@example.test",
            template=template,
            scam=scam,
            category="Health Supplements",
            order_limit=3,
        )

    return tuple([supplier(template, "") for template in HONEST] + [supplier("adversarial", scam) for scam in SCAMS])


@pytest.fixture(scope="session")
def world() -> World:
    products = (
        Product("aaa111", "Health Supplements", "Fern", "Fern Ginseng Capsules", "Small", 199.75, 0.02),
        Product("bbb222", "Health Supplements", "Fern", "Fern Fish Oil", "Small", 88.40, 0.03),
        Product("zzz999", "Tea", "Moss", "Moss Green Tea", "Small", 60.0, 0.02),
    )
    pantry = StoreType("pantry", "Pantry", 1, 50.0, 1.0, (1.0,) * 12, ("Health Supplements", "Tea"))
    return World(
        name="one shelf",
        seed=7,
        start=date(2026, 1, 1),
        days=365,
        store_types=(pantry,),
        categories=(_category("Health Supplements"), _category("Tea")),
        products=products,
        suppliers=_suppliers(),
    )


@pytest.fixture
def by_kind(world: World) -> dict[str, Supplier]:
    return {s.scam or s.template: s for s in world.suppliers}


@pytest.fixture
def account(world: World) -> Account:
    return open_marketplace(Economy(world, DEFAULT_RULES), days=365, stake=100_000.0).accounts[0]


@pytest.fixture
def desk() -> SupplierDesk:
    return SupplierDesk()


def offer(price: float, quantity: Any = 1, sku: str = "aaa111") -> dict[str, Any]:
    return {"action": "offer", "sku_id": sku, "price": price, "quantity": quantity}


Talk = Callable[..., Response]


@pytest.fixture
def talk(desk: SupplierDesk, account: Account, by_kind: dict[str, Supplier]) -> Talk:
    """Write to the supplier of a kind, each action in a block of its own."""
    voice = get_voice("template")

    def send(kind: str, *actions: dict[str, Any], prose: str = "Hello.") -> Response:
        blocks = "".join([f"\n```negotiate\n{json.dumps(action)}\n```" for action in actions])
        return converse(desk, account, voice, by_kind[kind], prose + blocks)

    return send
