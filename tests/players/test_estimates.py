"""What the steady merchant concludes from what it sees."""

from random import Random

import numpy as np
import pytest

from ecbench.market.demand import curve_response
from ecbench.players.merchants.steady.buying import Record
from ecbench.players.merchants.steady.estimates import DemandEstimate, LineDay, PriceBelief, Shape
from ecbench.players.merchants.steady.planning import Outlook, outlook
from ecbench.players.merchants.steady.state import LineGoods, MerchantState, ShelfLine, Source, StoreTypeView

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


def a_day(response: float, listings: int, sold: int, doubt: float = 0.0) -> LineDay:
    """Of a line with one price, and more in stock than anybody buys."""
    shelf = np.array([[response]]), np.array([[listings]]), np.array([[1_000.0]])
    return LineDay(60.0, *shelf, sold, doubt)


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


def test_a_line_that_cannot_pay_or_that_nobody_supplies_is_left_out() -> None:
    costly, deserted = store_type_with(Shape("linear", 3.9), cost=1.5), store_type_with(Shape("linear", 3.0), cost=0.5)
    deserted.lines["Lamps"].sources.clear()
    for store_type in (costly, deserted):
        plan = outlook_of(store_type).best_shelf()
        assert (plan.profit, plan.spending, plan.choices) == (0.0, 0.0, {})


def test_defective_goods_stand_out_from_goods_that_are_merely_dear() -> None:
    assert Record(sold=100, returned=45, expected=20).is_alarming()
    assert not Record(sold=100, returned=28, expected=20).is_alarming()
    assert not Record(sold=5, returned=4, expected=0.2).is_alarming()
