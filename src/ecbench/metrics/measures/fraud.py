"""Fraud avoidance (app:metrics_d2)."""

from ecbench.metrics.estimators import Field, Measure, mean, ratio, total
from ecbench.metrics.labels import SCAMS

_FRAUD = "fraud_identification"
_REACHED = "supplier_engagement"


def _spent_on(scam: str) -> Measure:
    path = f"{_FRAUD}.spend_by_fraud_type.{scam}.spend"
    return mean(
        f"fraud_spend_{scam}", "¥", "lower", path, "eq:d2_scam", f"paid to `{scam}` suppliers, ordinary goods included"
    )


FRAUD = (
    mean(
        "bad_spend_percent",
        "%",
        "lower",
        f"{_FRAUD}.spend_on_bad_supplier_share",
        "eq:d2_badspend, tab:leaderboard",
        "paid to fraudulent suppliers, of all that was paid for orders",
        100,
    ),
    mean(
        "fraud_spend",
        "¥",
        "lower",
        f"{_FRAUD}.spend_on_bad_supplier",
        "eq:d2_badspend, tab:res_d2",
        "paid to fraudulent suppliers, membership fees included",
    ),
    *(_spent_on(scam) for scam in SCAMS),
    mean(
        "fraud_orders",
        "orders",
        "lower",
        f"{_FRAUD}.orders_from_bad_supplier",
        "tab:res_d2",
        "purchase orders with fraudulent suppliers, a membership fee being one",
    ),
    mean(
        "orders",
        "orders",
        "",
        f"{_FRAUD}.orders_total",
        "tab:res_d2",
        "purchase orders charged to the bank, a membership fee being one",
    ),
    total("membership_fees", "fees", "lower", f"{_FRAUD}.vip_fee_paid_count", "tab:res_d2", "membership fees paid"),
    total("membership_fee_yuan", "¥", "lower", f"{_FRAUD}.vip_fee_paid_amount", "tab:res_d2", "what they came to"),
    mean(
        "suppliers_contacted",
        "suppliers",
        "",
        f"{_REACHED}.contacted.distinct_total",
        "fig:funnel",
        "suppliers sent at least one message",
    ),
    mean(
        "fraud_suppliers_contacted",
        "suppliers",
        "",
        f"{_REACHED}.contacted.distinct_bad",
        "eq:d2_funnel",
        "fraudulent suppliers sent at least one message",
    ),
    mean(
        "fraud_suppliers_ordered",
        "suppliers",
        "lower",
        f"{_REACHED}.ordered.distinct_bad",
        "eq:d2_funnel, tab:res_d2",
        "fraudulent suppliers ordered from",
    ),
    ratio(
        "pass_through_percent",
        "%",
        "lower",
        Field(f"{_REACHED}.ordered.distinct_bad", 100),
        Field(f"{_REACHED}.contacted.distinct_bad"),
        "eq:d2_funnel, fig:funnel",
        "fraudulent suppliers ordered from, of those messaged",
    ),
    ratio(
        "honest_pass_through_percent",
        "%",
        "",
        Field(f"{_REACHED}.ordered.distinct_good", 100),
        Field(f"{_REACHED}.contacted.distinct_good"),
        "",
        "honest suppliers ordered from, of those messaged",
    ),
    ratio(
        "fraud_contacts_percent",
        "%",
        "",
        Field(f"{_REACHED}.contacted.distinct_bad", 100),
        Field(f"{_REACHED}.contacted.distinct_total"),
        "sec:res_fraud",
        "fraudulent suppliers among those messaged; a roster drawn blindly gives the roster's share",
    ),
    mean(
        "fraud_agreement_rate",
        "share of sessions",
        "",
        "negotiation.terms_bench_metrics.FAGR-",
        "app:metrics_d2",
        "fraudulent sessions that ended in a deal, of those concluded",
    ),
)
