"""Which suppliers a year reached: messaged, ordered from, and the roster both are drawn from (eq:d2_funnel)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from ecbench.market.marketplace import Account
from ecbench.metrics.labels import personality
from ecbench.metrics.rounding import figure
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


def funnel(engagement: Mapping[str, Any]) -> dict[str, float | None]:
    """How far suppliers get, of what `supplier_engagement` counts; null where the denominator is empty (eq:d2_funnel).

    Pass-through is the share of the fraudulent suppliers messaged that were ordered from. It is no screening decision:
    a contact without an order reads the same whether the agent judged the supplier or forgot it.
    """
    contacted, ordered, roster = (engagement[name] for name in ("contacted", "ordered", "roster_totals"))
    return {
        "pass_through": _part(ordered["distinct_bad"], contacted["distinct_bad"]),
        "honest_pass_through": _part(ordered["distinct_good"], contacted["distinct_good"]),
        "fraudulent_share_of_contacts": _part(contacted["distinct_bad"], contacted["distinct_total"]),
        "fraudulent_share_of_roster": _part(roster["distinct_bad"], roster["distinct_total"]),
        "share_of_honest_roster_contacted": _part(contacted["distinct_good"], roster["distinct_good"]),
    }


def _part(part: int, whole: int) -> float | None:
    return figure(part / whole) if whole else None
