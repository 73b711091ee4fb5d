"""Rules on orders: what a supplier delivers in a week, bids that are refused, and short deliveries of split orders."""

import json
from typing import Any

import pytest

from ecbench import Episode
from ecbench.rules import Rules
from ecbench.suppliers.supplier_traits import traits_of
from ecbench.world.model import Supplier, World

SKU, OTHER = "aaa111", "bbb222"
LIMIT = Rules(weekly_supply=100)


class Dealing:
    """One merchant and one supplier."""

    def __init__(self, world: World, supplier: Supplier, rules: Rules) -> None:
        self.year, self.supplier = Episode(world, rules=rules, stake=1e6), supplier
        self.limit = traits_of(self.year.account.economy, supplier).weekly_supply

    def buy(self, *quantities: int, sku: str = SKU, price: float = 190.0) -> dict[str, Any]:
        """One message with an offer for each quantity, repeated until the first is accepted."""
        lines = [{"action": "offer", "sku_id": sku, "price": price, "quantity": units} for units in quantities]
        content = f"```negotiate\n{json.dumps(lines)}\n```"
        for _ in range(20):
            reply = self.say(content)
            if reply["negotiation_responses"][0]["decision"] != "Offer":
                return reply
        raise AssertionError("a supplier accepts close to the reference price sooner or later")

    def say(self, content: str) -> dict[str, Any]:
        [reply] = self.year.act([{"name": "chatbox", "arguments": {"uid": self.supplier.email, "content": content}}])
        return dict(json.loads(reply))

    def sleep(self, days: int) -> None:
        for _ in range(days):
            self.year.act([{"name": "wait_for_next_day", "arguments": {}}])


@pytest.mark.parametrize("kind", ["candid", "qty_bait", "fake_urgency"])
def test_orders_of_a_week_never_exceed_the_stated_supply(world: World, by_kind: dict[str, Supplier], kind: str) -> None:
    dealing = Dealing(world, by_kind[kind], LIMIT)
    assert 50 <= dealing.limit <= 150
    assert f" {dealing.limit} units a week" in dealing.say("Hello.")["supplier_reply"]
    ordered = dealing.buy(dealing.limit - 10)
    assert ordered["order_confirmed"] and "Left this week: 10 units." in ordered["supplier_reply"]
    refused = dealing.buy(11, sku=OTHER, price=85.0)
    assert (
        f"10 of {dealing.limit} units are left for you this week; the next week begins on 2026-01-08"
        in (refused["error"])
    )
    assert "orders_placed" not in refused
    assert dealing.buy(10, sku=OTHER, price=85.0)["order_confirmed"]
    dealing.sleep(6)
    assert "0 of" in dealing.buy(1)["error"]
    dealing.sleep(1)
    assert dealing.buy(dealing.limit)["order_confirmed"]
    assert sum(order.quantity for order in dealing.year.account.books.orders) == 2 * dealing.limit


def test_what_is_left_belongs_to_one_merchant_and_is_copied_with_the_year(
    world: World, by_kind: dict[str, Supplier]
) -> None:
    dealing = Dealing(world, by_kind["candid"], LIMIT)
    dealing.buy(dealing.limit)
    fork = dealing.year.copy()
    assert fork.desk.week_orders == {by_kind["candid"].name: (0, dealing.limit)}
    dealing.sleep(7)
    dealing.buy(1)
    assert fork.desk.week_orders == {by_kind["candid"].name: (0, dealing.limit)}


def test_a_refused_bid_changes_nothing(world: World, by_kind: dict[str, Supplier]) -> None:
    dealing = Dealing(world, by_kind["candid"], Rules(highest_bid=1.5))
    line = {"action": "offer", "sku_id": SKU, "price": 40.0, "quantity": 1}
    dealing.say(f"```negotiate\n{json.dumps(line)}\n```")
    book = dealing.year.copy().desk.book
    [answer] = dealing.say(f"```negotiate\n{json.dumps(line | {'price': 299.63})}\n```")["negotiation_responses"]
    assert (answer["decision"], answer["error_code"]) == ("Error", "bid_too_high")
    assert "at most 1.5 times the reference price" in answer["error"]
    [before], [after] = book.pairs.values(), dealing.year.desk.book.pairs.values()
    assert (before.kernel.round, before.kernel.agent_prices, before.standing, before.critical) == (
        *(after.kernel.round, after.kernel.agent_prices, after.standing, after.critical),
    )
    assert dealing.buy(1, price=299.62)["negotiation_responses"][0]["decision"] == "Accept"


@pytest.mark.parametrize(("binding", "units", "arriving"), [(0, 100, 100), (1, 1, 1)])
def test_a_hundred_lines_of_one_unit_escape_a_short_delivery_only_where_bids_do_not_bind(
    world: World, by_kind: dict[str, Supplier], binding: int, units: int, arriving: int
) -> None:
    dealing = Dealing(world, by_kind["qty_bait"], Rules(binding_bids=binding))
    dealing.buy(*[1] * 100)
    orders = dealing.year.account.books.orders
    assert (sum(order.quantity for order in orders), sum(order.delivered for order in orders)) == (units, arriving)


def test_without_the_rule_no_letter_speaks_of_a_weekly_supply(world: World, by_kind: dict[str, Supplier]) -> None:
    dealing = Dealing(world, by_kind["candid"], Rules())
    letters = [dealing.say("Hello.")["supplier_reply"], dealing.buy(1_000)["supplier_reply"]]
    assert not any("a week" in letter or "this week" in letter for letter in letters)


BINDING = Rules(binding_bids=1, weekly_supply=100)


@pytest.mark.parametrize(
    ("quantity", "price", "code"),
    [
        (0, 190.0, "quantity_too_small"),
        (-5, 190.0, "quantity_too_small"),
        (10**9, 190.0, "beyond_supply"),
        (40, 30_000.0, "insufficient_funds"),
    ],
)
def test_a_bid_that_cannot_be_ordered_is_not_decided(
    world: World, by_kind: dict[str, Supplier], quantity: int, price: float, code: str
) -> None:
    line = [{"action": "offer", "sku_id": SKU, "price": price, "quantity": quantity}]
    content = f"```negotiate\n{json.dumps(line)}\n```"
    dealing = Dealing(world, by_kind["candid"], BINDING)
    [answer] = dealing.say(content)["negotiation_responses"]
    assert (answer["decision"], answer["error_code"]) == ("Error", code)
    assert dealing.year.desk.book.pairs == {}
    [decided] = Dealing(world, by_kind["candid"], LIMIT).say(content)["negotiation_responses"]
    assert decided["decision"] != "Error"


def test_a_letter_carries_one_bid_for_a_sku_and_the_first_counts(world: World, by_kind: dict[str, Supplier]) -> None:
    dealing = Dealing(world, by_kind["candid"], BINDING)
    ladder = [{"action": "offer", "sku_id": SKU, "price": price, "quantity": 1} for price in (60.0, 80.0, 100.0, 190.0)]
    answers = dealing.say(f"```negotiate\n{json.dumps(ladder)}\n```")["negotiation_responses"]
    assert [answer.get("error_code") for answer in answers] == [None, *["second_bid"] * 3]
    [pair] = dealing.year.desk.book.pairs.values()
    assert pair.kernel.agent_prices[-1] == 60.0


def test_what_a_letter_has_agreed_is_not_bid_again(world: World, by_kind: dict[str, Supplier]) -> None:
    """Every bid that is accepted becomes an order: the bank pays for one of two, so the other is not decided."""
    dealing = Dealing(world, by_kind["candid"], BINDING)
    dealing.year.account.books.purse.bank = 300.0
    lines = [
        {"action": "offer", "sku_id": sku, "price": price, "quantity": 1}
        for sku, price in ((SKU, 199.0), (OTHER, 110.0))
    ]
    for _ in range(20):
        answers = dealing.say(f"```negotiate\n{json.dumps(lines)}\n```")["negotiation_responses"]
        if answers[0]["decision"] == "Accept":
            break
    assert answers[0]["order_placed"] and answers[1]["error_code"] == "insufficient_funds"
