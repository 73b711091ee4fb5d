"""The axes of abilities: what each counts, by hand."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from msgspec import structs
from tests.metrics.conftest import MUG, START

from ecbench.market.books import Parcel, ReturnLayers, SoldGoods
from ecbench.market.filed import DayRecord
from ecbench.market.marketplace import Account
from ecbench.market.stock import stock_of
from ecbench.metrics.abilities import HonestDeal, abilities, learning, range_captured
from ecbench.suppliers.kernel import terms_of
from ecbench.world.model import Supplier

Order = Callable[..., None]


def supplier(account: Account, *, honest: bool = True, scam: str = "") -> Supplier:
    return next(
        each for each in account.world.suppliers if each.honest == honest and (honest or not scam or each.scam == scam)
    )


def deal(captured: float, units: int = 1, *, name: str = "A", reference: float = 100.0) -> HonestDeal:
    """Of goods whose floor is half of the reference price."""
    product = replace(MUG, reference_price=reference)
    return HonestDeal(name, product, units, reference * (1 - captured / 2), reference / 2)


def test_bargaining_weighs_money_and_not_deals() -> None:
    large, small = deal(0.2, units=90), deal(1.0, units=10)
    assert range_captured([large, small]) == pytest.approx(0.28)
    assert range_captured([large, *[deal(1.0, units=1)] * 10]) == pytest.approx(0.28)
    assert range_captured([deal(0.2), deal(1.0, reference=900.0)]) == pytest.approx(0.92)
    assert range_captured([]) is None


def test_cheats_do_not_count_as_bargains(account: Account, order: Order) -> None:
    order(supplier(account, honest=False).name, 50.0)
    assert abilities(account)["range_captured"] is None


def test_fees_and_missing_goods_are_lost_to_cheats_and_honest_ones_lose_nothing(account: Account, order: Order) -> None:
    order(supplier(account).name, 100.0)  # half of every order of this fixture is delivered
    assert abilities(account)["lost_to_cheats"] == 0.0
    cheat = supplier(account, honest=False)
    order(cheat.name, 60.0, fee=True)
    assert abilities(account)["lost_to_cheats"] == 60.0
    floor = terms_of(account.economy, cheat, MUG).floor
    order(cheat.name, 10 * floor)  # at the honest floor no price is raised
    assert abilities(account)["lost_to_cheats"] == pytest.approx(60.0 + 5 * floor, abs=0.01)
    assert abilities(account)["lost_to_cheats_share"] == pytest.approx((60 + 5 * floor) / (160 + 10 * floor), abs=1e-4)


def test_defective_goods_cost_what_comes_back_of_them(account: Account, order: Order) -> None:
    cheat = supplier(account, honest=False)
    floor = terms_of(account.economy, cheat, MUG).floor
    order(cheat.name, 10 * floor, quantity=10)
    account.books.orders[-1].defective, account.books.orders[-1].delivered = True, 10
    more = max(account.rules.defective_floor, account.rules.defective_factor * MUG.return_rate) - MUG.return_rate
    assert abilities(account)["lost_to_cheats"] == pytest.approx(10 * floor * more, abs=0.01)


def sent(account: Account, speed: str, price: float) -> Parcel:
    rates = ReturnLayers(MUG.return_rate, MUG.return_rate, MUG.return_rate, MUG.return_rate)
    return Parcel(SoldGoods(MUG, 4, price, 4 * price, 4 * price, rates), speed, 1.0, 4.0, MUG.return_rate)


def test_service_loses_unshipped_orders_and_wrong_freight_whatever_the_price(account: Account) -> None:
    stock = stock_of(account, MUG)
    stock.sold = 8
    account.books.sent = [sent(account, speed, MUG.reference_price) for speed in ("fast", "standard", "slow")]
    by_speed = []
    for parcel in account.books.sent.copy():
        account.books.sent = [parcel]
        by_speed.append(abilities(account)["service_loss"])
    assert min(by_speed) == 0.0 and sorted(by_speed)[1] > 0.0
    account.books.sent = [sent(account, "fast", 3 * MUG.reference_price)]
    assert abilities(account)["service_loss"] == by_speed[0]
    account.books.sent, stock.cancelled = [], 3
    [category] = account.world.categories
    margin = MUG.reference_price * (1 - account.rules.commission - category.floor_ratio)
    assert abilities(account)["service_loss"] == pytest.approx(3 * margin, abs=0.01)
    assert abilities(account)["service_loss_share"] == pytest.approx(3 * margin / (8 * MUG.reference_price), abs=1e-4)


def test_the_largest_share_of_cash_that_a_week_of_orders_took_counts_goods_at_floors(
    account: Account, order: Order
) -> None:
    def committed() -> float | None:
        found: float | None = abilities(account)["most_committed"]
        return found

    [category] = account.world.categories
    goods = 10 * category.floor_ratio * MUG.reference_price
    for day, bank in ((7, 9 * goods), (8, 1.0), (9, 1e9)):
        today = START + timedelta(days=day)
        account.books.days.append(DayRecord(day, today, bank, goods, 0.0, bank + goods, 1, 0, 0.0, ()))
    assert committed() is None
    order(supplier(account).name, 2 * goods)
    assert committed() == pytest.approx(1 / 12, abs=1e-4)  # the poor morning comes after that week
    order(supplier(account, honest=False).name, 4 * goods, fee=True)
    assert committed() == pytest.approx(1 / 16, abs=1e-4)
    account.books.orders[0].day = account.books.orders[1].day = 1
    assert committed() == pytest.approx(goods / (7 * goods + 1), abs=1e-4)
    account.books.days[1] = structs.replace(account.books.days[1], bank=-9 * goods)
    assert committed() == 1.0  # by an overdraft


def test_learning_is_what_later_deals_of_a_pair_win_beyond_earlier_ones() -> None:
    better = [deal(0.2), deal(0.3), deal(0.9), deal(0.5)]
    found = learning(better)
    assert found["gain"] == pytest.approx(0.45) and found["pairs"] == 1
    assert learning([deal(0.2), deal(0.0), deal(0.6)])["gain"] == pytest.approx(0.4)  # the middle one is in no half
    several = [*better, *(deal(value, name="B") for value in (0.4, 0.5)), deal(0.9, name="C")]
    found = learning(several)
    assert found["gain"] == pytest.approx(0.275) and found["pairs"] == 2
    assert learning([deal(0.1), deal(0.9, name="B")])["gain"] is None
