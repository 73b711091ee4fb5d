"""What defective goods cost: refunds of units that would have stayed with their buyers had the goods been sound."""

from collections.abc import Sequence
from typing import NamedTuple

from ecbench.market.economy import Economy
from ecbench.market.returns import cached_trials, rate_at, return_layers, units_back
from ecbench.world.model import Product


class ReturnedSale(NamedTuple):
    """A shipment of which units came back."""

    shipment: int
    product: Product
    price: float
    units: int
    net: float
    speed: str
    return_rate: float
    back: int
    refunded: float  # from escrow


class DefectiveDelivery(NamedTuple):
    day: int  # received
    supplier: str
    units: int


def due_to_defects(sale: ReturnedSale, economy: Economy) -> tuple[int, float]:
    """Units that sound goods would not have brought back, and what their refunds took; with the draws as they fell."""
    rules = economy.rules
    sound = return_layers(sale.product, 0.0, sale.price, rules).capped
    rate = rate_at(sale.speed, sound, rules)
    if rate >= sale.return_rate:
        return 0, 0.0
    anyway = units_back(cached_trials(economy, sale.speed)[sale.units][sale.shipment], rate)
    return sale.back - anyway, sale.refunded - min(anyway * sale.price, sale.net)


def shared_by_suppliers(units: int, deliveries: Sequence[DefectiveDelivery], day: int) -> dict[str, int]:
    """Whole units by supplier, in proportion to the defective ones that each had delivered by a day."""
    delivered: dict[str, int] = {}
    for received, supplier, count in deliveries:
        if received <= day:
            delivered[supplier] = delivered.get(supplier, 0) + count
    total, seen, given, shares = sum(delivered.values()), 0, 0, dict[str, int]()
    for supplier, count in delivered.items():
        seen += count
        shares[supplier] = units * seen // total - given
        given += shares[supplier]
    return shares
