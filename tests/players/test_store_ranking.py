"""Which store types keep their store, and what is bought for them."""

import datetime as dt

import pytest

from ecbench.players.merchants.steady.estimates import DemandEstimate, PriceBelief, Shape
from ecbench.players.merchants.steady.planning import make_plans
from ecbench.players.merchants.steady.selling import choose_listings
from ecbench.players.merchants.steady.state import LineGoods, MerchantState, ShelfLine, Source, StoreTypeView
from ecbench.rules import Rules

TODAY = dt.date(2026, 3, 1)


def store_type_of(name: str, potential: float | None, store: str | None = None) -> StoreTypeView:
    """A store type that was tried if it has a potential."""
    store_type = StoreTypeView(name, name, 100.0, [1.0] * 12, {}, DemandEstimate(3), store=store, potential=potential)
    store_type.ordered_on = TODAY
    store_type.sold_days = 20 if potential is not None else 0
    return store_type


def state_of(*store_types: StoreTypeView) -> MerchantState:
    start = TODAY - dt.timedelta(days=100)
    return MerchantState(
        365, date=TODAY, start=start, bank=1e6, store_types={store_type.id: store_type for store_type in store_types}
    )


def lamps(store_type: StoreTypeView) -> ShelfLine:
    """Forty goods that the store type has tried, of one supplier."""
    goods = [LineGoods(f"sku{index}", "Lamps", 200.0 - index, index) for index in range(40)]
    belief = PriceBelief((Shape("exponential", 3.0),))
    line = ShelfLine(
        "Lamps", goods, market=60.0, cost=0.5, belief=belief, tried=True, sources=[Source("A", "a@x.example")]
    )
    store_type.lines["Lamps"] = line
    return line


def test_a_promotion_changes_prices_and_not_what_is_worth_carrying() -> None:
    def planned(*, on_offer: bool) -> ShelfLine:
        store_type = store_type_of("lamps", 1_000.0, "s1")
        line = lamps(store_type)
        state = state_of(store_type)
        state.offer_traffic, state.on_offer = 3.0, {"s1"} if on_offer else set()
        make_plans(state)
        return line

    ordinary, on_offer = planned(on_offer=False), planned(on_offer=True)
    assert (on_offer.listings, on_offer.daily) == (ordinary.listings, ordinary.daily)
    assert on_offer.ratio != ordinary.ratio


@pytest.mark.parametrize("upkeep", [30.0, 100.0, 400.0])
@pytest.mark.parametrize("hurdle", [3, 6, 12])
def test_little_money_buys_something_however_much_was_asked_of_a_listing_before(upkeep: float, hurdle: int) -> None:
    store_type = store_type_of("lamps", 1_000.0, "s1")
    line, state = lamps(store_type), state_of(store_type)
    state.bank, state.upkeep, state.hurdle = 10_000.0, upkeep, hurdle
    make_plans(state)
    assert line.listings > 0


def test_stores_clear_their_shelves_in_an_order_that_no_process_changes() -> None:
    """Fourteen stores: a set of their ids would have another order in nearly every process."""
    numbers, planned = range(14), LineGoods("lamp", "Line 0", 900.0)
    spare = [LineGoods(f"sku {number}", f"Line {number}", 100.0 - number, rank=1) for number in numbers]
    store_types = [store_type_of(f"type {number}", 1_000.0, f"store {number}") for number in numbers]
    for item, store_type in zip(spare, store_types, strict=True):
        store_type.lines[item.line] = ShelfLine(item.line, [item], listings=1)
    state = state_of(*store_types)
    state.rules = Rules(most_listings=1)
    state.goods = {item.sku: item for item in (planned, *spare)}
    state.shelf, state.free = {item.sku: 3 for item in spare}, {planned.sku: 2}
    assert choose_listings(state) == {planned.sku}
    assert [call["arguments"]["store_id"] for call, _ in state.outbox] == [f"store {number}" for number in numbers]
