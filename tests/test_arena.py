"""Several merchants in one market: what they share, what stays their own, and who acts when."""

import json
from functools import cache

import pytest

import ecbench
from ecbench.market.stock import list_units, put_away, stock_of
from ecbench.market.storefronts import open_store
from ecbench.players.driver import play_arena
from ecbench.players.merchants.protocol import call
from ecbench.players.merchants.registry import get_merchant
from ecbench.rules import rule_set
from ecbench.world.model import Category, World

WAIT = [call("wait_for_next_day")]


@cache
def world() -> World:
    return ecbench.load_world("default")


@cache
def trade() -> Category:
    """A category in which a lower price always sells more, of a store type with several and many customers.

    Among many the rounding to whole units does not matter.
    """
    return next(
        category
        for category in world().categories
        if category.elasticity == "exponential"
        and len(world().store_type_by_id[category.store_type].categories) > 3
        and world().store_type_by_id[category.store_type].capacity > 1_000
        and len(world().products_by_category[category.name]) >= 30
    )


def arena(seats: int, days: int = 60, rules: str = "paper") -> ecbench.Arena:
    return ecbench.Arena(world(), seats=seats, days=days, rules=rule_set(rules))


def stock_shelf(market: ecbench.Arena, seat: int, price_ratio: float = 1.0, units: int = 500, goods: int = 30) -> None:
    """A store with the first goods of the trade, as if it had bought them."""
    account = market.accounts[seat]
    store = open_store(account, world().store_type_by_id[trade().store_type], f"Shop of seat {seat}")
    for product in world().products_by_category[trade().name][:goods]:
        stock = stock_of(account, product)
        put_away(account.books, stock, units, account.market.date.toordinal())
        stock.delivered += units
        list_units(store, stock, units, product.reference_price * price_ratio)


def sold(market: ecbench.Arena, seat: int) -> int:
    return sum(stock.sold for stock in market.accounts[seat].books.stock.values())


def pass_days(market: ecbench.Arena, days: int) -> None:
    last = market.day + days
    while market.day < last and market.turn is not None:
        market.act(market.turn, WAIT)


def play(market: ecbench.Arena, *agents: str) -> None:
    play_arena([get_merchant(agent, days=market.accounts[0].market.days) for agent in agents], market)


def assets(market: ecbench.Arena) -> list[float]:
    return [account.books.purse.total for account in market.accounts]


@pytest.mark.parametrize("agent", ["first-quote", "haggler"])
def test_one_seat_is_an_episode_byte_for_byte(agent: str) -> None:
    alone, market = ecbench.Episode(world(), days=30), arena(1, days=30)
    seat, same_seat = (get_merchant(agent, days=30).play(ecbench.tool_schemas()) for _ in range(2))  # type: ignore[union-attr]
    calls, same_calls = next(seat), next(same_seat)
    while not alone.done:
        replies = alone.act(calls)
        assert market.act(0, same_calls) == replies
        decoded = [json.loads(reply) for reply in replies]
        calls, same_calls = seat.send(decoded), same_seat.send(decoded)
    assert market.done
    assert market.report(0) == alone.report()


def test_ties_go_round_by_seat_starting_one_later_each_day() -> None:
    market, order = arena(3), []
    for _ in range(9):
        assert market.turn is not None
        order.append(market.turn)
        market.act(market.turn, WAIT)
    assert order == [0, 1, 2, 1, 2, 0, 2, 0, 1]


def test_the_earliest_clock_acts_next() -> None:
    market = arena(2)
    market.act(0, [call("market_search")])  # half past eight
    assert market.turn == 1
    market.act(1, [call("check_balance")])  # ten past eight
    assert market.turn == 1
    market.act(1, [call("market_search")])
    assert market.turn == 0
    with pytest.raises(ValueError, match="not the turn of seat 1 but of seat 0"):
        market.act(1, WAIT)


def test_a_batch_that_reaches_the_evening_continues_after_the_morning_of_all() -> None:
    market = arena(2)
    long_day = [call("market_search")] * 21  # ten and a half hours
    assert market.act(0, long_day) is None
    assert market.replies(0) is None and market.turn == 1
    answered = market.act(1, [call("check_balance"), *WAIT])
    assert market.day == 1 and answered is not None
    assert json.loads(answered[-1])["day"] == 1
    replies = market.replies(0)
    assert replies is not None and len(replies) == 21
    assert [json.loads(replies[index])["current_time"] for index in (18, 19, 20)] == [
        "2026-01-01 17:30",
        "2026-01-02 08:00",
        "2026-01-02 08:30",
    ]


def test_a_copy_taken_while_a_batch_waits_goes_its_own_way() -> None:
    market = arena(2)
    market.act(0, [call("market_search")] * 21)
    twin = market.copy()
    market.act(1, WAIT)
    assert twin.replies(0) is None and twin.day == 0
    twin.act(1, [call("check_balance"), *WAIT])
    assert twin.replies(0) == market.replies(0)
    assert (twin.day, market.day) == (1, 1)


def test_equal_merchants_share_the_public() -> None:
    alone, shared = arena(1), arena(2)
    stock_shelf(alone, 0)
    for seat in (0, 1):
        stock_shelf(shared, seat)
    for market in (alone, shared):
        pass_days(market, 10)
    assert sold(shared, 0) == sold(shared, 1)
    assert sold(shared, 0) < sold(alone, 0) < sold(shared, 0) + sold(shared, 1)


def test_the_order_of_the_seats_changes_nothing_but_who_is_who() -> None:
    straight, turned = arena(2, days=40), arena(2, days=40)
    play(straight, "haggler", "first-quote")
    play(turned, "first-quote", "haggler")
    assert assets(straight) == list(reversed(assets(turned)))
    assert assets(straight)[0] != assets(straight)[1]


@pytest.mark.parametrize("rules", ["paper", "fair"])
def test_a_supplier_closes_for_the_seat_whose_orders_reached_its_limit_and_for_no_other(rules: str) -> None:
    market = arena(2, rules=rules)
    supplier = next(s for s in world().suppliers if s.honest and s.template == "expressive")
    product = min(world().products_by_category[supplier.category], key=lambda p: p.reference_price)
    offer = {"action": "offer", "sku_id": product.sku, "price": round(product.reference_price * 1.4, 2), "quantity": 1}
    letter = call("chatbox", uid=supplier.email, content=f"```negotiate\n{json.dumps(offer)}\n```")
    served, message = 0, ""
    while message != "supplier_bankrupt":
        seat = market.turn
        assert seat is not None
        replies = market.act(seat, WAIT if seat else [letter])
        if replies is not None and not seat:
            reply = json.loads(replies[0])
            message, served = reply["message"], served + reply.get("order_confirmed", False)
    assert served == supplier.order_limit
    while market.turn == 0:
        market.act(0, WAIT)
    replies = market.act(1, [letter])
    assert replies is not None and json.loads(replies[0])["order_confirmed"]
    assert [account.closed_suppliers for account in market.accounts] == [{supplier.name}, set()]


def test_a_finished_seat_leaves_its_public_to_the_others() -> None:
    market, alone = arena(2), arena(1)
    for each in (market, alone):
        stock_shelf(each, 0)
    stock_shelf(market, 1)
    market.finish(1)
    for each in (market, alone):
        pass_days(each, 5)
    assert sold(market, 0) == sold(alone, 0)


def test_the_others_continue_when_a_seat_stops_in_the_evening() -> None:
    market = arena(2)
    market.act(0, WAIT)
    market.finish(1)
    assert market.day == 1 and market.turn == 0
    assert not market.done
    market.finish()
    assert market.done and market.turn is None


def test_a_seat_sees_how_many_rivals_carry_a_category_and_their_lowest_price() -> None:
    market, alone = arena(3), arena(1)
    stock_shelf(alone, 0, goods=1)
    stock_shelf(market, 0, 1.0, goods=1)
    stock_shelf(market, 1, 1.2, goods=1)
    stock_shelf(market, 2, 1.1, goods=1)
    [product] = world().products_by_category[trade().name][:1]
    looks = [call("market_search", category=product.category), call("check_store_status", store_id="store_001")]
    for each in (market, alone):
        pass_days(each, 1)
    while market.turn != 0:
        assert market.turn is not None
        market.act(market.turn, [call("market_search")] * 2)
    seen = market.act(0, looks)
    plain = alone.act(0, looks)
    assert seen is not None and plain is not None
    category, status = (json.loads(text) for text in seen)
    assert category["detail"]["rival_stores"] == 2
    assert status["products"][0]["lowest_rival_price"] == pytest.approx(1.1 * product.reference_price, abs=0.005)
    assert "rival" not in "".join(plain)


@pytest.mark.parametrize("rules", ["paper", "fair"])
@pytest.mark.parametrize("agents", [["haggler", "first-quote", "idle"], ["haggler"] * 3])
def test_the_money_of_every_account_is_accounted_for(agents: list[str], rules: str) -> None:
    market = arena(len(agents), days=45, rules=rules)
    play(market, *agents)
    for account in market.accounts:
        purse = account.books.purse
        assert purse.total == pytest.approx(purse.stake + sum(purse.totals.values()), abs=1e-6)
        assert account.ending == "year_end"


@pytest.mark.parametrize("seats", [0, -1, 65])
def test_a_number_of_seats_that_cannot_be_is_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="seats must be a whole number from 1 to 64"):
        arena(seats)


@pytest.mark.parametrize(("seats", "share"), [(1, 0.0), (2, 1.0)])
def test_orders_that_are_not_shipped_cost_a_fee_only_beside_rivals(seats: int, share: float) -> None:
    market = arena(seats)
    stock_shelf(market, 0, goods=1)
    pass_days(market, 4)
    books, product = market.accounts[0].books, world().products_by_category[trade().name][0]
    [cancelled] = [stock.cancelled for stock in books.stock.values()]
    assert cancelled > 0
    tier = world().store_type_by_id[trade().store_type].tier
    running = 4 * market.accounts[0].rules.operating_cost[tier]
    fee = share * product.reference_price * cancelled
    assert -books.purse.totals["operating"] == pytest.approx(running + fee)
