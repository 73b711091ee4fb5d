"""What the steady merchant concludes from what it sees."""

import datetime as dt
from random import Random

import numpy as np
import pytest

from ecbench.market.demand import curve_response
from ecbench.players.merchants.steady.buying import NATURAL_RATE, Record, compare_with_orders, subset_of
from ecbench.players.merchants.steady.estimates import DemandEstimate, LineDay, PriceBelief, Shape, answers
from ecbench.players.merchants.steady.planning import DARING, RATIOS, Outlook, outlook
from ecbench.players.merchants.steady.selling import announced
from ecbench.players.merchants.steady.state import LineGoods, MerchantState, ShelfLine, Source, StoreTypeView
from ecbench.players.merchants.steady.store_research import monthly_sales

LADDER = (1.0, 1.15, 1.35, 1.7, 2.4, 4.0)


def sales_at(shape: Shape, base: float, rng: Random) -> list[tuple[float, int, int]]:
    wanted = [base * curve_response(*shape, ratio) for ratio in LADDER]
    return [(ratio, 1, int(units) + (rng.random() < units % 1)) for ratio, units in zip(LADDER, wanted, strict=True)]


@pytest.mark.parametrize(
    "shape",
    [Shape("linear", 2.8), Shape("exponential", 3.5), Shape("constant_elasticity", 1.85), Shape("quadratic", 4.5)],
)
def test_two_weeks_on_a_price_ladder_show_the_shape_of_demand(shape: Shape) -> None:
    belief, rng = PriceBelief(), Random(7)
    for _ in range(14):
        belief.learn(sales_at(shape, 5.0, rng))
    expected = [curve_response(*shape, ratio) for ratio in LADDER]
    assert belief.responses(LADDER).tolist() == pytest.approx(expected, abs=0.08)


def test_goods_that_stay_unsold_at_one_high_price_are_not_of_the_kind_that_always_sells() -> None:
    belief = PriceBelief()
    [before] = belief.responses((6.0,))
    for _ in range(6):
        belief.learn_total(0, 40.0 * answers(belief.shapes, (6.0,))[0])
    assert belief.responses((6.0,))[0] < 0.2 * before


def a_day(response: float, listings: int, sold: int, doubt: float = 0.0) -> LineDay:
    """Of a line with one price, and more in stock than anybody buys."""
    shelf = np.array([[response]]), np.array([[listings]]), np.array([[1_000.0]])
    return LineDay(60.0, *shelf, sold, doubt)


def test_sales_that_fail_at_a_doubtful_price_are_blamed_less_on_the_number_of_customers() -> None:
    """A price at which the goods sell well or not at all: a day without sales says less about the reach."""
    learned = []
    for doubt in (0.0, 1.0):
        estimate = DemandEstimate(categories=3)
        for _ in range(4):
            estimate.learn([a_day(1.0, 5, 30)], boost=1.0)
        before = estimate.reach
        for _ in range(4):
            estimate.learn([a_day(0.5, 5, 0, doubt)], boost=1.0)
        learned.append(estimate.reach / before)
    assert learned[0] < 0.95 * learned[1] < 0.95


@pytest.mark.parametrize(("reach", "capacity"), [(0.06, 40.0), (0.4, 1_300.0)])
def test_a_shelf_that_grows_shows_reach_and_capacity(reach: float, capacity: float) -> None:
    estimate = DemandEstimate(categories=3)
    ceiling = 0.4 * capacity
    for day in range(40):
        listings = 2 + day
        raw_demand = reach * 60.0 * listings
        units = raw_demand * ceiling / (ceiling + raw_demand)
        sold = units * capacity / (capacity + units)
        estimate.learn([a_day(1.0, listings, round(sold))], boost=1.0)
    assert estimate.reach == pytest.approx(reach, rel=0.35)
    assert estimate.capacity == pytest.approx(capacity, rel=0.5)


def store_type_with(shape: Shape, cost: float, returns: float = 0.02) -> StoreTypeView:
    goods = [LineGoods(f"sku{index}", "Lamps", 200.0 - index, index) for index in range(40)]
    line = ShelfLine("Lamps", goods, market=60.0, cost=cost, returns=returns, belief=PriceBelief((shape,)), tried=True)
    line.sources = [Source("Lamp Makers", "sales@lamps.example")]
    store_type = StoreTypeView("lamps", "Lamps", 100.0, [1.0] * 12, {"Lamps": line}, DemandEstimate(3))
    store_type.demand.reach, store_type.demand.capacity = 0.1, 200.0
    return store_type


def outlook_of(store_type: StoreTypeView) -> Outlook:
    return outlook(MerchantState(365), store_type, visitors=0.9)


def test_scarce_money_and_scarce_attention_shrink_the_shelf() -> None:
    options = outlook_of(store_type_with(Shape("exponential", 3.5), cost=0.6))
    free, poor, busy = options.best_shelf(), options.best_shelf(hurdle=0.4), options.best_shelf(upkeep=100.0)
    assert poor.spending < free.spending
    assert busy.listings < free.listings


def test_a_line_that_cannot_pay_or_that_nobody_supplies_is_left_out() -> None:
    costly, deserted = store_type_with(Shape("linear", 3.9), cost=1.5), store_type_with(Shape("linear", 3.0), cost=0.5)
    deserted.lines["Lamps"].sources.clear()
    for store_type in (costly, deserted):
        plan = outlook_of(store_type).best_shelf()
        assert (plan.profit, plan.spending, plan.choices) == (0.0, 0.0, {})


def test_prices_climb_by_steps_from_what_customers_have_paid() -> None:
    store_type = store_type_with(Shape("constant_elasticity", 1.2), cost=0.5)
    for proven in (1.0, 2.0):
        store_type.lines["Lamps"].proven = proven
        highest = max(ratio for ratio in RATIOS if ratio <= DARING * proven)
        assert outlook_of(store_type).best_shelf().choices["Lamps"].ratio == highest
    store_type.lines["Lamps"].proven = 100.0
    assert outlook_of(store_type).best_shelf().choices["Lamps"].ratio > DARING * 2.0


def test_a_delivery_is_whole_only_if_it_adds_up_to_orders() -> None:
    assert subset_of([40, 25], 25) == (25,)
    assert subset_of([40, 25], 65) == (40, 25)
    assert subset_of([40], 26) is None


def test_defective_goods_stand_out_from_goods_that_are_merely_dear() -> None:
    assert Record(sold=100, returned=45, expected=20).is_alarming()
    assert not Record(sold=100, returned=28, expected=20).is_alarming()
    assert not Record(sold=5, returned=4, expected=0.2).is_alarming()


def test_sales_of_the_last_days_count_in_part_since_their_returns_are_still_to_come() -> None:
    first_day, lamp = dt.date(2026, 1, 1), LineGoods("lamp", "Lamps", 40.0)
    state = MerchantState(365, first_day, first_day, lines={"Lamps": ShelfLine("Lamps", [lamp])}, goods={"lamp": lamp})

    def counted(day: int, sold: float) -> float:
        state.date = first_day + dt.timedelta(days=day)
        parts = [{"supplier": "Lamp Makers", "units_delivered": 200, "share": 1.0}]
        row = {NATURAL_RATE: 0.1, "units_sold": sold, "units_returned": 0.0, "supplier_sources": parts}
        makers = Source("Lamp Makers", "sales@lamps.example")
        records = compare_with_orders(state, [(lamp, row)], {makers.name: makers})
        return records["Lamp Makers"].sold

    assert counted(0, 100.0) == pytest.approx(0.4 * 100.0)
    assert counted(4, 130.0) == pytest.approx(0.4 * 130.0)
    assert counted(8, 150.0) == pytest.approx(100.0 + 0.4 * 50.0)
    assert counted(20, 150.0) == pytest.approx(150.0)


def test_figures_are_read_out_of_sentences() -> None:
    assert monthly_sales("1,000 to 3,000 units platform-wide") == 2_000
    assert monthly_sales("no figures") == 0
    assert announced("The Spring Blossom Sale is open to merchants: join with join_promotion.") == "Spring Blossom Sale"
    assert announced("A storm is coming.") is None
