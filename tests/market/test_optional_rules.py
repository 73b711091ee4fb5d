"""Rules that the paper's set leaves off: each by itself, on a marketplace small enough to follow by hand."""

import json
from dataclasses import replace
from datetime import date, timedelta
from math import log
from typing import Any

import numpy as np
import pytest
from tests.market.days import last_demand, next_day

import ecbench
from ecbench.market.best_shelf import price_curves, responses
from ecbench.market.books import Enrolment, Store
from ecbench.market.day_demand import raw_demand
from ecbench.market.demand import NO_OFFER, PRICE_CURVES, curve_response
from ecbench.market.draws import demand_rounding, draw_key
from ecbench.market.economy import Economy
from ecbench.market.ledger import SALVAGE
from ecbench.market.marketplace import Account, open_marketplace
from ecbench.market.purchasing import buy
from ecbench.market.returns import price_curve, return_trials
from ecbench.market.settlement import finalize
from ecbench.market.stock import delist_units, list_units, receive, reprice, stock_of
from ecbench.market.storefronts import liquidate_store, open_store
from ecbench.players.merchants.protocol import call
from ecbench.rules import DEFAULT_RULES, Rules, rule_set
from ecbench.world.model import World

POT = "a00000000001"
KNEES = DEFAULT_RULES.price_return_knees


def trading(world: World, rules: Rules, units: int = 50, price: float = 100.0, cost: float = 40.0) -> Account:
    """A garden store with clay pots, whose reference price is 100 and whose category's floor 50."""
    account = open_marketplace(Economy(world, rules), days=365, stake=100_000.0).accounts[0]
    store = open_store(account, world.store_types[0], "Garden")
    stock = stock_of(account, world.products[0])
    receive(account.books, stock, "North Pots", units, cost, defective=False, today=account.market.date.toordinal())
    list_units(store, stock, units, price)
    return account


def store_of(account: Account) -> Store:
    return account.books.trading[0]


# Draws


def test_secret_draws_depend_on_seed_and_salt_and_not_on_names_alone(world: World) -> None:
    hidden = Rules(secret_draws=1)
    keys = [
        draw_key(changed, hidden)
        for changed in (world, replace(world, seed=8), replace(world, salt="00ff" * 4), replace(world, salt="0f" * 8))
    ]
    roundings = {demand_rounding(key, POT, "2026-02-05") for key in [world.seed, *keys]}
    trials = {return_trials(key, "fast", 1, 3, (3, 7)) for key in [world.seed, *keys]}
    assert len(roundings) == len(trials) == 5
    assert draw_key(replace(world, salt="00ff" * 4), DEFAULT_RULES) == world.seed


def test_secret_draws_are_as_even_as_the_papers(world: World) -> None:
    key = draw_key(world, Rules(secret_draws=1))
    drawn = np.sort([demand_rounding(key, POT, str(day)) for day in range(4_000)])
    assert np.abs(drawn - np.linspace(0, 1, len(drawn))).max() < 1.63 / len(drawn) ** 0.5  # Kolmogorov-Smirnov, 1%


def test_an_orders_lead_time_is_its_own_whatever_was_drawn_before(world: World) -> None:
    def lead_times(rules: Rules, draws_before: int) -> list[int]:
        account = open_marketplace(Economy(world, rules), days=365, stake=1e6).accounts[0]
        [account.rng.random() for _ in range(draws_before)]
        pot = world.products[0]
        return [buy(account, supplier="S", product=pot, quantity=1, unit_price=1.0).arrives for _ in range(20)]

    assert lead_times(Rules(secret_draws=1), 0) == lead_times(Rules(secret_draws=1), 3)
    assert len(set(lead_times(Rules(secret_draws=1), 0))) > 10
    assert lead_times(Rules(), 0) != lead_times(Rules(), 3)


def test_a_salt_counts_in_the_id_of_its_world_alone(world: World) -> None:
    salted = replace(world, salt="00ff" * 4)
    assert salted.id != world.id and replace(salted, salt="").id == world.id
    assert "00ff" not in repr(salted)


# Costs and money


def test_a_listing_with_units_costs_its_fee_every_day(world: World) -> None:
    account = trading(world, Rules(listing_fee=5.0), units=50, price=1e6)
    list_units(store_of(account), stock_of(account, world.products[1]), 0, 80.0)  # without units
    before = account.books.purse.bank
    next_day(account)
    assert before - account.books.purse.bank == pytest.approx(60.0 + 5.0 + 50 * 0.05)
    assert store_of(account).operating == 65.0


@pytest.mark.parametrize(("cost", "worth"), [(40.0, 40.0), (100.0, 100.0), (1e9, 100.0)])
def test_salvage_counts_no_cost_beyond_the_reference_price(world: World, cost: float, worth: float) -> None:
    account = trading(world, Rules(salvage_cap=1.0), cost=cost)
    sold = liquidate_store(account, store_of(account))
    assert sold[POT].proceeds == pytest.approx(0.1 * worth * 50)


def test_closing_stock_pays_a_share_of_the_floor_for_every_unit_held_or_coming(world: World) -> None:
    account = trading(world, Rules(closing_stock_share=0.5))
    delist_units(store_of(account), account.books.stock[POT], 20)
    buy(account, supplier="S", product=world.products[0], quantity=7, unit_price=50.0)
    before = account.books.purse.total
    finalize(account, "year_end")
    assert account.books.closing_stock == pytest.approx(0.5 * 50.0 * (50 + 7)) == account.books.purse.totals[SALVAGE]
    assert account.books.purse.total - before == pytest.approx(account.books.closing_stock)
    finalize(account, "year_end")
    assert account.books.purse.total - before == pytest.approx(account.books.closing_stock)


# Prices


@pytest.mark.parametrize("family", PRICE_CURVES)
def test_demand_is_flat_below_the_lowest_ratio_and_nothing_above_the_ceiling(family: Any) -> None:
    rules = Rules(lowest_price_ratio=0.5, price_ceiling=5.0)
    ratios = np.array([0.01, 0.4, 0.5, 0.8, 1.0, 1.5, 5.0, 5.000001, 900.0])
    found = [curve_response(family, 1.3, ratio, rules) for ratio in ratios]
    assert found[0] == found[1] == found[2] == curve_response(family, 1.3, 0.5)
    assert found[3:7] == [curve_response(family, 1.3, ratio) for ratio in ratios[3:7]]
    assert found[7:] == [0.0, 0.0]
    assert responses(family, 1.3, ratios, rules) == pytest.approx(found)


def test_nothing_sells_above_the_ceiling_that_sold_just_below(world: World) -> None:
    elastic = tuple(replace(category, elasticity="constant_elasticity", eta=0.1) for category in world.categories)
    sold = {}
    for price in (500.0, 500.01):
        account = trading(replace(world, categories=elastic), Rules(price_ceiling=5.0), price=price)
        next_day(account)
        sold[price] = account.books.stock[POT].sold
    assert sold[500.0] > 0 and sold[500.01] == 0


def test_returns_rise_with_the_price_beyond_the_last_step() -> None:
    (*_, (last, highest)) = KNEES
    assert price_curve(last + 2.0, KNEES, 1.4) == pytest.approx(highest + 2.8)
    assert price_curve(last + 2.0, KNEES, 0.0) == highest
    ratios = np.array([0.1, 0.9, 1.5, last, 4.0])
    expected = [price_curve(ratio, KNEES, 1.4) for ratio in ratios]
    assert price_curves(ratios, Rules(price_return_slope=1.4)) == pytest.approx(expected)


# Promotions


def charged_in_the_promotion(world: World, rules: Rules, raised: int, *, relist: bool = False) -> float:
    """What a pot is sold at in a promotion with 20% off, if its price rose from 100 to 110 so many days before."""
    start = date(2026, 3, 4)
    account = trading(replace(world, start=start - timedelta(days=40)), rules, units=5_000)
    store = store_of(account)
    while account.market.date < start:
        if (start - account.market.date).days == raised:
            if relist:
                stock = account.books.stock[POT]
                delist_units(store, stock, store.shelf[POT].quantity)
                list_units(store, stock, stock.free, 110.0)
            reprice(store.shelf[POT], 110.0)
        next_day(account)
    store.enrolment = Enrolment(account.world.promotions[0], 0.2)
    next_day(account)
    return store.sold_yesterday.goods[0].unit_price


@pytest.mark.parametrize("relist", [False, True])
def test_a_price_that_was_raised_for_a_promotion_gives_its_discount_off_the_old_one(
    world: World, *, relist: bool
) -> None:
    remembers = Rules(promotion_memory_days=30)
    assert charged_in_the_promotion(world, Rules(), 3) == pytest.approx(0.8 * 110)
    assert charged_in_the_promotion(world, remembers, 3, relist=relist) == pytest.approx(0.8 * 100)
    assert charged_in_the_promotion(world, remembers, 29, relist=relist) == pytest.approx(0.8 * 100)
    assert charged_in_the_promotion(world, remembers, 30, relist=relist) == pytest.approx(0.8 * 110)


def test_the_price_of_a_day_without_a_promotion_is_the_one_that_was_set(world: World) -> None:
    account = trading(world, Rules(promotion_memory_days=30), units=500)
    next_day(account)
    reprice(store_of(account).shelf[POT], 120.0)
    next_day(account)
    assert {goods.unit_price for goods in store_of(account).sold_yesterday.goods} == {120.0}


# Drift


def test_as_many_categories_of_each_store_type_drift_up_and_down_within_the_size() -> None:
    world = ecbench.load_world("default")
    rules = Rules(drift_categories=3, drift_size=0.6, secret_draws=1)
    economy = Economy(world, rules)
    first, last = world.start, world.start + timedelta(days=world.days)
    for store_type in world.store_types:
        own = [world.category_by_name[name] for name in store_type.categories]
        assert {economy.drift_factor(category, first) for category in own} == {1.0}
        changes = [log(economy.drift_factor(category, last)) for category in own]
        moved = [change for change in changes if change]
        assert len(moved) == min(3, len(own))
        assert all(0.3 <= abs(change) <= 0.6 for change in moved)
        assert len(moved) < 2 or min(moved) < 0 < max(moved)
    elsewhere = Economy(replace(world, salt="00ff" * 4), rules)
    assert any(economy.drift_factor(c, last) != elsewhere.drift_factor(c, last) for c in world.categories)


@pytest.mark.parametrize("days", [1, 364])
def test_drift_multiplies_the_wishes_of_its_category(world: World, days: int) -> None:
    undrifted = {}
    for size in (0.0, 0.6):
        rules = Rules(drift_categories=9, drift_size=size)
        account = trading(world, rules, units=10**6)
        account.books.purse.bank = 1e12  # a year's storage of them is paid
        for _ in range(days - 1):
            store_of(account).reputation = 0.5
            next_day(account)
        store_of(account).reputation = 0.5
        next_day(account)
        day = account.market.date - timedelta(days=1)
        factor = account.economy.drift_factor(world.categories[0], day)
        assert (factor != 1.0) == (size > 0.0 and days == 364)
        served = account.economy.capacities["garden"].category or 0.0
        claim = last_demand(account, store_of(account)).claims[0]
        undrifted[size] = claim / (1.0 - claim / served) / factor
    assert undrifted[0.6] == pytest.approx(undrifted[0.0])


def test_a_category_that_does_not_drift_keeps_its_demand(world: World) -> None:
    rules, day = Rules(drift_categories=1, drift_size=0.6), world.start + timedelta(days=world.days)
    account = trading(world, rules)
    seeds = stock_of(account, next(each for each in world.products if each.category == "Seeds"))
    receive(account.books, seeds, "N", 50, 1.0, defective=False, today=account.market.date.toordinal())
    list_units(store_of(account), seeds, 50, 20.0)
    drifted, steady = (
        raw_demand(store_of(account), NO_OFFER, day, economy)
        for economy in (account.economy, Economy(world, replace(rules, drift_size=0.0)))
    )
    factors = [account.economy.drift_factor(world.category_by_name[name], day) for name in ("Pots", "Seeds")]
    assert sum(factor == 1.0 for factor in factors) == 1
    expected = [demand * factor for demand, factor in zip(steady.raw_demand, factors, strict=True)]
    assert drifted.raw_demand == drifted.category_demand == pytest.approx(expected)


# Limited listings


def test_only_so_many_products_are_listed_in_all_stores_together() -> None:
    year = ecbench.Episode(ecbench.load_world("default"), days=9, rules=Rules(most_listings=2))
    account, today = year.account, year.account.market.date.toordinal()
    kinds = account.world.store_types[:2]
    for kind in kinds:
        open_store(account, kind, kind.name)
    goods = [account.world.products_by_category[kind.categories[0]][:2] for kind in kinds]
    for product in [each for pair in goods for each in pair]:
        receive(account.books, stock_of(account, product), "N", 9, 1.0, defective=False, today=today)

    def publish(number: int, sku: str) -> dict[str, Any]:
        row = {"product_id": sku, "quantity": 3, "retail_price": 10.0}
        [reply] = year.act([call("publish_to_store", store_id=f"store_00{number + 1}", plan=[row])])
        return dict(json.loads(reply)["results"][0])

    first, second, third = goods[0][0].sku, goods[1][0].sku, goods[1][1].sku
    assert publish(0, first)["success"] and publish(1, second)["success"]
    assert publish(0, first)["success"], "more units of a listed product need no other listing"
    refused = publish(1, third)
    assert not refused["success"] and "at most 2 products may be listed at once in all your stores" in refused["error"]
    taken_off = {"product_id": second, "quantity": 3}
    year.act([call("return_to_warehouse", store_id="store_002", items=[taken_off])])
    assert publish(1, third)["success"]


# The end of the year


@pytest.mark.parametrize("refuse", [0, 1])
def test_calls_behind_the_end_of_the_year_act_only_where_the_rules_let_them(refuse: int) -> None:
    year = ecbench.Episode(ecbench.load_world("default"), days=1, rules=Rules(refuse_after_end=refuse))
    calls = [call("market_search") for _ in range(25)] + [call("open_store", store_type="pet", store_name="Late")]
    replies = year.act(calls)
    assert year.done
    assert len(year.account.books.stores) == 1 - refuse
    assert ("the year is over" in replies[-1]) == bool(refuse)


def test_the_fair_set_has_all_of_these_rules_on() -> None:
    fair = rule_set("fair").values()
    names = (
        *("secret_draws", "listing_fee", "salvage_cap", "closing_stock_share", "lowest_price_ratio", "price_ceiling"),
        *("price_return_slope", "promotion_memory_days", "drift_categories", "drift_size", "refuse_after_end"),
        "most_listings",
    )
    assert [name for name in names if fair[name] == getattr(DEFAULT_RULES, name)] == []
