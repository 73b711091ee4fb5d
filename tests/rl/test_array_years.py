"""The numeric environment is the textual game: the same calls, the same figures, the same money."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from ecbench import Episode, load_world
from ecbench.players.merchants.protocol import Call
from ecbench.rl import Setting
from ecbench.rl.array_layout import (
    ACTIONS,
    AT_GOODS,
    AT_SHOP,
    AT_STORE,
    AT_STORE_TYPE,
    AT_SUPPLIER,
    ActionField,
    ArraySizes,
    action_most,
    action_shape,
)
from ecbench.rl.arrays import ArrayYears
from ecbench.rules import Rules, rule_set
from ecbench.table import Table
from ecbench.tools.outcome import decode_reply

SIZES = ArraySizes(goods=3)
# Where random numbers would never lead to trade, the range that they are drawn from.
RANGES = {"price": (0.7, 1.5), "units": (0, 6), "bid": (0.1, 0.9), "raise": (0, 0.1), "fair": (0.4, 1.0)}
SELDOM = {"close": 0.05, "discount": 0.2, "open": 0.7}


def random_action(draws: np.random.Generator, rows: int, rules: Rules) -> dict[str, Any]:
    def array(field: ActionField) -> Any:
        shape = (rows, *action_shape(field, SIZES, rules))
        least, most = RANGES.get(field.name, (field.least, action_most(field, SIZES, rules)))
        found = (
            draws.integers(int(least), int(most), shape, endpoint=True)
            if field.whole
            else draws.uniform(least, most, shape)
        )
        return found * (draws.random(shape) < SELDOM.get(field.name, 1.0))

    return {field.name: array(field) for field in ACTIONS}


@pytest.mark.parametrize(("rules", "seed"), [("paper", 0), ("paper", 1), ("fair-2", 2)])
def test_a_year_by_arrays_is_the_year_by_its_calls(rules: str, seed: int) -> None:
    years = ArrayYears(1, setting=Setting(days=50, rules=rules), sizes=SIZES, log=True)
    draws = np.random.default_rng(seed)
    years.reset([None])
    while not years.over.all():
        years.step(random_action(draws, 1, rule_set(rules)))
    twin = Episode(load_world("default"), days=50, rules=rules)
    for call in years.calls():
        twin.act([call])
    assert twin.done
    assert_same_state(years, twin, 0)


def assert_same_state(years: ArrayYears, twin: Episode, seat: int) -> None:
    office, account = years.office(seat), twin.account
    mine, theirs = office.account.books, account.books
    assert mine.orders and any(held.sold for held in mine.stock.values()), "random years trade"
    assert mine.days == theirs.days
    assert mine.orders == theirs.orders
    assert mine.purse == theirs.purse
    assert {sku: (held.free, held.sold, held.returned) for sku, held in mine.stock.items()} == {
        sku: (held.free, held.sold, held.returned) for sku, held in theirs.stock.items()
    }
    assert office.account.rng.getstate() == account.rng.getstate()
    assert office.desk.sessions == twin.desk.sessions
    assert office.desk.contacted == twin.desk.contacted


class Replies:
    """Plays the calls of a numeric year as texts, and keeps what their replies say, by SKU."""

    def __init__(self, days: int) -> None:
        self.episode, self.played = Episode(load_world("default"), days=days), 0
        self.suppliers = 0
        self.goods: dict[str, dict[str, float]] = {}
        self.letters = Counter[str]()
        self.latest: dict[str, dict[str, Any]] = {}  # by tool

    def play(self, calls: list[Call]) -> None:
        self.announced = False
        for call in calls[self.played :]:
            [reply] = map(decode_reply, self.episode.act([call]))
            self.latest[call["name"]] = reply
            getattr(self, f"_{call['name']}", lambda *_: None)(call["arguments"], reply)
        self.played = len(calls)

    def _list_products(self, _arguments: Any, reply: dict[str, Any]) -> None:
        for row in reply["results"]:
            self.goods[row["product_id"]] = {"reference": row["reference_price"]}

    def _supplier_search(self, _arguments: Any, reply: dict[str, Any]) -> None:
        served = Counter(row["categories_served"][0] for row in reply["results"])
        self.suppliers += sum(min(SIZES.suppliers, count) for count in served.values())

    def _chatbox(self, arguments: Any, reply: dict[str, Any]) -> None:
        self.letters[arguments["uid"]] += 1
        for row in reply.get("negotiation_responses", ()):
            if row["decision"] == "Offer":
                goods = self.goods[row["sku_id"]]
                goods["quote"] = row["price"] / goods["reference"]
        for row in reply.get("orders_placed", ()):
            goods = self.goods[row["sku_id"]]
            goods["paid"] = row["agreed_price"] / goods["reference"]

    def _check_store_status(self, _arguments: Any, reply: dict[str, Any]) -> None:
        for row in reply["products"]:
            if row["retail_price"]:
                self.goods[row["product_id"]] |= {"shelf": row["quantity"], "price": row["retail_price"]}

    def _trace_return_sources(self, _arguments: Any, reply: dict[str, Any]) -> None:
        free = self.latest["check_warehouse"]["items"]
        for row in reply["products"]:
            sku, delivered = row["product_id"], row["total_units_delivered"]
            returned = row["units_returned"] / max(1, delivered)
            left = free[sku]["quantity"] if sku in free else 0
            self.goods[sku] |= {"free": left, "returned": returned}

    def _wait_for_next_day(self, _arguments: Any, reply: dict[str, Any]) -> None:
        news = [item for day in reply.get("system_notifications", ()) for item in day["news"]]
        self.announced = any("is open to merchants" in item["content"] for item in news)


def assert_shown(seen: dict[str, Any], replies: Replies, slots: dict[str, int]) -> None:
    """The figures of an observation are those that the replies of the same calls contain."""
    shop, stores = seen["shop"][0], seen["stores"][0]
    balance = replies.latest["check_balance"]
    kept = ("bank_balance", "platform_wallet", "pending_settlement", "unshipped_sales_value")
    assert shop[AT_SHOP["bank"] : AT_SHOP["unshipped"] + 1].tolist() == [balance[name] for name in kept]
    assert shop[AT_SHOP["minute"]] == replies.episode.account.minute
    assert shop[AT_SHOP["day"]] == replies.episode.day
    assert (shop[AT_SHOP["promotion_age"]] == 0) == replies.announced
    month = int(shop[AT_SHOP["month"]]) - 1
    for row, told in zip(seen["store_types"][0], replies.latest["market_search"]["store_types"], strict=True):
        indices = told["monthly_sales_index"]
        expected = [told["daily_ops_cost"], indices[month] / 100, indices[(month + 1) % 12] / 100]
        assert row[: AT_STORE_TYPE["categories"]].tolist() == expected
        assert row[AT_STORE_TYPE["categories"]] == len(told["subcategories"])
    for row in stores[stores[:, AT_STORE["store_type"]] > 0][-1:]:
        status = replies.latest["check_store_status"]
        assert row[AT_STORE["reputation"] :].tolist() == [status["reputation"], status["promotion_discount"]]
    goods = seen["goods"][0].reshape(-1, len(AT_GOODS))
    for sku, slot in slots.items():
        for name, value in replies.goods[sku].items():
            assert goods[slot, AT_GOODS[name]] == value, (sku, name)
    assert seen["suppliers"][0, ..., AT_SUPPLIER["known"]].sum() == replies.suppliers
    assert seen["suppliers"][0, ..., AT_SUPPLIER["letters"]].sum() == sum(replies.letters.values())


@pytest.mark.parametrize("seed", [3, 4])
def test_an_observation_contains_what_the_replies_say(seed: int) -> None:
    years, replies = ArrayYears(1, setting=Setting(days=40), sizes=SIZES, log=True), Replies(40)
    seen, _ = years.reset([None])
    draws = np.random.default_rng(seed)
    while not years.over.all():
        replies.play(years.calls())
        assert_shown(seen, replies, years._seats[0].slots)
        before = years.assets(0)
        step = years.step(random_action(draws, 1, years.arrays.rules) | {"close": np.zeros(1)})
        assert step.reward[0] == years.assets(0) - before
    told = {name for goods in replies.goods.values() for name in goods}
    assert told == {"reference", "quote", "paid", "shelf", "price", "free", "returned"}


def test_several_seats_act_in_the_order_of_the_clock_as_at_a_table() -> None:
    years = ArrayYears(1, seats=3, setting=Setting(days=30), sizes=SIZES, log=True)
    draws = np.random.default_rng(5)
    years.reset([None])
    while not years.over.all():
        years.step(random_action(draws, 3, years.arrays.rules))
    table = Table(load_world("default"), seats=3, days=30)
    calls = [iter(years.calls(seat)) for seat in range(3)]
    while table.turn is not None:
        table.act(table.turn, [next(calls[table.turn])])
    for seat in range(3):
        assert_same_state(years, Episode.at(table, seat), seat)


def test_years_side_by_side_are_the_years_alone() -> None:
    setting = Setting(days=20)
    draws = np.random.default_rng(6)
    actions = [random_action(draws, 2, rule_set("paper")) for _ in range(20)]
    both = ArrayYears(2, setting=setting, sizes=SIZES)
    both.reset([None, None])
    for action in actions:
        both.step(action)
    for row in range(2):
        alone = ArrayYears(1, setting=setting, sizes=SIZES)
        alone.reset([None])
        for action in actions:
            alone.step({name: array[row : row + 1] for name, array in action.items()})
        assert alone.assets(0) == both.assets(row)


def test_a_year_that_is_over_stays_as_it_is_while_others_continue() -> None:
    years = ArrayYears(2, setting=Setting(days=15), sizes=SIZES)
    seen, _ = years.reset([None, None])
    draws = np.random.default_rng(9)
    for _ in range(8):
        years.step(random_action(draws, 2, years.arrays.rules))
    years.begin(1)
    for _ in range(7):
        years.step(random_action(draws, 2, years.arrays.rules))
    assert years.over.tolist() == [True, False]
    assets, last = years.assets(0), {name: array[0].copy() for name, array in seen.items()}
    step = years.step(random_action(draws, 2, years.arrays.rules))
    assert step.reward[0] == 0 and step.over.tolist() == [True, False] and years.assets(0) == assets
    for name, array in step.observation.items():
        np.testing.assert_array_equal(array[0], last[name], err_msg=name)


def test_masks_say_what_can_be_done() -> None:
    years = ArrayYears(1, setting=Setting(days=30), sizes=SIZES, log=True)
    seen, masks = years.reset([None])
    draws = np.random.default_rng(7)
    for _ in range(29):
        action = random_action(draws, 1, years.arrays.rules)
        stores = (seen["stores"][0, :, AT_STORE["store_type"]] > 0).sum()
        allowed = bool(masks["open"][0, action["open"][0]])
        wallet = seen["shop"][0, AT_SHOP["wallet"]]
        assert masks["withdraw"][0].tolist() == [True, wallet > 0]
        before = sum(call["name"] == "open_store" for call in years.calls())
        masks = years.step(action | {"close": np.zeros(1)}).masks
        assert sum(call["name"] == "open_store" for call in years.calls()) - before == (
            allowed and action["open"][0] > 0
        )
        opened = (seen["stores"][0, :, AT_STORE["store_type"]] > 0).sum() - stores
        assert opened == (allowed and action["open"][0] > 0)
    assert stores == years.arrays.rules.max_stores


def test_arrays_that_do_not_fit_are_refused() -> None:
    years = ArrayYears(1, sizes=SIZES)
    action = random_action(np.random.default_rng(8), 1, years.arrays.rules)
    with pytest.raises(RuntimeError, match="call reset first"):
        years.step(action)
    years.reset([None])
    with pytest.raises(ValueError, match=r"an action has the arrays .*, not ship"):
        years.step({"ship": np.zeros(1)})
    with pytest.raises(ValueError, match=r"the array ship has the shape \(1,\), not \(2,\)"):
        years.step(action | {"ship": np.zeros(2)})
    with pytest.raises(ValueError, match="1 episodes need as many seeds, not 2"):
        years.reset([1, 2])
    with pytest.raises(ValueError, match="keep no log"):
        years.calls()
