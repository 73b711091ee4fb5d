"""Money that reached fraudulent suppliers, and which suppliers a year reached (eq:d2_badspend, eq:d2_scam)."""

from collections.abc import Callable
from typing import get_args

from ecbench.market.marketplace import Account
from ecbench.metrics.fraud import fraud_identification, supplier_engagement
from ecbench.world.supplier_kinds import Scam

Order = Callable[..., None]


def test_bad_spend_is_the_share_of_every_charge_fees_included(account: Account, order: Order) -> None:
    order("Alder", 2_000.0)
    order("Elm", 1_000.0, fee=True)
    order("Elm", 500.0, quantity=4)
    order("Fir", 500.0, quantity=20)
    section = fraud_identification(account)
    assert (section["orders_total"], section["orders_from_bad_supplier"]) == (4, 3)
    assert (section["spend_total"], section["spend_on_bad_supplier"]) == (4_000.0, 2_000.0)
    assert (section["bad_supplier_order_share"], section["spend_on_bad_supplier_share"]) == (0.75, 0.5)
    assert (section["vip_fee_paid_count"], section["vip_fee_paid_amount"]) == (1, 1_000.0)
    assert {name: paid for name, paid in section["spend_by_good_personality"].items() if paid} == {"Friendly": 2_000.0}
    buckets = section["spend_by_fraud_type"]  # units are those that were ordered, and a fee brings none
    assert buckets["vip_fee"] == {"orders": 2, "units": 4, "spend": 1_500.0}
    assert buckets["qty_bait"] == {"orders": 1, "units": 20, "spend": 500.0}


def test_every_scam_and_personality_has_a_spend_bucket_even_in_an_idle_year(account: Account) -> None:
    section = fraud_identification(account)
    idle = {"orders": 0, "units": 0, "spend": 0.0}
    assert section["spend_by_fraud_type"] == dict.fromkeys(filter(None, get_args(Scam)), idle)
    assert section["spend_by_good_personality"] == dict.fromkeys(
        ("Enthusiastic", "Unpredictable", "Friendly", "Strategic", "Tough", "Professional"), 0.0
    )
    assert (section["bad_supplier_order_share"], section["spend_on_bad_supplier_share"]) == (0.0, 0.0)
    assert section["bad_suppliers_total"] == 2


def test_engagement_counts_distinct_names_and_lists_only_kinds_it_met(account: Account, order: Order) -> None:
    order("Cedar", 10.0)
    order("Cedar", 10.0)
    order("Elm", 1_000.0, fee=True)
    section = supplier_engagement(account, ["Elm", "Cedar", "Fir", "Alder", "Elm"])
    assert section["contacted"] == {
        "distinct_total": 4,
        "distinct_good": 2,
        "distinct_bad": 2,
        "good_by_personality": {"Professional": 1, "Friendly": 1},
        "bad_by_fraud_type": {"vip_fee": 1, "qty_bait": 1},
    }
    assert section["ordered"] == {
        "distinct_total": 2,
        "distinct_good": 1,
        "distinct_bad": 1,
        "good_by_personality": {"Professional": 1},
        "bad_by_fraud_type": {"vip_fee": 1},
    }
    assert section["roster_totals"]["good_by_personality"] == {"Friendly": 2, "Professional": 1, "Tough": 1}
    assert section["roster_totals"]["distinct_total"] == 6
    assert supplier_engagement(account, [])["contacted"]["good_by_personality"] == {}
