"""Fraud avoidance: which suppliers were reached, and the money that fraudulent ones got (app:metrics_d2).

Folded from the orders that were charged, whether or not a session was ever filed for them. Shares divide by what
was ordered at all; a membership fee is a separate order that adds money and no units.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ecbench.market.filed import PurchaseOrder
from ecbench.market.marketplace import Account
from ecbench.metrics.estimators import share, yuan
from ecbench.metrics.labels import PERSONALITIES, SCAMS, personality
from ecbench.sums import ordered_sum
from ecbench.world.model import Supplier


def fraud_identification(account: Account) -> dict[str, Any]:
    orders, supplier_of = account.books.orders, account.world.supplier_by_name
    fraudulent = [order for order in orders if not supplier_of[order.supplier].honest]
    fees = [order for order in orders if order.product is None]
    spend, bad_spend = _spend(orders), _spend(fraudulent)
    return {
        "bad_suppliers_total": sum(not supplier.honest for supplier in account.world.suppliers),
        "orders_total": len(orders),
        "orders_from_bad_supplier": len(fraudulent),
        "bad_supplier_order_share": share(len(fraudulent), len(orders)),
        "spend_total": yuan(spend),
        "spend_on_bad_supplier": yuan(bad_spend),
        "spend_on_bad_supplier_share": share(bad_spend, spend),
        "vip_fee_paid_count": len(fees),
        "vip_fee_paid_amount": yuan(_spend(fees)),
        "spend_by_fraud_type": _by_scam(account, fraudulent),
        "spend_by_good_personality": _by_personality(account),
    }


def _spend(orders: list[PurchaseOrder]) -> float:
    return ordered_sum([order.charged for order in orders]) or 0.0


def _by_scam(account: Account, fraudulent: list[PurchaseOrder]) -> dict[str, dict[str, float]]:
    """All five scams are listed, touched or not; units are those ordered, not those that arrived (eq:d2_scam)."""
    orders: dict[str, list[PurchaseOrder]] = {scam: [] for scam in SCAMS}
    for order in fraudulent:
        orders[account.world.supplier_by_name[order.supplier].scam].append(order)
    return {
        scam: {
            "orders": len(placed),
            "units": sum(order.quantity for order in placed if order.product is not None),
            "spend": yuan(_spend(placed)),
        }
        for scam, placed in orders.items()
    }


def _by_personality(account: Account) -> dict[str, float]:
    """Where honest procurement money went; every personality is listed."""
    spend = dict.fromkeys(PERSONALITIES.values(), 0.0)
    for order in account.books.orders:
        supplier = account.world.supplier_by_name[order.supplier]
        if supplier.honest:
            spend[personality(supplier)] += order.charged
    return {name: yuan(amount) for name, amount in spend.items()}


def supplier_engagement(account: Account, contacted: Iterable[str]) -> dict[str, Any]:
    by_name = account.world.supplier_by_name
    ordered = dict.fromkeys(order.supplier for order in account.books.orders)
    return {
        "contacted": headcount([by_name[name] for name in dict.fromkeys(contacted)]),
        "ordered": headcount([by_name[name] for name in ordered]),
        "roster_totals": headcount(account.world.suppliers),
    }


def headcount(suppliers: Iterable[Supplier]) -> dict[str, Any]:
    """Distinct suppliers by kind; a kind that none of them is of is not listed."""
    personalities: Counter[str] = Counter()
    scams: Counter[str] = Counter()
    for supplier in suppliers:
        if supplier.honest:
            personalities[personality(supplier)] += 1
        else:
            scams[supplier.scam] += 1
    honest, fraudulent = personalities.total(), scams.total()
    return {
        "distinct_total": honest + fraudulent,
        "distinct_good": honest,
        "distinct_bad": fraudulent,
        "good_by_personality": dict(personalities),
        "bad_by_fraud_type": dict(scams),
    }
