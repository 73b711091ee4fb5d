"""The edges of every range together: whatever world and rules are accepted, no call raises and all money is finite."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from datetime import date
from math import isfinite, nextafter
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.test_invariants import strict_json

import ecbench
from ecbench.arena import Arena
from ecbench.metrics.losses.account import PlayLog
from ecbench.metrics.losses.prices import judge_prices
from ecbench.metrics.losses.shelves import losses_of, watch_shelves
from ecbench.players.merchants.protocol import call
from ecbench.ranges import STAKE, Range
from ecbench.rules import STEEPEST_GOODWILL, Rules
from ecbench.suppliers.grammar import LARGEST_PRICE, LARGEST_QUANTITY
from ecbench.world import fields as kinds
from ecbench.world.fields import MonthDay
from ecbench.world.model import Category, Elasticity, Event, Product, Promotion, StoreType, World
from ecbench.world.save import save_world
from ecbench.world.world_folder import MOST_TABLES

ROUNDS = 14
SPEEDS = ("fast", "standard", "slow")
STARTS = (date(1900, 1, 1), date(2026, 2, 25), date(2200, 12, 20))
PRICES = (5e-324, 0.01, 1.0, 30.0, 1e12, LARGEST_PRICE)
AGREEING = (
    *("opening_hour", "closing_hour", "min_discount", "max_discount", "goodwill_midpoint", "goodwill_scale"),
    *("closing_stock_share", "floor_spread"),
)
Pick = Callable[[Range], Any]


def edges(range_: Range) -> st.SearchStrategy[Any]:
    """Both ends of a range, what comes next to them, and something of the usual size between."""
    least, most = lowest(range_), range_.most
    if range_.whole:
        return st.sampled_from([least, int(least) + 1, int(most)]) | st.integers(int(least), int(most))
    usual = st.floats(max(least, 0.01), min(most, 10.0))
    return st.sampled_from([least, nextafter(least, most), highest(range_), nextafter(most, least)]) | usual


def lowest(range_: Range) -> Any:
    return nextafter(range_.least, range_.most) if range_.above else range_.least


def highest(range_: Range) -> Any:
    return range_.most


def in_order(pick: Pick, range_: Range) -> tuple[Any, ...]:
    return tuple(sorted([pick(range_), pick(range_)]))


def rules_at(pick: Pick) -> dict[str, Any]:
    """Every rule as picked; those that must agree with another are made to."""
    chosen: dict[str, Any] = {}
    for each in fields(Rules):
        default, ranges = each.metadata["default"], each.metadata["ranges"]
        if isinstance(ranges, tuple):
            first, second = ranges
            starts = sorted({0, pick(first), pick(first)})
            chosen[each.name] = [(start, pick(second)) for start in starts]
        elif isinstance(default, dict):
            chosen[each.name] = {key: pick(ranges) for key in default}
        else:
            chosen[each.name] = in_order(pick, ranges) if isinstance(default, tuple) else pick(ranges)
    chosen["closing_hour"] = max(chosen["closing_hour"], chosen["opening_hour"] + 1)
    chosen["min_discount"], chosen["max_discount"] = sorted([chosen["min_discount"], chosen["max_discount"]])
    least, spread = chosen["short_delivery"]
    chosen["short_delivery"] = (least, min(spread, 1 - least))
    chosen["goodwill_midpoint"] = min(chosen["goodwill_midpoint"], STEEPEST_GOODWILL * chosen["goodwill_scale"])
    chosen["closing_stock_share"] = min(chosen["closing_stock_share"], 1 - chosen["floor_spread"])
    return chosen


def world_at(world: World, pick: Pick, elasticity: Elasticity, start: date) -> World:
    """The little world with the figures of all its rows as picked, and as many events as a world may have."""
    event, most_events = event_at(pick), MOST_TABLES["events"]
    return replace(
        world,
        seed=pick(kinds.SEED),
        start=start,
        store_types=tuple(store_type_at(each, pick) for each in world.store_types),
        categories=tuple(category_at(each, pick, elasticity) for each in world.categories),
        products=tuple(product_at(each, pick) for each in world.products),
        suppliers=tuple(replace(each, order_limit=pick(kinds.ORDERS)) for each in world.suppliers),
        events=(event_at(pick), *[replace(event) for _ in range(most_events - 1)]),
        promotions=(promotion_at("One", pick), promotion_at("Two", pick)),
    )


def store_type_at(store_type: StoreType, pick: Pick) -> StoreType:
    return replace(
        store_type,
        capacity=pick(kinds.CAPACITY),
        demand_scale=pick(kinds.DEMAND_SCALE),
        seasonality=(pick(kinds.SEASON),) * kinds.MONTHS,
    )


def category_at(category: Category, pick: Pick, elasticity: Elasticity) -> Category:
    sales_min, sales_max = in_order(pick, kinds.MONTHLY_SALES)
    floor_ratio, wholesale_ratio = in_order(pick, kinds.RATIO)
    return replace(
        category,
        sales_min=sales_min,
        sales_max=sales_max,
        elasticity=elasticity,
        eta=pick(kinds.ETA),
        floor_ratio=floor_ratio,
        wholesale_ratio=wholesale_ratio,
        scam_cap_ratio=pick(kinds.RATIO),
    )


def product_at(product: Product, pick: Pick) -> Product:
    price = max(0.01, round(pick(Range(0.01, 500)), 2))  # dearer ones would not be bought
    return replace(product, reference_price=price, return_rate=pick(kinds.SHARE))


def event_at(pick: Pick) -> Event:
    demand = {store_type: pick(kinds.EVENT_DEMAND) for store_type in ("tea", "pots")}
    return Event("Flood", MonthDay(2, 26), pick(kinds.EVENT_DAYS), demand, pick(kinds.DELAY), None, "Water.")


def promotion_at(name: str, pick: Pick) -> Promotion:
    windows = ((MonthDay(2, 26), MonthDay(2, 29)), (MonthDay(3, 1), MonthDay(4, 9)), (MonthDay(12, 24), MonthDay(1, 3)))
    return Promotion(name, windows, pick(kinds.PROMOTION_DEMAND), pick(kinds.BOOST))


def some_trade(episode: ecbench.Episode, prices: Sequence[float], discount: float) -> Iterator[list[dict[str, Any]]]:
    """Buys, lists, enrols, ships, closes and looks at everything, at the prices given in turn."""
    world, books = episode.world, episode.account.books
    yield [call("market_search"), *(call("market_search", category=c.name) for c in world.categories)]
    for number in range(ROUNDS):
        price, most = prices[number % len(prices)], LARGEST_QUANTITY if number > ROUNDS // 2 else 1_000
        yield [call("open_store", store_type=each.id, store_name=each.name) for each in world.store_types]
        for supplier in world.suppliers:
            bids = [
                {"action": "offer", "sku_id": product.sku, "price": bid, "quantity": quantity}
                for product in world.products_by_category[supplier.category]
                for bid, quantity in ((product.reference_price, 50), (price, most), (-price, 3))
            ]
            content = f"Yes, charge me the membership fee now.\n```negotiate\n{json.dumps(bids)}\n```"
            yield [call("chatbox", uid=supplier.email, content=content, history_count=2)]
        for store in list(books.trading):
            plan = [
                {"product_id": product.sku, "quantity": quantity, "retail_price": asked}
                for product in world.products
                for quantity, asked in ((20, product.reference_price), (20, price), (2**50, price))
            ]
            promotion = world.promotions[number % len(world.promotions)].name
            yield [
                call("publish_to_store", store_id=store.id, plan=plan),
                call("join_promotion", store_id=store.id, event_name=promotion, discount_rate=discount),
                call("check_store_status", store_id=store.id),
            ]
        for speed in SPEEDS:
            yield [call("wait_for_next_day")]
            yield [call("ship_orders", action="list"), call("ship_orders", speed=speed), call("check_balance")]
        yield [call("withdraw"), call("trace_return_sources"), call("check_warehouse"), call("check_store_status")]
        if number % 6 == 5:
            yield [call("close_store", store_id=store.id, liquidate=number > 6) for store in books.trading]


def assert_finite(episode: ecbench.Episode) -> None:
    purse = episode.account.books.purse
    amounts = [episode.bank, episode.wallet, episode.escrow, *purse.totals.values()]
    assert all(map(isfinite, amounts)), amounts


@pytest.fixture(scope="module")
def little_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    from tests.conftest import write_little_world

    return ecbench.load_world(write_little_world(tmp_path_factory.mktemp("little")))


def play(episode: ecbench.Episode, prices: Sequence[float], discount: float) -> None:
    """A year whose every reply, report and loss is a finite number."""
    watch_shelves(episode.account, judge_prices)
    for calls in some_trade(episode, prices, discount):
        for reply in episode.act(calls):
            strict_json(reply)
        assert_finite(episode)
    strict_json(json.dumps(episode.report()))
    episode.finish()
    assert_finite(episode)
    strict_json(json.dumps(episode.report()))
    for loss in losses_of(episode.account, PlayLog(), over=True):
        assert isfinite(loss.amount) and loss.amount > 0.0 and loss.units >= 0


def eager(range_: Range) -> Any:
    """All the demand that there can be, and no delay."""
    return lowest(range_) if range_ is kinds.DELAY else highest(range_)


def roused(range_: Range) -> Any:
    """The same from buyers who hardly look at the price."""
    return lowest(range_) if range_ in (kinds.ETA, kinds.BOOST) else eager(range_)


@pytest.mark.parametrize("elasticity", get_args(Elasticity))
@pytest.mark.parametrize("pick_rule", [lowest, highest, None])
@pytest.mark.parametrize("pick_figure", [lowest, highest, eager, roused])
def test_the_corners_of_all_ranges_break_no_year(
    little_world: World, elasticity: Elasticity, pick_figure: Pick, pick_rule: Pick | None
) -> None:
    world = world_at(little_world, pick_figure, elasticity, STARTS[1])
    changed = rules_at(pick_rule) if pick_rule else {}
    rules = Rules(**changed | {"lead_days": (0, 1)})
    for price in (PRICES[0], 1.0, PRICES[-1]):
        episode = ecbench.Episode(world, days=36_525, stake=STAKE.most, rules=rules)
        play(episode, [price], rules.max_discount)


@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking a year takes minutes; add Phase.shrink for it
)
@given(data=st.data())
def test_no_accepted_world_and_rules_break_a_year(
    little_world: World, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    def pick(range_: Range) -> Any:
        return data.draw(edges(range_))

    elasticity = data.draw(st.sampled_from(get_args(Elasticity)))
    world = world_at(little_world, pick, elasticity, data.draw(st.sampled_from(STARTS)))
    accepted = ecbench.load_world(save_world(world, tmp_path_factory.mktemp("extreme") / "world"))
    changed = rules_at(pick)
    together = data.draw(st.sampled_from([AGREEING, sorted(changed), [*AGREEING, *sorted(changed)[::3]]]))
    rules = Rules(**{name: changed[name] for name in together})
    stake = data.draw(st.sampled_from([None, STAKE.least, STAKE.most, STAKE.most]))
    days = data.draw(st.sampled_from([36_525, 366, 20, 1]))
    prices = data.draw(st.lists(st.sampled_from(PRICES), min_size=1, max_size=3))
    play(ecbench.Episode(accepted, days=days, stake=stake, rules=rules), prices, rules.min_discount)


def test_rivals_who_charge_next_to_nothing_break_no_day(little_world: World) -> None:
    """With half of it off, the smallest price there is becomes zero."""
    arena = Arena(replace(little_world, start=date(2026, 2, 28)), seats=2, rules=Rules(lead_days=(0, 0)))
    [seller] = little_world.suppliers_by_category["Green Tea"]
    bid = {"action": "offer", "sku_id": "a1", "price": 12.5, "quantity": 50}
    letter = call("chatbox", uid=seller.email, content=f"```negotiate\n{json.dumps(bid)}\n```")
    opening = [call("open_store", store_type="tea", store_name="T"), letter, letter, letter, call("wait_for_next_day")]
    for seat in (0, 1):
        arena.act(seat, opening)
    for prices in ((5e-324, 12.5), (5e-324, 5e-324), (LARGEST_PRICE, 5e-324)):
        for _ in range(2):
            turn = arena.turn
            assert turn is not None
            plan = [{"product_id": "a1", "quantity": 2, "retail_price": prices[turn]}]
            join = call("join_promotion", store_id="store_001", event_name="Spring Week", discount_rate=0.5)
            listed = call("publish_to_store", store_id="store_001", plan=plan)
            arena.act(turn, [listed, join, call("wait_for_next_day")])
    assert all(account.books.stock["a1"].sold for account in arena.accounts)
    assert all(isfinite(account.books.purse.total) for account in arena.accounts)
