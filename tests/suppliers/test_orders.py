"""Orders after agreements: gates, floors, what scams do to a delivery, and a supplier's last order."""

from collections.abc import Container

import pytest
from tests.suppliers.conftest import Talk, offer

from ecbench.market.marketplace import Account
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.records import MEMBERSHIP_FEE

PAY = "I agree to pay the membership fee now. Please charge it."


def test_orders_are_placed_in_order_against_what_the_one_before_left(talk: Talk, account: Account) -> None:
    account.books.purse.bank = 25_000.0
    exchange = talk("candid", offer(1_000.0, 20), offer(1_000.0, 20, "bbb222"), offer(2_500.0, 2))
    assert [o.placed for o in exchange.orders] == [True, False, True]
    assert account.books.purse.bank == 0


@pytest.mark.parametrize(
    ("kind", "delivered", "defective"),
    [
        ("qty_bait", range(30, 35), False),
        ("quality_downgrade", {50}, True),
        ("candid", {50}, False),
        ("future_discount", {50}, False),
        ("fake_urgency", {50}, False),
    ],
)
def test_a_supplier_delivers_as_its_kind_does_what_was_paid_in_full(
    talk: Talk, account: Account, kind: str, delivered: Container[int], defective: bool
) -> None:
    talk(kind, offer(1_000.0, 50))
    (order,) = account.books.orders
    assert order.charged == 50_000
    assert order.delivered in delivered and order.defective is defective


def test_a_membership_supplier_refuses_goods_until_its_fee_is_paid(
    talk: Talk, account: Account, desk: SupplierDesk
) -> None:
    refused = talk("vip_fee", offer(1_000.0, 1)).orders[0].refusal
    assert refused is not None and "Premium Membership" in refused and "1,000" in refused
    assert desk.active_sessions == 1
    exchange = talk("vip_fee", offer(1_000.0, 1), prose=PAY)
    assert [(o.sku, o.placed) for o in exchange.orders] == [(MEMBERSHIP_FEE, True), ("aaa111", True)]
    assert account.books.purse.bank == 98_000
    assert [o.product is None for o in account.books.orders] == [True, False]


def test_a_first_message_is_never_charged_a_fee_and_no_message_twice(talk: Talk, account: Account) -> None:
    assert talk("vip_fee", prose=PAY).orders == []
    assert [o.placed for o in talk("vip_fee", prose=PAY).orders] == [True]
    assert talk("vip_fee", prose=PAY).orders == []
    assert account.books.purse.bank == 99_000


def test_a_fee_that_the_bank_does_not_cover_fails_and_may_be_paid_later(talk: Talk, account: Account) -> None:
    account.books.purse.bank = 999.0
    talk("vip_fee")
    (fee,) = talk("vip_fee", prose=PAY).orders
    assert (fee.sku, fee.placed) == (MEMBERSHIP_FEE, False)
    account.books.purse.bank = 1_000.0
    assert talk("vip_fee", prose=PAY).orders[0].placed


def test_a_fee_is_taken_before_the_goods_and_counts_with_them_as_one_order(
    talk: Talk, account: Account, desk: SupplierDesk
) -> None:
    talk("vip_fee")
    account.books.purse.bank = 1_999.0
    exchange = talk("vip_fee", offer(1_000.0, 1), prose=PAY)
    assert [(o.sku, o.placed) for o in exchange.orders] == [(MEMBERSHIP_FEE, True), ("aaa111", False)]
    account.books.purse.bank = 5_000.0
    assert talk("vip_fee", offer(1_000.0, 1), offer(1_000.0, 1, "bbb222")).orders[1].placed
    assert desk.orders == {"Gum Traders": 2}


def test_goods_stay_refused_when_the_fee_of_their_message_fails(talk: Talk, account: Account) -> None:
    talk("vip_fee")
    account.books.purse.bank = 999.0
    exchange = talk("vip_fee", offer(500.0, 1), prose=PAY)
    assert [(o.sku, o.placed) for o in exchange.orders] == [(MEMBERSHIP_FEE, False), ("aaa111", False)]
    assert account.books.purse.bank == 999.0


def test_only_membership_suppliers_ever_take_a_fee(talk: Talk, account: Account) -> None:
    for kind in ("candid", "fake_urgency", "qty_bait"):
        talk(kind)
        assert talk(kind, prose=PAY).orders == []
    assert account.books.purse.bank == 100_000


def test_each_message_with_an_order_counts_once_toward_the_limit(talk: Talk, desk: SupplierDesk) -> None:
    talk("candid", offer(1_000.0, 1), offer(1_000.0, 1, "bbb222"))
    talk("candid", offer(1.0, 1))
    talk("candid", offer(1_000.0, 0))
    assert desk.orders == {"Birch Traders": 1}


def test_a_supplier_closes_for_good_at_its_limit(talk: Talk, desk: SupplierDesk, account: Account) -> None:
    for _ in range(3):
        assert not talk("candid", offer(1_000.0, 1)).closed
    assert account.closed_suppliers == {"Birch Traders"}
    bank = account.books.purse.bank
    exchange = talk("candid", offer(1_000.0, 1))
    assert exchange.closed and exchange.answers == [] and exchange.orders == []
    assert "Birch Traders" in exchange.reply
    assert account.books.purse.bank == bank
