"""Several stores of one type: customers compare prices, and one public is shared. Numbers from the formulas."""

from datetime import date
from math import exp

import pytest

from ecbench.market.books import Enrolment, Listing, Stock, Store
from ecbench.market.day_demand import Charges
from ecbench.market.economy import Economy
from ecbench.market.marketplace import lowest_rival_prices
from ecbench.market.sharing import Offered, day_demand, diverted, share_demand
from ecbench.rules import DEFAULT_RULES
from ecbench.world.fields import MonthDay
from ecbench.world.model import Promotion, World

THURSDAY, SATURDAY = date(2026, 2, 5), date(2026, 2, 7)
POT, SEEDS, NOVEL = "a00000000001", "a00000000003", "a00000000004"


def store(world: World, type_id: str, shelf: dict[str, tuple[int, float]], reputation: float = 0.5) -> Store:
    opened = Store("store_001", world.store_type_by_id[type_id], "S", world.start, reputation)
    for sku, (quantity, price) in shelf.items():
        goods = Economy.of(world, DEFAULT_RULES).demands[sku]
        stock = Stock(goods, goods.product, [world.start.toordinal()], [quantity], [1.0], [0.0])
        opened.shelf[sku] = Listing(stock, quantity, goods.priced[price, 0.0])
    return opened


def charges(stores: dict[int, Store], day: date, market: Economy) -> Charges:
    return day_demand({seat: [shop] for seat, shop in stores.items()}, day, market).charges


def test_a_cheaper_rival_is_what_customers_measure_a_price_by(world: World, market: Economy) -> None:
    """Novels: 4 a day at the reference of 40, exp(-3 (ratio - 1)), half of it at a reputation of 0.5."""
    dear, cheap = (
        store(world, "books", {NOVEL: (50, 40.0)}),
        store(world, "books", {NOVEL: (50, 30.0)}, reputation=0.25),
    )
    assert charges({0: dear, 1: cheap}, THURSDAY, market) == {NOVEL: {0: 40.0, 1: 30.0}}
    first, second = share_demand({0: dear, 1: cheap}, THURSDAY, market).values()
    assert first.claims == pytest.approx([4 * exp(-3 * (40 / 30 - 1)) * 0.5])
    assert second.claims == pytest.approx([4 * exp(-3 * (30 / 40 - 1)) * 0.25])
    together = first.claims[0] + second.claims[0]
    assert first.store_saturation == second.store_saturation == pytest.approx(40 / (40 + together))


def test_the_cheapest_of_several_rivals_counts_and_never_a_store_itself(world: World, market: Economy) -> None:
    prices = (36.0, 30.0, 38.0)
    shops = {seat: store(world, "books", {NOVEL: (50, price)}) for seat, price in enumerate(prices)}
    charged = charges(shops, THURSDAY, market)
    assert [lowest_rival_prices(charged, seat) for seat in range(3)] == [{NOVEL: 30.0}, {NOVEL: 36.0}, {NOVEL: 30.0}]
    expected = [4 * exp(-3 * (price / rival - 1)) * 0.5 for price, rival in zip(prices, (30, 36, 30), strict=True)]
    assert [shelf.claims[0] for shelf in share_demand(shops, THURSDAY, market).values()] == pytest.approx(expected)


def test_a_promotion_sharpens_the_comparison_and_shows_the_price_after_its_discount(
    world: World, market: Economy
) -> None:
    on_offer, plain = store(world, "books", {NOVEL: (50, 40.0)}), store(world, "books", {NOVEL: (50, 36.0)})
    # 30 yuan to the customer, twice the visitors, eta of 4.5
    on_offer.enrolment = Enrolment(Promotion("February", ((MonthDay(2, 1), MonthDay(2, 28)),), 2.2, 1.5), 0.25)
    assert charges({0: on_offer, 1: plain}, SATURDAY, market) == {NOVEL: {0: 30.0, 1: 36.0}}
    promoted, other = share_demand({0: on_offer, 1: plain}, SATURDAY, market).values()
    assert promoted.claims == pytest.approx([4 * exp(-4.5 * (30 / 36 - 1)) * 1.3 * 0.5 * 2])
    assert other.claims == pytest.approx([4 * exp(-3 * (36 / 30 - 1)) * 1.3 * 0.5])


def test_a_store_alone_in_its_type_has_no_rival_demand(world: World, market: Economy) -> None:
    alone = store(world, "books", {NOVEL: (50, 40.0)})
    assert share_demand({3: alone}, THURSDAY, market)[3].rival_demand == {}


def test_the_units_of_a_single_rival_count_whole_to_the_last_bit() -> None:
    """3 * 0.1 / 0.1 is 3.0000000000000004."""
    assert diverted(0, 1, {0: Offered(9, 40.0, 0.1), 1: Offered(3, 30.0, 2.0)}) == 3


def test_sold_out_rival_takes_no_customers(world: World, market: Economy) -> None:
    mine, empty = store(world, "books", {NOVEL: (50, 40.0)}), store(world, "books", {NOVEL: (0, 10.0)})
    assert charges({0: mine, 1: empty}, THURSDAY, market) == {NOVEL: {0: 40.0}}
    first, second = share_demand({0: mine, 1: empty}, THURSDAY, market).values()
    assert (first.claims, second.claims) == ([2.0], [])
    assert first.store_saturation == pytest.approx(40 / 42)


def test_a_category_is_crowded_by_all_stores_together(world: World, market: Economy) -> None:
    """Pots 6 a day linearly, seeds 6 quadratically, both at their reference price; six tenths of 100 a category."""
    one = store(world, "garden", {POT: (50, 100.0), SEEDS: (50, 20.0)})
    two = store(world, "garden", {POT: (50, 100.0)}, reputation=1.0)
    first, second = share_demand({0: one, 1: two}, THURSDAY, market).values()
    pots, seeds = 60 / (60 + 3 + 6), 60 / (60 + 3)
    assert first.claims == pytest.approx([3 * pots, 3 * seeds])
    assert second.claims == pytest.approx([6 * pots])
    together = 3 * pots + 3 * seeds + 6 * pots
    assert first.store_saturation == second.store_saturation == pytest.approx(100 / (100 + together))


def test_a_price_below_half_the_reference_is_compared_as_half(world: World, market: Economy) -> None:
    """4 novels a day at the reference of 40, exp(-3 (ratio - 1)), at a reputation of 0.5."""
    mine, cheap = store(world, "books", {NOVEL: (50, 40.0)}), store(world, "books", {NOVEL: (50, 1e-9)})
    shared = share_demand({0: mine, 1: cheap}, THURSDAY, market)
    assert shared[0].claims == pytest.approx([4 * exp(-3 * (40 / 20 - 1)) * 0.5])


@pytest.mark.parametrize("units", [0, 1, 3, 10])
@pytest.mark.parametrize("price", [1e-9, 0.5])
def test_a_rival_takes_no_more_customers_than_it_has_units_for(
    world: World, market: Economy, units: int, price: float
) -> None:
    """Each takes customers by comparison and by saturation, and its own sales continue."""
    skus = {POT: 100.0, SEEDS: 20.0}
    shelf = {sku: (500, reference) for sku, reference in skus.items()}
    alone, beside = (store(world, "garden", shelf, reputation=1.0) for _ in range(2))
    rival = store(world, "garden", {sku: (units, price * reference) for sku, reference in skus.items()})
    shelves = share_demand({0: alone}, THURSDAY, market)[0], share_demand({0: beside, 1: rival}, THURSDAY, market)[0]
    before, after = (sum(shelf.claims) * shelf.store_saturation for shelf in shelves)
    assert before - 2 * units * len(skus) <= after <= before
    assert (after < before) == (units > 0)


def test_the_units_of_a_rival_are_divided_among_those_who_lose_customers_to_it(world: World, market: Economy) -> None:
    """A single unit at half the price: two dearer stores, the second with three times the reputation, lose one unit."""
    shops = {seat: store(world, "books", {NOVEL: (50, 40.0)}, reputation=0.25 * 3**seat) for seat in (0, 1)}
    free = store(world, "books", {NOVEL: (1, 20.0)})
    shared = share_demand({**shops, 2: free}, THURSDAY, market)
    for seat, share in ((0, 0.25), (1, 0.75)):
        raw = 4 * 0.25 * 3**seat
        assert shared[seat].claims == pytest.approx([raw - share / (40 / (40 + raw))])


def test_a_crowd_of_rivals_weighs_no_more_than_at_half_the_reference_price(world: World, market: Economy) -> None:
    mine = store(world, "garden", {SEEDS: (50, 20.0)})
    giveaway, half = (store(world, "garden", {POT: (10**6, price)}) for price in (1e-9, 50.0))
    cheapest, half_price = (share_demand({0: mine, 1: rival}, THURSDAY, market)[0] for rival in (giveaway, half))
    assert cheapest.store_saturation == pytest.approx(half_price.store_saturation)


def test_behind_a_rival_that_sells_out_the_next_one_is_compared(world: World, market: Economy) -> None:
    """One unit at 20 serves a part of the customers, and the rest of them compare with the 30 of the other store."""
    mine, few, many = (
        store(world, "books", {NOVEL: (units, price)}) for units, price in ((50, 40.0), (1, 20.0), (500, 30.0))
    )
    served, others = 40 / 42, 2.0 + 2.0 * exp(-3 * (30 / 40 - 1))
    gone = 1 * 2.0 / others / served
    lost = gone + 2.0 - 2.0 * exp(-3 * (40 / 30 - 1))
    assert share_demand({0: mine, 1: few, 2: many}, THURSDAY, market)[0].claims == pytest.approx([2.0 - lost])


@pytest.mark.parametrize("sku", [SEEDS, POT])
def test_a_rival_with_few_units_crowds_by_the_customers_that_they_serve(
    world: World, market: Economy, sku: str
) -> None:
    """6 seeds a day, and one unit of a rival at its reference price: in its category, or beside it."""
    mine = store(world, "garden", {SEEDS: (50, 20.0)}, reputation=1.0)
    rival = store(world, "garden", {sku: (1, {SEEDS: 20.0, POT: 100.0}[sku])}, reputation=1.0)
    shelf = share_demand({0: mine, 1: rival}, THURSDAY, market)[0]
    category = 60 / (60 + 6)
    in_store = 100 / (100 + 6 * category)
    weight = 1 / (category * in_store if sku == SEEDS else in_store)
    beside = weight if sku == SEEDS else 0.0
    assert shelf.claims == pytest.approx([6 * 60 / (60 + 6 + beside)])
    of_rival = weight * 60 / (60 + weight + (6 if sku == SEEDS else 0))
    assert shelf.store_saturation == pytest.approx(100 / (100 + shelf.claims[0] + of_rival))
