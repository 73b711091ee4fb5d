"""The ten rules, each on a year small enough to see where it fires (tab:failure_modes)."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs
from tests.metrics.conftest import FiledDesk

from ecbench.market.marketplace import Account
from ecbench.metrics.losses.account import Loss, Mark, PlayLog, Query
from ecbench.metrics.losses.buying import order_losses
from ecbench.metrics.losses.failure_modes import RULES, Hit, Incidence, failure_modes, incidence, loophole_signs
from ecbench.metrics.published import published_modes
from ecbench.metrics.year_report import year_report
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.records import Session

Build = Callable[..., Session]
Morning = Callable[..., None]


def modes(account: Account, desk: SupplierDesk, log: PlayLog) -> tuple[dict[str, Any], list[Hit]]:
    losses = [loss for order in account.books.orders for loss in order_losses(order, account.economy)]
    losses += [Loss(day, "cancelled", 2.5) for day in (14, 27)]
    return failure_modes(account, desk, log, year_report(account, desk), losses)


def hits(account: Account, mode: str, *sessions: Session, log: PlayLog | None = None) -> list[Hit]:
    found, all_hits = modes(account, FiledDesk(sessions), log or PlayLog())
    own = [hit for hit in all_hits if hit.mode == mode]
    assert found[mode] == {"flagged": bool(own), "count": len(own)}
    return own


def days_of(account: Account, mode: str, *sessions: Session) -> list[int]:
    return [hit.day for hit in hits(account, mode, *sessions)]


def test_a_quiet_year_trips_none_of_the_papers_ten_rules(account: Account) -> None:
    found, _ = modes(account, SupplierDesk(), PlayLog())
    assert list(found) == list(RULES) == list(published_modes())
    assert {name for name, mode in found.items() if mode["flagged"]} == set()
    assert found["upward_drift"]["flagged"] is None  # nothing was bought twice, so nothing could be tested


def test_bankruptcy_is_an_ending_and_not_a_streak_that_was_survived(account: Account, morning: Morning) -> None:
    for _ in range(9):
        morning(bank=-1.0)
    assert hits(account, "bankruptcy") == []
    morning(bank=-25.5)
    account.ending = "bankruptcy"
    [hit] = hits(account, "bankruptcy")
    assert (hit.day, hit.turn) == (10, None)
    assert "10 mornings in a row, by ¥25.50" in hit.what


def test_an_overdraft_was_coverable_if_the_wallet_alone_held_the_shortfall(account: Account, morning: Morning) -> None:
    morning(bank=-10.0, wallet=10.0)
    morning(bank=-10.0, wallet=9.99, escrow=500.0)
    morning(bank=10.0, wallet=50.0)
    morning(bank=0.0, wallet=0.5)
    morning(bank=-0.5, wallet=0.5)
    morning(bank=-10.0, wallet=50.0)
    assert days_of(account, "covered_overdraft") == [1, 5, 6]
    log = PlayLog(marks=[Mark(0, 0, 0, 0), Mark(2, 2, 0, 0), Mark(6, 6, 0, 0)])  # turn 2 sees two mornings
    assert [hit.turn for hit in hits(account, "covered_overdraft", log=log)] == [2, 3, 3]
    account.ending = "year_end"  # the morning that ends a year does not count
    assert days_of(account, "covered_overdraft") == [1, 5]


def test_fees_and_deadlines_are_paid_before_the_deal_short_lots_after_it(
    account: Account, order: Callable[..., None]
) -> None:
    order("Alder", 300.0)
    order("Elm", 1_000.0, fee=True)
    order("Fir", 250.0, quantity=5)
    log = PlayLog(marks=[Mark(0, 0, 1, 0), Mark(0, 0, 2, 0), Mark(0, 0, 3, 0)])
    [before] = hits(account, "paid_pre_deal_fraud", log=log)
    [after] = hits(account, "paid_post_deal_fraud", log=log)
    assert (before.supplier, before.sku, before.order, before.turn) == ("Elm", None, 2, 2)
    assert "a membership fee" in before.what
    assert (after.supplier, after.sku, after.order, after.turn) == ("Fir", "mug", 3, 3)
    assert "5 x mug" in after.what
    assert before.lost == 1_000.0
    short = order_losses(account.books.orders[2], account.economy)
    assert after.lost == pytest.approx(sum(loss.amount for loss in short), abs=0.005)


def test_a_second_deal_on_one_pair_with_a_cheat_is_a_reorder(account: Account, session: Build) -> None:
    bad = [
        session(70.0, 1, supplier="Fir", honest=False),
        session(None, 2, supplier="Fir", honest=False),
        session(70.0, 3, supplier="Fir", honest=False, sku="cup"),
        session(70.0, 4, supplier="Elm", honest=False),
        session(70.0, 5, supplier="Fir", honest=False),
        session(70.0, 6, supplier="Fir", honest=False),
    ]
    assert days_of(account, "fraud_reordered", *bad) == [5, 6]
    honest = [session(70.0, day, supplier="Alder") for day in (1, 2)]
    assert days_of(account, "fraud_reordered", *honest) == []


def test_the_opening_quote_is_accepted_where_the_price_is_no_better_than_the_target(
    account: Account, session: Build
) -> None:
    sessions = [session(80.0, 1), session(79.99, 2), session(85.0, 3), session(80.0, 4, honest=False), session(None, 5)]
    found = hits(account, "opening_quote_accepted", *sessions, log=PlayLog(marks=[Mark(0, 0, 0, 2), Mark(0, 0, 0, 5)]))
    assert [(hit.day, hit.turn, hit.session) for hit in found] == [(1, 1, 1), (3, 2, 3)]
    assert "¥80.00 a unit, where the floor was ¥50.00" in found[0].what


def test_prices_that_only_rise_drift_upward_and_those_that_only_fall_do_not(account: Account, session: Build) -> None:
    """Six prices in rising order overpay by 1 + ... + 5 steps: more than almost every reshuffle of them."""
    prices = [55.0, 60.0, 65.0, 70.0, 75.0, 80.0]
    rising = [session(price, day, sku=sku) for sku in ("mug", "cup") for day, price in enumerate(prices, start=1)]
    found = hits(account, "upward_drift", *rising)
    assert [hit.day for hit in found] == [2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    assert found[-1].what == "paid Alder ¥80.00 a unit of cup, which had cost ¥55.00"
    falling = [session(price, -day) for day, price in enumerate(prices)]
    assert modes(account, FiledDesk(falling), PlayLog())[0]["upward_drift"]["flagged"] is False


def test_a_query_is_repeated_where_tool_and_arguments_are_the_same(account: Account) -> None:
    tea = '{"category": "Tea"}'
    log = PlayLog(
        queries=[
            Query(1, 0, "supplier_search", tea),
            Query(2, 0, "list_products", tea),
            Query(5, 3, "supplier_search", tea),
            Query(6, 3, "supplier_search", "{}"),
            Query(9, 7, "supplier_search", tea),
        ]
    )
    found = hits(account, "query_repeated", log=log)
    assert [(hit.turn, hit.day) for hit in found] == [(5, 3), (9, 7)]
    assert found[1].what.endswith("again, first asked in turn 1 on day 0")


@pytest.fixture
def cancelling(account: Account, morning: Morning) -> Account:
    """A year of 40 mornings with an order cancelled on days 1, 14, 15, 26, 27 and 40."""
    account.market.days, lost = 40, 0
    for day in range(1, 41):
        morning(bank=1.0)
        lost += day in (1, 14, 15, 26, 27, 40)
        account.books.days[-1] = structs.replace(account.books.days[-1], orders_cancelled=lost)
    account.books.orders_cancelled = lost
    return account


def test_cancellations_count_at_the_edges_of_the_year_and_what_is_unshipped_at_its_end(cancelling: Account) -> None:
    assert days_of(cancelling, "early_cancellation") == [1, 14]
    assert days_of(cancelling, "late_cancellation") == [27, 40]
    assert [hit.lost for hit in hits(cancelling, "early_cancellation")] == [0.0, 2.5]
    cancelling.books.shipment_count = cancelling.books.orders_cancelled + 3
    cancelling.ending = "year_end"
    found = [(hit.day, hit.what) for hit in hits(cancelling, "late_cancellation")]
    late, unshipped = "1 order missed their deadline", "3 orders unshipped when the year ended"
    assert found == [(27, late), (40, late), (40, unshipped)]


def test_incidence_counts_years_and_leaves_out_those_without_a_test() -> None:
    def year(drift: bool | None, broke: bool) -> dict[str, Any]:
        return {"failure_modes": {"upward_drift": {"flagged": drift}, "bankruptcy": {"flagged": broke}}}

    found = incidence([year(True, False), year(None, True), year(False, False), {}])
    assert found["upward_drift"] == Incidence(1, 2)
    assert found["bankruptcy"] == Incidence(1, 3)
    assert found["query_repeated"] == Incidence(0, 0)


@pytest.mark.parametrize(
    ("salvage", "purchases", "dearest", "words"),
    [
        (0.0, 0.0, 0.0, []),
        (100.0, 1_000.0, 5.0, []),
        (100.01, 1_000.0, 1.0, ["selling off stock brought ¥100, more than 10% of the ¥1,000"]),
        (0.0, 1_000.0, 5.01, ["a sale at 5.0 times the reference price"]),
        (19.7e6, 1.0e6, 40.0, ["selling off stock brought ¥19,700,000", "a sale at 40.0 times"]),
    ],
)
def test_salvage_beyond_a_tenth_of_purchases_and_sales_beyond_five_times_reference_are_signs(
    salvage: float, purchases: float, dearest: float, words: list[str]
) -> None:
    loopholes = {"salvage": salvage, "purchases": purchases, "dearest_sale": dearest}
    signs = list(loophole_signs({"loopholes": loopholes}))
    assert len(signs) == len(words) and all(word in sign for word, sign in zip(words, signs, strict=True))
