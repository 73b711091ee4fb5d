"""Readings beside the published sections, worked out by hand."""

from collections.abc import Callable

import pytest
from msgspec import structs

from ecbench.market.books import DaySales
from ecbench.market.marketplace import Account
from ecbench.metrics.execution import fast_share
from ecbench.metrics.negotiation import Dealings, by_counterpart, pooled, score, unfinished
from ecbench.metrics.solvency import daily_rows, liquidity, orders_voided
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.grammar import BargainAction
from ecbench.suppliers.records import Session
from ecbench.suppliers.sessions import decide

Build = Callable[..., Session]
Morning = Callable[..., None]


def test_liquidity_of_a_year_of_four_mornings(account: Account, morning: Morning) -> None:
    """Banks 1,000 (opening), -40, -60, 500, and -5 on the morning that ended the year."""
    account.market.days = 4
    morning(bank=-40.0, wallet=40.0)
    morning(bank=-60.0, wallet=50.0)
    morning(bank=500.0)
    morning(bank=-5.0, wallet=99.0)
    account.books.purse.bank, account.books.purse.wallet, account.ending = -5.0, 99.0, "year_end"
    found = liquidity(account)
    assert found["longest_unpaid_streak"] == 2
    assert found["mean_bank"] == 350.0
    assert (found["trough_day"], found["first_wallet_day"]) == (2, 1)
    assert found["assets_by_quarter"] == [0.0, -10.0, 500.0, 94.0]
    assert found["mean_open_stores"] == 0.75


def test_a_day_has_what_was_sold_and_cancelled_since_the_one_before(account: Account, morning: Morning) -> None:
    """Orders to date: 5 sold and 1 cancelled, then 7 and 2, then 7 and 3; at the end 8, of which none was sent."""
    for sold, cancelled in ((5, 1), (7, 2), (7, 3)):
        morning(bank=900.0)
        account.books.days[-1] = structs.replace(account.books.days[-1], orders_sold=sold, orders_cancelled=cancelled)
    assert [row.kind for row in daily_rows(account)] == ["opening", *["morning"] * 3]  # of a year that goes on
    account.books.shipment_count, account.books.orders_cancelled, account.ending = 8, 3, "year_end"
    account.books.purse.bank, account.books.purse.wallet = 800.0, 250.0
    rows = daily_rows(account)
    assert [(row.kind, row.orders_sold, row.orders_cancelled) for row in rows] == [
        ("opening", 0, 0),
        ("morning", 5, 1),
        ("morning", 2, 1),
        ("morning", 0, 1),
        ("final", 1, 0),
    ]
    assert [row.orders_voided for row in rows] == [0, 0, 0, 0, 5]  # 8 sold, 3 cancelled, none sent
    first = rows[0].books
    assert (first.bank, first.total, first.wallet, first.units, first.open_stores) == (1_000.0, 1_000.0, 0.0, 0, 0)
    assert (rows[1].books.total, rows[-1].books.total) == (900.0, 1_050.0)


def test_an_order_that_still_waits_is_not_voided(account: Account) -> None:
    books = account.books
    books.shipment_count, books.orders_cancelled = 7, 2
    books.pending = [DaySales("st1", account.market.date, 3, 1, [None] * 3)]  # type: ignore[list-item]
    assert orders_voided(account) == 2
    books.pending = []
    assert orders_voided(account) == 5


def test_surplus_is_told_by_template_for_honest_suppliers_and_by_scam_for_others(session: Build) -> None:
    """Reference 100, floor 50: a deal at 75 keeps half the range, one at 60 four fifths."""
    scores = [
        score(session(75.0)),
        score(session(60.0, turns=5)),
        score(session(None)),
        score(session(90.0, template="adversarial")),
        score(session(70.0, honest=False, template="candid")),
    ]
    found = by_counterpart(scores)
    assert found["honest"]["candid"] == {
        "sessions": 3,
        "deals": 2,
        "surplus_sum": 1.3,
        "surplus": 0.65,
        "turns": 4.0,
    }
    assert found["honest"]["adversarial"]["surplus"] == 0.2
    assert found["fraudulent"]["qty_bait"]["surplus"] == 0.6
    assert found["honest"]["taciturn"]["surplus"] is None


def test_years_are_pooled_deal_by_deal(session: Build) -> None:
    """Two deals at 0.5 and 0.8 in one year and one at 0.2 in the next: 0.5, in 3, 5 and 4 turns."""
    first = by_counterpart([score(session(75.0)), score(session(60.0, turns=5)), score(session(None))])
    second = by_counterpart([score(session(90.0, turns=4))])
    found = pooled([{"diagnostics": {"by_counterpart": year}} for year in (first, second)])
    candid = found["honest"]["candid"]
    assert (candid.sessions, candid.deals) == (4, 3)
    assert [candid.surplus, candid.turns] == pytest.approx([0.5, 4.0])
    assert found["fraudulent"]["vip_fee"] == Dealings(0, 0, None, None)


def test_walk_aways_are_told_by_who_ended_them(session: Build) -> None:
    walked = session(None)
    scores = [score(walked), score(walked), score(walked._replace(closed_by="SupplierReject")), score(session(60.0))]
    found = unfinished(scores, [])
    assert (found["ended_by_agent"], found["ended_by_supplier"]) == (2, 1)


def test_a_session_that_nobody_ended_is_listed_as_open_and_not_as_concluded(account: Account) -> None:
    desk, world = SupplierDesk(), account.world
    honest = next(s for s in world.suppliers if s.honest)
    cheat = next(s for s in world.suppliers if s.scam)
    for supplier in (honest, cheat):
        product = world.products_by_category[supplier.category][0]
        low = BargainAction("offer", product.sku, 0.2 * product.reference_price, 1)
        answer, _ = decide(desk.book, account.economy, supplier, low, day=3)
        assert answer.verdict == "Offer"
    assert desk.sessions == [] and desk.active_sessions == 2
    [left, right] = desk.open_pairs
    assert (left.supplier, left.day_opened, left.standing) == (honest, 3, left.kernel.supplier_prices[-1])
    found = unfinished([], [left, right])
    assert (found["abandoned_honest"], found["abandoned_fraudulent"]) == (1, 1)


def test_a_year_that_shipped_nothing_has_no_share_of_fast_freight() -> None:
    assert fast_share([]) is None
