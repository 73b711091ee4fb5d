"""Fraud avoidance: which suppliers were reached, and the money that fraudulent ones got (app:metrics_d2)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ecbench.market.filed import PurchaseOrder
from ecbench.market.marketplace import Account
from ecbench.metrics.estimators import share, yuan
from ecbench.metrics.labels import PERSONALITIES, SCAMS
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
            spend[PERSONALITIES[supplier.template]] += order.charged
    return {name: yuan(amount) for name, amount in spend.items()}


def supplier_engagement(account: Account, contacted: Iterable[str]) -> dict[str, Any]:
    by_name = account.world.supplier_by_name
    ordered = dict.fromkeys(order.supplier for order in account.books.orders)
    return {
        "contacted": headcount([by_name[name] for name in dict.fromkeys(contacted)]),
        "ordered": headcount([by_name[name] for name in ordered]),
        "roster_totals": headcount(account.world.suppliers),
    }


def headcount(suppliers: Sequence[Supplier]) -> dict[str, Any]:
    """Distinct suppliers by kind; a kind that none of them is of is not listed."""
    personalities = Counter(PERSONALITIES[supplier.template] for supplier in suppliers if supplier.honest)
    scams = Counter(supplier.scam for supplier in suppliers if not supplier.honest)
    return {
        "distinct_total": len(suppliers),
        "distinct_good": personalities.total(),
        "distinct_bad": scams.total(),
        "good_by_personality": dict(personalities),
        "bad_by_fraud_type": dict(scams),
    }
