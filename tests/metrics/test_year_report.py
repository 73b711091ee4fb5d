"""The whole report of one year."""

import json
from collections.abc import Callable

from tests.metrics.conftest import FiledDesk

from ecbench.market.marketplace import Account
from ecbench.metrics.year_report import year_report
from ecbench.suppliers.records import Session

Build = Callable[..., Session]


SECTIONS = (
    *("score", "abilities", "profitability", "negotiation_quality", "fraud_identification", "supplier_engagement"),
    *("return_management", "fulfilment_quality", "negotiation", "diagnostics"),
)


def test_the_summary_counts_messages_that_ordered_and_lists_sessions_as_filed(account: Account, session: Build) -> None:
    desk = FiledDesk([session(75.0, 9, sku="late"), session(None, 2, sku="early")])
    desk.exchanges = {"Alder": (), "Birch": (), "Cedar": ()}
    desk.orders = {"Alder": 4, "Birch": 1}
    account.closed_suppliers = {"Alder"}
    summary = year_report(account, desk)["negotiation"]
    assert (summary["total_orders"], summary["suppliers_contacted"], summary["suppliers_bankrupt"]) == (5, 3, 1)
    assert (summary["total_negotiations"], summary["total_deals"], summary["active_unconcluded"]) == (2, 1, 0)
    assert [row["sku_id"] for row in summary["per_negotiation"]] == ["late", "early"]


def test_a_report_is_plain_json_without_nan(
    account: Account, session: Build, order: Callable[..., None], morning: Callable[..., None]
) -> None:
    order("Elm", 1_000.0, fee=True)
    morning(bank=-5.0)
    desk = FiledDesk(session(90.0 - day, day, critical_violations=("ResViol",)) for day in range(6))
    report = year_report(account, desk)
    assert set(report) == set(SECTIONS)
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert report["negotiation_quality"]["learning_speed"] == report["negotiation"]["learning_speed"] is not None
