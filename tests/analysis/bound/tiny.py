"""Worlds so small that every play of them can be tried."""

from datetime import date

from ecbench.rules import DEFAULT_RULES
from ecbench.world.model import Category, Elasticity, Product, StoreType, Supplier, World

# Standing is perfect from the first day, goods come the next morning, revenue after two days: what is left is demand,
# its draws and money.
PLAIN = DEFAULT_RULES.with_overrides(
    {
        "opening_reputation": 1.0,
        "goodwill_base": 1.0,
        "return_weight": 0.0,
        "lead_days": (0, 0),
        "escrow_days": 2,
        "return_days": (1, 1),
        "setup_fee": 0.0,
        "operating_cost": {1: 0.0, 2: 0.0, 3: 0.0},
        "storage_rate": {"Small": 0.01, "Medium": 0.01, "Large": 0.01, "XLarge": 0.01},
    }
)
FLOOR = 0.6
STALL = "stall"
FOUR: tuple[tuple[Elasticity, float], ...] = (
    ("linear", 2.5),
    ("exponential", 3.0),
    ("constant_elasticity", 1.6),
    ("quadratic", 4.0),
)


def tiny_world(
    *trades: tuple[Elasticity, float],
    goods: int = 1,
    capacity: float = 20.0,
    monthly_sales: float = 600.0,
    returns: float = 0.0,
    seed: int = 3,
    days: int = 12,
) -> World:
    """One store type with a category for each (elasticity, eta), and as many goods in each as asked for."""
    names = tuple(f"Trade {number}" for number in range(len(trades)))
    return World(
        name="tiny",
        seed=seed,
        start=date(2026, 3, 2),
        days=days,
        store_types=(StoreType(STALL, "Stall", 3, capacity, 1.0, (1.0,) * 12, names),),
        categories=tuple(_category(name, *trade, monthly_sales) for name, trade in zip(names, trades, strict=True)),
        products=tuple(
            Product(f"{name[-1]}{number:02d}", name, "Ato", f"{name} {number}", "Small", 100.0 + 37.0 * number, returns)
            for name in names
            for number in range(goods)
        ),
        suppliers=tuple(Supplier(name, name, f"{name[-1]}@tiny.example", "candid", "", name, 99) for name in names),
    )


def _category(name: str, elasticity: Elasticity, eta: float, monthly_sales: float) -> Category:
    return Category(
        name=name,
        store_type=STALL,
        size="Small",
        price_min=1,
        price_max=1_000,
        sales_min=monthly_sales,
        sales_max=monthly_sales,
        return_min=0.0,
        return_max=1.0,
        return_note="",
        elasticity=elasticity,
        eta=eta,
        wholesale_ratio=0.8,
        floor_ratio=FLOOR,
        scam_cap_ratio=0.7,
        price_range="1-1000",
    )
