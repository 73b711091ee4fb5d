"""Every formula of the paper's economy, by its label, with numbers worked out by hand and run by a settlement."""

from dataclasses import replace
from datetime import date
from math import e, sqrt
from types import MappingProxyType
from typing import Any

import pytest
from tests.market.days import last_demand, next_day

from ecbench.market.books import Enrolment, ReturnLayers
from ecbench.market.day_demand import ShelfDemand
from ecbench.market.draws import demand_rounding
from ecbench.market.economy import Economy
from ecbench.market.marketplace import open_marketplace
from ecbench.market.returns import units_back
from ecbench.market.sales import ship, take_pending
from ecbench.market.stock import list_units, receive, stock_of
from ecbench.market.storefronts import liquidate_store, open_store, rebuild_reputation
from ecbench.rules import Rules
from ecbench.world.fields import MonthDay
from ecbench.world.model import Elasticity, Event, World

THURSDAY, SATURDAY, SUNDAY, MONDAY = (date(2026, 2, day) for day in (5, 7, 8, 9))
POT, TIN, SEEDS, NOVEL = "a00000000001", "a00000000002", "a00000000003", "a00000000004"
ROOM = 1e18  # a capacity that nothing saturates
Shelf = dict[str, float]
"""The price of each SKU; 50 units of it are listed."""


class Shop:
    """A store whose sales of `day` have been settled; reputation and counters as they were in the evening."""

    def __init__(
        self, world: World, shelf: Shelf, *, day: date = THURSDAY, defective: float = 0.0, **store: Any
    ) -> None:
        self.account = open_marketplace(Economy(world, Rules()), days=365, stake=100_000.0).accounts[0]
        kind = world.category_by_name[world.product_by_sku[next(iter(shelf), POT)].category].store_type
        self.store = open_store(self.account, world.store_type_by_id[kind], "Shop")
        self.account.market.date = day
        for sku, price in shelf.items():
            stock = stock_of(self.account, world.product_by_sku[sku])
            for bad, units in ((False, round(50 * (1 - defective))), (True, round(50 * defective))):
                receive(self.account.books, stock, "N", units, 20.0, defective=bad, today=day.toordinal())
            list_units(self.store, stock, 50, price)
        for name, value in store.items():
            setattr(self.store, name, value)
        self.bank = self.account.books.purse.bank
        next_day(self.account)

    @property
    def demand(self) -> ShelfDemand:
        return last_demand(self.account, self.store)

    @property
    def spent(self) -> float:
        return self.bank - self.account.books.purse.bank


def roomy(world: World) -> World:
    return replace(world, store_types=tuple(replace(each, capacity=ROOM) for each in world.store_types))


def demanded(world: World, price: float = 100.0, **shop: Any) -> float:
    [claim] = Shop(roomy(world), {POT: price}, **shop).demand.claims
    return claim


def with_curve(world: World, family: Elasticity, eta: float) -> World:
    return replace(world, categories=tuple(replace(each, elasticity=family, eta=eta) for each in world.categories))


def test_eq_app_base_is_a_store_share_of_the_platform_day(world: World) -> None:
    """(300 + 900) / 2 units a month are 20 a day, a tenth for one store, times 3; half of it at a reputation of 0.5."""
    assert demanded(world) == pytest.approx(6.0 * 0.5)
    [novels] = Shop(roomy(world), {NOVEL: 40.0}).demand.claims
    assert novels == pytest.approx(4.0 * 0.5)


@pytest.mark.parametrize(
    ("family", "eta", "ratio", "phi"),
    [
        ("linear", 3.0, 1.2, 0.4),
        ("linear", 3.0, 0.9, 1.3),
        ("linear", 3.0, 1.5, 0.0),
        ("exponential", 2.5, 0.8, sqrt(e)),
        ("exponential", 2.5, 1.4, 1 / e),
        ("constant_elasticity", 2.0, 2.0, 0.25),
        ("constant_elasticity", 1.5, 0.25, 8.0),
        ("quadratic", 5.0, 1.2, 0.8),
        ("quadratic", 5.0, 0.8, 0.8),
        ("quadratic", 5.0, 2.0, 0.0),
    ],
)
def test_eq_app_elasticity_answers_the_price(
    world: World, family: Elasticity, eta: float, ratio: float, phi: float
) -> None:
    assert demanded(with_curve(world, family, eta), 100.0 * ratio) == pytest.approx(3.0 * phi)


def test_eq_demand_lifts_weekends_by_three_tenths(world: World) -> None:
    found = [demanded(world, day=day) for day in (THURSDAY, date(2026, 2, 6), SATURDAY, SUNDAY, MONDAY)]
    assert found == pytest.approx([3.0, 3.0, 3.9, 3.9, 3.0])


def test_eq_demand_takes_the_season_of_the_month(world: World) -> None:
    assert demanded(world, day=date(2026, 6, 30)) == pytest.approx(3.0)
    assert demanded(world, day=date(2026, 7, 1)) == pytest.approx(3.0 * 1.5)


def test_eq_demand_compounds_active_events(world: World) -> None:
    again = Event("Sleet", MonthDay(1, 12), 1, MappingProxyType({"garden": 0.8, "books": 3.0}), 1.0, None, "Sleet.")
    stormy = replace(world, events=(*world.events, again))
    found = [demanded(stormy, day=date(2026, 1, day)) for day in (9, 12, 13)]
    assert found == pytest.approx([3.0, 3.0 * 0.5 * 0.8, 3.0])


def test_eq_demand_grows_with_reputation(world: World) -> None:
    assert demanded(world, reputation=0.85) == pytest.approx(6.0 * 0.85)


@pytest.mark.parametrize(("discount", "traffic"), [(0.15, 1.75), (0.30, 2.5), (0.45, 2.5)])
def test_eq_demand_brings_a_promotions_traffic_and_sharpens_the_price(
    world: World, discount: float, traffic: float
) -> None:
    """Up to 2.5 times the traffic, all of it from a discount of 0.30 on; eta of 2 becomes 3.6."""
    enrolment = Enrolment(world.promotions[0], discount)
    found = demanded(world, day=date(2026, 3, 4), enrolment=enrolment)
    assert found == pytest.approx(3.0 * traffic * (1 + 3.6 * discount))
    assert demanded(world, day=date(2026, 3, 3), enrolment=enrolment) == pytest.approx(3.0)


@pytest.mark.parametrize("units", [0, 1, 50])
def test_eq_demand_holds_for_a_listing_with_units_down_to_the_last_one(world: World, units: int) -> None:
    shop = Shop(roomy(world), {POT: 100.0})
    [listing] = shop.store.shelf.values()
    listing.quantity = units
    next_day(shop.account)
    assert len(shop.demand.claims) == (units > 0)


@pytest.mark.parametrize(("categories", "chi"), [(1, 1.0), (2, 0.6), (3, 0.4), (4, 0.35), (9, 0.35)])
def test_eq_app_saturation_gives_a_category_its_share_of_the_store(world: World, categories: int, chi: float) -> None:
    """Three pots a day are in demand at a capacity of 100; nothing is cut if one category may have it all."""
    names = ("Pots", "Seeds", *"abcdefg")[:categories]
    garden = replace(world.store_types[0], categories=names)
    shop = Shop(replace(world, store_types=(garden, world.store_types[1])), {POT: 100.0})
    ceiling = 100 * chi
    claim = 3.0 if categories == 1 else 3.0 * ceiling / (ceiling + 3.0)
    assert shop.demand.claims == pytest.approx([claim])
    assert shop.demand.store_saturation == pytest.approx(100 / (100 + claim))


def test_eq_app_saturation_trims_each_category_and_then_the_store(world: World) -> None:
    """Pots: two SKUs of 3 a day under a ceiling of 60, seeds 3 a day under the same; then all under 100."""
    shop = Shop(world, {POT: 100.0, TIN: 50.0, SEEDS: 20.0})
    pots, seeds = 3 * 60 / 66, 3 * 60 / 63
    assert shop.demand.claims == pytest.approx([pots, pots, seeds])
    assert shop.demand.store_saturation == pytest.approx(100 / (100 + 2 * pots + seeds))


@pytest.mark.parametrize(("beside", "units"), [(1e-6, 3), (-1e-6, 2)])
def test_eq_app_round_sells_the_last_fraction_where_the_draw_falls_below_it(
    world: World, beside: float, units: int
) -> None:
    """A demand of 2 + u, and a little more or less. What saturates to d was d / (1 - d / capacity) before."""
    wanted = 2 + demand_rounding(7, POT, THURSDAY.isoformat())
    before_store = wanted / (1 - wanted / 100)
    before_category = before_store / (1 - before_store / 60)
    shop = Shop(world, {POT: 100.0}, reputation=(before_category + beside) / 6.0)
    assert [goods.quantity for goods in shop.store.sold_yesterday.goods] == [units]


@pytest.mark.parametrize(
    ("counters", "expected"),
    [
        ({}, 0.3 + 0.7 / (1 + e**2.5)),
        ({"shipped": 500}, 0.65),
        ({"shipped": 700}, 0.3 + 0.7 / (1 + 1 / e)),
        ({"shipped": 500, "recent_sold": 100.0, "recent_returned": 20.0}, 0.65 - 0.12),
        ({"shipped": 500, "recent_sold": 100.0, "recent_cancelled": 20.0}, 0.65 - 0.20),
        ({"shipped": 500, "recent_sold": 100.0, "recent_returned": 20.0, "recent_cancelled": 10.0}, 0.65 - 0.22),
        ({"shipped": 500, "recent_sold": 0.8, "recent_returned": 0.5}, 0.65 - 0.3),
        ({"shipped": 10_000, "recent_sold": 1.0, "recent_cancelled": 9.0}, 0.5),
        ({"shipped": 10_000, "recent_sold": 1.0, "recent_cancelled": 0.4}, 0.6),
        ({"recent_sold": 1.0, "recent_cancelled": 9.0}, 0.15),
    ],
)
def test_eq_app_reputation_is_goodwill_less_the_service_penalty(
    world: World, counters: dict[str, Any], expected: float
) -> None:
    store = Shop(world, {}, **counters).store
    assert store.reputation == pytest.approx(expected)
    for name in ("recent_sold", "recent_returned", "recent_cancelled"):
        assert getattr(store, name) == pytest.approx(0.85 * counters.get(name, 0.0))


def test_eq_app_reputation_never_exceeds_one(world: World) -> None:
    store = Shop(world, {}, shipped=10_000).store
    rebuild_reputation([store], Rules(goodwill_base=1.0, goodwill_span=1.0))
    assert store.reputation == 1.0


def sold_rates(world: World, price: float, defective: float, natural: float) -> ReturnLayers:
    pots = tuple(replace(each, return_rate=natural) for each in world.products)
    keen = replace(with_curve(world, "constant_elasticity", 1.0), products=pots)
    [goods] = Shop(keen, {POT: price}, defective=defective, reputation=1.0).store.sold_yesterday.goods
    return goods.rates


@pytest.mark.parametrize(
    ("natural", "share", "price", "blended", "priced"),
    [
        (0.10, 0.0, 100.0, 0.10, 0.10),
        (0.10, 0.5, 100.0, 0.25, 0.25),  # a defective one returns at 0.40 at least
        (0.30, 0.5, 100.0, 0.45, 0.45),  # or twice as often
        (0.60, 0.5, 100.0, 0.775, 0.775),  # and at 0.95 at most
        (0.10, 0.0, 50.0, 0.10, 0.085),
        (0.10, 0.0, 90.0, 0.10, 0.0925),
        (0.10, 0.0, 115.0, 0.10, 0.125),
        (0.10, 0.0, 155.0, 0.10, 0.185),
        (0.10, 0.0, 190.0, 0.10, 0.22),
        (0.60, 0.5, 130.0, 0.775, 1.1625),
    ],
)
def test_eq_app_returns_layers_defects_price_and_the_cap(
    world: World, natural: float, share: float, price: float, blended: float, priced: float
) -> None:
    layers = sold_rates(world, price, share, natural)
    assert layers == pytest.approx(ReturnLayers(natural, blended, priced, min(0.95, priced)))


@pytest.mark.parametrize(
    ("speed", "factor", "freight"), [("fast", 0.75, 1.0), ("standard", 1.0, 0.5), ("slow", 1.3, 0.25)]
)
def test_eq_app_returns_and_app_econ_costs_follow_the_speed(
    world: World, speed: str, factor: float, freight: float
) -> None:
    shop = Shop(world, {POT: 100.0}, reputation=1.0)
    bank = shop.account.books.purse.bank
    [parcel] = (sent := ship(shop.account, take_pending(shop.account.books), speed)).parcels
    assert (parcel.return_rate, parcel.unit_freight) == pytest.approx((0.1 * factor, freight))
    assert bank - shop.account.books.purse.bank == pytest.approx(freight * parcel.goods.quantity) == sent.freight


@pytest.mark.parametrize(
    ("size", "rate", "freight"),
    [("Small", 0.05, 0.5), ("Medium", 0.15, 1.5), ("Large", 0.5, 3.0), ("XLarge", 1.5, 6.0)],
)
def test_app_econ_costs_follow_the_size(world: World, size: Any, rate: float, freight: float) -> None:
    goods = replace(world, products=tuple(replace(each, size=size) for each in world.products))
    shop = Shop(goods, {POT: 100.0}, reputation=1.0)
    assert shop.spent == pytest.approx(60 + 50 * rate)  # a day of a third-tier store, and 50 units for a day
    [parcel] = ship(shop.account, take_pending(shop.account.books), "standard").parcels
    assert parcel.unit_freight == freight


@pytest.mark.parametrize(
    ("age", "step"), [(20, 1.0), (21, 1.4), (44, 1.4), (45, 2.2), (90, 4.0), (135, 6.0), (180, 9.0)]
)
def test_app_econ_costs_of_storage_rise_with_age(world: World, age: int, step: float) -> None:
    account = Shop(world, {POT: 1e9}).account  # nobody buys
    for _ in range(age - 1):
        next_day(account)
    assert account.books.days[-1].storage == pytest.approx(50 * 0.05 * step)


@pytest.mark.parametrize(("tier", "cost"), [(1, 130), (2, 100), (3, 60)])
def test_app_econ_costs_of_a_store_follow_its_tier(world: World, tier: int, cost: float) -> None:
    tiers = replace(world, store_types=tuple(replace(each, tier=tier) for each in world.store_types))
    shop = Shop(tiers, {})
    assert (shop.spent, 100_000 - shop.bank) == (cost, 500)  # 500 opened it


def test_app_econ_costs_keep_two_percent_of_what_a_customer_pays(world: World) -> None:
    shop = Shop(world, {POT: 100.0}, day=date(2026, 3, 4), enrolment=Enrolment(world.promotions[0], 0.25))
    [goods] = shop.store.sold_yesterday.goods
    assert (goods.unit_price, goods.gross, goods.net) == pytest.approx((75, 75 * goods.quantity, 73.5 * goods.quantity))


def test_app_econ_costs_give_back_a_tenth_of_what_liquidated_stock_cost(world: World) -> None:
    shop = Shop(world, {POT: 1e9})
    bank = shop.account.books.purse.bank
    liquidate_store(shop.account, shop.store)
    assert shop.account.books.purse.bank - bank == pytest.approx(0.1 * 20.0 * 50)
    assert (shop.account.books.stock[POT].liquidated, shop.account.books.units) == (50, 0)


def test_sec_econ_settlement_holds_net_revenue_for_nine_days(world: World) -> None:
    shop = Shop(replace(world, products=tuple(replace(each, return_rate=0.0) for each in world.products)), {POT: 100.0})
    revenue = ship(shop.account, take_pending(shop.account.books), "standard").revenue
    purse = shop.account.books.purse
    for _ in range(8):
        next_day(shop.account)
        assert (purse.wallet, purse.escrow) == pytest.approx((0.0, revenue))
    next_day(shop.account)
    assert (purse.wallet, purse.escrow) == pytest.approx((revenue, 0.0))


@pytest.mark.parametrize(("rate", "units"), [(0.1, 0), (0.15, 1), (0.3, 2), (0.5, 3)])
def test_app_econ_returns_sends_back_the_units_whose_draw_is_below_the_rate(rate: float, units: int) -> None:
    assert units_back((0.1, 4, (0.2, 0.4)), rate) == units
