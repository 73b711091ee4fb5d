"""What each fraudulent supplier cost, by the way in which it took the money."""

from dataclasses import dataclass

from ecbench.market.economy import Economy
from ecbench.metrics.defects import DefectiveDelivery, ReturnedSale, due_to_defects, shared_by_suppliers
from ecbench.metrics.negotiation import overpaid
from ecbench.runs.results.profit import grouped
from ecbench.runs.results.tables import YearTables
from ecbench.world.supplier_kinds import Scam


@dataclass(frozen=True, slots=True)
class CheatLine:
    """A fraudulent supplier that was paid. Units that came are worth the honest floor; the rest is its cost."""

    supplier: str
    scam: Scam
    orders: int
    spend: float
    above_floor: float  # for all units ordered
    missing_units: int
    missing: float  # at the floor
    defects: float | None  # refunds that its defective goods caused; None where the world is not known
    fees: float

    @property
    def cost(self) -> float:
        return self.above_floor + self.missing + (self.defects or 0.0) + self.fees


def cheat_lines(tables: YearTables, economy: Economy | None) -> list[CheatLine]:
    """The dearest first."""
    refunds = _defect_refunds(tables, economy) if economy else None
    fraudulent = [order for order in tables.orders if not order.honest]
    lines = [
        CheatLine(
            supplier=supplier,
            scam=orders[0].scam,
            orders=len(orders),
            spend=sum(order.charged for order in orders),
            above_floor=sum(overpaid(order.charged, order.quantity, order.floor) for order in orders if order.sku),
            missing_units=sum(order.short_units for order in orders),
            missing=sum((order.floor or 0.0) * order.short_units for order in orders),
            defects=None if refunds is None else refunds.get(supplier, 0.0),
            fees=sum(order.charged for order in orders if not order.sku),
        )
        for supplier, orders in grouped(fraudulent, lambda row: row.supplier).items()
    ]
    return sorted(lines, key=lambda line: (-line.cost, line.supplier))


def _defect_refunds(tables: YearTables, economy: Economy) -> dict[str, float]:
    """By supplier."""
    culprits: dict[str, list[DefectiveDelivery]] = {}
    for order in (order for order in tables.orders if order.defective_units):
        delivery = DefectiveDelivery(order.day_received or 0, order.supplier, order.delivered)
        culprits.setdefault(order.sku, []).append(delivery)
    sold = {sale.shipment: sale for sale in tables.sales if sale.sku in culprits}
    refunds: dict[str, float] = {}
    for back in tables.returns:
        if back.sku not in culprits:
            continue
        sale = sold[back.shipment]
        returned = ReturnedSale(
            sale.shipment,
            economy.world.product_by_sku[sale.sku],
            sale.price,
            sale.units,
            sale.net,
            sale.speed,
            back.return_rate,
            back.units,
            back.from_escrow,
        )
        units, amount = due_to_defects(returned, economy)
        for supplier, share in shared_by_suppliers(units, culprits[back.sku], sale.day).items():
            if share:
                refunds[supplier] = refunds.get(supplier, 0.0) + amount * share / units
    return refunds
