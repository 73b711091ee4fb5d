"""Which suppliers a year reached: messaged, ordered from, and the roster both are drawn from (eq:d2_funnel)."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ecbench.market.marketplace import Account
from ecbench.metrics.labels import personality
from ecbench.world.model import Supplier


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
