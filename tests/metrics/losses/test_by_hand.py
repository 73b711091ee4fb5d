"""What years of a few days lost, worked by hand: the SKU of the stall has a floor of 60 yuan and sells at 100.

At 100 yuan twenty customers a day want it and a store of capacity twenty serves 20 / (20 + 20) of them: ten. One sold
brings 98 yuan after commission, less what it cost and 0.25 for slow freight: 37.75 at a cost of 60.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import methodcaller as do
from typing import NamedTuple

import pytest
from tests.analysis.bound.tiny import PLAIN
from tests.metrics.losses.trading import CHEAT, HONEST, SECOND, SKU, STORE, Trader, found, stall

from ecbench.market.journal import Journal
from ecbench.market.ledger import REFUNDS
from ecbench.metrics.losses.account import (
    ABOVE_FLOOR,
    CANCELLED,
    DEFECTIVE,
    EMPTY_SHELF,
    FEES,
    FREIGHT,
    NO_STORE,
    PRICE,
    SHORT_DELIVERY,
    STORAGE,
    UNSOLD,
    Loss,
    by_cause,
)
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.runs.results.database import make_results
from ecbench.runs.results.statement import Statement
from ecbench.runs.results.year_tables import year_tables
from ecbench.world.model import World

Step = int | Callable[[Trader], object]
"""Days that pass, or what is done."""

SHORT = PLAIN.with_overrides({"short_delivery": (0.6, 0.0)})
SLOW_LEAD = PLAIN.with_overrides({"lead_days": (5, 5)})
FREE_FAST = PLAIN.with_overrides({"freight_factor": {"fast": 0.0, "standard": 1.0, "slow": 0.5}})
EVERY_DEFECTIVE_UNIT_RETURNS = PLAIN.with_overrides({"defective_floor": 1.0, "return_cap": 1.0})
ENDLESS = stall(capacity=1e9)  # without a crowd

LIQUIDATE = do("call", "close_store", store_id=STORE, liquidate=True)
TEN_SOLD = (do("stocked", 10), 1)  # on the morning of day 2


def ship(speed: str) -> Step:
    return do("call", "ship_orders", speed=speed)


def hurried_stall() -> World:
    """One who hurries buyers would take no less than 70 yuan."""
    world = stall()
    hurried = replace(world.supplier_by_name[CHEAT], scam="fake_urgency")
    return replace(world, suppliers=(*world.suppliers[:-1], hurried))


class Case(NamedTuple):
    """A year, and the day, yuan and units of its losses to one cause."""

    fact: str
    steps: Sequence[Step]
    cause: str
    lost: Sequence[tuple[int, float, int]] = ()
    ending: str | None = None
    rules: Rules = PLAIN
    world: World | None = None


CASES = [
    Case("a purchase at the floor loses nothing", [do("buy", 10, 60.0)], ABOVE_FLOOR),
    Case("above it every unit loses the difference", [1, do("buy", 10, 65.0)], ABOVE_FLOOR, [(1, 50.0, 10)]),
    Case(
        "the floor is that of an honest supplier whoever sold",
        [do("buy", 10, 72.0, CHEAT)],
        ABOVE_FLOOR,
        [(0, 120.0, 10)],
        world=hurried_stall(),
    ),
    Case("a membership fee is lost whole", [do("pay_fee", CHEAT)], FEES, [(0, 1_000.0, 1)]),
    # Six of ten come: four at 60 yuan are lost, and five yuan above the floor were paid for all ten.
    Case("what never comes", [do("buy", 10, 65.0, short=True)], SHORT_DELIVERY, [(0, 240.0, 4)], rules=SHORT),
    Case("its price", [do("buy", 10, 65.0, short=True)], ABOVE_FLOOR, [(0, 50.0, 10)], rules=SHORT),
    # Ten go in a day, so of fifteen and ten bought the ten at 70 and five at 65 are left.
    Case("goods may still be sold", [do("stocked", 15, cost=65.0), do("buy", 10, 70.0), 1], UNSOLD),
    Case(
        "those bought last are left over",
        [do("stocked", 15, cost=65.0), do("buy", 10, 70.0), 1],
        UNSOLD,
        [(0, 300.0, 5), (1, 600.0, 10)],
        "turn_limit",
    ),
    Case("below the floor at their cost", [do("buy", 10, 50.0), 1], UNSOLD, [(0, 500.0, 10)], "turn_limit"),
    Case("a bargain is not a loss", [do("buy", 10, 50.0), 1], ABOVE_FLOOR, (), "turn_limit"),
    Case("on their way", [do("buy", 10, 60.0), 1], UNSOLD, [(0, 600.0, 10)], "turn_limit", SLOW_LEAD),
    # Five of fifteen are left and sold off for a tenth of the 60 yuan each had cost.
    Case("less what liquidation brings", [do("stocked", 15), 1, LIQUIDATE], UNSOLD, [(0, 270.0, 5)], "turn_limit"),
    # A hundred units at a cent each, from the morning after they came.
    Case("storage", [do("buy", 100, 60.0), 3], STORAGE, [(2, 1.0, 100), (3, 1.0, 100)]),
    # Seven days of grace.
    Case("no store", [10], NO_STORE, [(day, 1_000.0, 0) for day in (8, 9, 10)], rules=DEFAULT_RULES),
    Case("no slot is empty where every type has its store", [do("open"), 2], NO_STORE),
    Case("what a full shelf would have sold besides", [do("stocked", 4), 1], EMPTY_SHELF, [(1, 226.5, 6)]),
    Case("every day", [do("stocked", 4), 3], EMPTY_SHELF, [(1, 226.5, 6), (2, 377.5, 10), (3, 377.5, 10)]),
    Case("a shelf that holds just enough lost nothing", [do("stocked", 10), 1], EMPTY_SHELF),
    Case("goods that cost more than they bring are no loss", [do("stocked", 4, cost=99.0), 2], EMPTY_SHELF),
    # Sold on day 1 and due on day 3: cancelled on the morning of day 4, 98 - 60 - 0.25 yuan each; the units come back.
    Case("cancelled orders lose their margin", [*TEN_SOLD, 3], CANCELLED, [(4, 377.5, 10)]),
    Case("orders that are sent in time lose nothing", [*TEN_SOLD, ship("slow"), 3], CANCELLED, (), "turn_limit"),
    Case("orders that wait may still be sent", TEN_SOLD, CANCELLED),
    Case("orders that the end finds unsent lose their units too", TEN_SOLD, CANCELLED, [(2, 977.5, 10)], "turn_limit"),
    # Nobody sends anything back: half a yuan by standard, twice that by fast, half of it by slow freight.
    Case("slow is best", [*TEN_SOLD, ship("slow")], FREIGHT),
    Case("standard costs more", [*TEN_SOLD, ship("standard")], FREIGHT, [(2, 2.5, 10)]),
    Case("fast costs most", [*TEN_SOLD, ship("fast")], FREIGHT, [(2, 7.5, 10)]),
    # Every second unit comes back by standard freight, which loses 40 yuan: 20.5 in all. Fast: 0.375 x 40 + 1 = 16.
    # Slow: 0.65 x 40 + 0.25 = 26.25.
    Case("fast keeps sales", [*TEN_SOLD, ship("fast")], FREIGHT, world=stall(returns=0.5)),
    Case("standard", [*TEN_SOLD, ship("standard")], FREIGHT, [(2, 45.0, 10)], world=stall(returns=0.5)),
    Case("slow loses sales", [*TEN_SOLD, ship("slow")], FREIGHT, [(2, 102.5, 10)], world=stall(returns=0.5)),
    Case("other rules, other speeds", [*TEN_SOLD, ship("slow")], FREIGHT, [(2, 2.5, 10)], rules=FREE_FAST),
    # 20 (3 - 2 r) units at 98 r - 60.25 each, r the price over reference, which peaks at r = 1.0574.
    Case("a low price", [do("stocked", 100), 1], PRICE, [(1, 12.9237, 0)], world=ENDLESS),
    Case("the best price", [do("stocked", 100, price=105.74), 1], PRICE, world=ENDLESS),
    # Ten units sell at 20 (3 - 2 r) = 10, r = 1.25, as well as at the reference price: 98 x 0.25 more each.
    Case("a shelf that sells out", [do("stocked", 10), 1], PRICE, [(1, 245.0, 0)], world=ENDLESS),
]


def played(case: Case) -> Trader:
    trader = Trader(case.world, case.rules)
    for step in case.steps:
        trader.sleep(step) if isinstance(step, int) else step(trader)
    return trader


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.fact)
def test_a_year_has_lost_what_follows_by_hand(case: Case) -> None:
    rows = found(played(case).losses(case.ending), case.cause)
    assert [(day, units) for day, _, units in rows] == [(day, units) for day, _, units in case.lost]
    off = 1e-3 if case.cause == PRICE else 1e-9  # the search for a price ends somewhere
    assert [yuan for _, yuan, _ in rows] == pytest.approx([yuan for _, yuan, _ in case.lost], rel=off)


@pytest.mark.parametrize(
    ("steps", "loss"),
    [
        ([1, do("buy", 10, 65.0)], Loss(1, ABOVE_FLOOR, 50.0, sku=SKU, supplier=HONEST, units=10, order=1)),
        ([do("pay_fee", CHEAT)], Loss(0, FEES, 1_000.0, supplier=CHEAT, units=1, order=1)),
        ([do("stocked", 4), 1], Loss(1, EMPTY_SHELF, 226.5, STORE, SKU, units=6)),
        ([*TEN_SOLD, 3], Loss(4, CANCELLED, 377.5, STORE, SKU, units=10)),
    ],
)
def test_a_loss_names_whom_it_is_about(steps: Sequence[Step], loss: Loss) -> None:
    assert [each for each in played(Case("", steps, loss.cause)).losses() if each.cause == loss.cause] == [loss]


def test_what_the_last_day_sold_could_not_be_sent_by_anybody() -> None:
    """The year of twelve days ends on the morning after its last day."""
    trader = played(Case("", [do("open"), do("buy", 10, 60.0), 11, do("list", 10), 1], CANCELLED))
    assert trader.year.ending == "year_end"
    assert [sale.day for sale in (trader.year.account.journal or Journal()).sales] == [11]
    assert found(trader.losses(), CANCELLED) == []


@pytest.mark.parametrize(("units", "judged"), [(190, True), (200, False)])
def test_the_price_of_goods_that_cannot_be_sold_in_time_is_not_judged(units: int, judged: bool) -> None:
    """The best price sells 20 (3 - 2 x 1.0574) = 17.7 a day, and eleven days of sales are left: 194 units."""
    trader = played(Case("", [do("stocked", units, price=150.0), 1], PRICE, world=ENDLESS))
    assert bool(found(trader.losses(), PRICE)) is judged


def sold_defective(units: dict[str, int], *, returns: float, defective: bool = True) -> Trader:
    """Units of these suppliers, sold and sent, and whatever of them came back is back."""
    bought = [do("buy", count, 60.0, supplier, defective=defective) for supplier, count in units.items()]
    steps: list[Step] = [do("open"), *bought, 1, do("list", sum(units.values())), 1, do("call", "ship_orders"), 2]
    return played(Case("", steps, DEFECTIVE, rules=EVERY_DEFECTIVE_UNIT_RETURNS, world=stall(returns=returns)))


def test_refunds_that_only_defective_goods_brought_are_charged_to_who_delivered_them() -> None:
    """No sound unit comes back and every defective one does; the platform bears its commission on a whole shipment."""
    trader = sold_defective({CHEAT: 4}, returns=0.0)
    [loss] = [loss for loss in trader.losses() if loss.cause == DEFECTIVE]
    assert loss == Loss(3, DEFECTIVE, 4 * 98.0, STORE, SKU, CHEAT, 4)
    assert loss.amount == pytest.approx(-trader.year.account.books.purse.totals[REFUNDS])


def test_suppliers_share_the_blame_by_the_defective_units_they_delivered() -> None:
    trader = sold_defective({CHEAT: 3, SECOND: 1}, returns=0.0)
    blamed = {loss.supplier: loss for loss in trader.losses() if loss.cause == DEFECTIVE}
    assert {supplier: loss.units for supplier, loss in blamed.items()} == {CHEAT: 3, SECOND: 1}
    database = make_results("", {0: year_tables(trader.year, losses=trader.losses())})
    refunds = {line.supplier: line.defects for line in Statement(database).lines("cheat")}
    assert refunds == pytest.approx({CHEAT: blamed[CHEAT].amount})  # the statement lists cheats alone


def test_blame_is_the_difference_to_a_year_of_sound_goods() -> None:
    """With the same draws: every second sound unit comes back, and every defective one. Where all do, nobody is to
    blame."""
    years = [sold_defective({CHEAT: 8}, returns=0.5, defective=defective) for defective in (False, True)]
    sound, refunded = (-year.year.account.books.purse.totals[REFUNDS] for year in years)
    assert 0.0 < sound < refunded
    assert by_cause(years[1].losses())[DEFECTIVE] == pytest.approx(refunded - sound)
    anyway = sold_defective({CHEAT: 4}, returns=1.0)
    assert anyway.year.account.books.purse.totals[REFUNDS] < 0.0
    assert found(anyway.losses(), DEFECTIVE) == []
