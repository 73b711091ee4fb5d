"""Quirks of the published economy, each with its size in yuan on the default world.

    python benchmarks/quirks.py                    print the table
    python benchmarks/quirks.py docs/validity.md   put it into the page too, between its marks

Every quirk is one function that measures it: on the demand model, by playing it with ordinary calls, or on a year of
`haggler`. All of it takes well under a minute.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from statistics import fmean
from typing import NamedTuple

import numpy as np
from doc_tables import markdown_table, publish
from revaluation import revalue_and_liquidate
from static_optimum import PRICES_TO_1000, static_optima

from ecbench import Episode, load_world
from ecbench.market.best_shelf import best_shelf
from ecbench.market.calendar import is_running
from ecbench.market.demand import base_demand, category_capacity, price_response, saturation
from ecbench.market.economy import Economy
from ecbench.market.ledger import REFUNDS
from ecbench.number_words import yuan
from ecbench.players.driver import play_year
from ecbench.players.merchants.registry import get_merchant
from ecbench.rules import DEFAULT_RULES
from ecbench.suppliers.kernel import terms_of
from ecbench.suppliers.scams import PRE_DEAL
from ecbench.world.generate.store_worth import PRICES, lay_out
from ecbench.world.model import Category, Promotion, StoreType, World

RULES = DEFAULT_RULES
CROWDED = "home_living"
RISE = 1.1  # of all prices of the crowded store
TINY_CAP = "Major Appliances"


class Quirk(NamedTuple):
    name: str
    fact: str
    size: str


def revalued_stock(world: World) -> Quirk:
    found = revalue_and_liquidate(world)
    return Quirk(
        "Revalued stock",
        f"Selling off pays a tenth of the mean cost of the units at hand, and units on their way back take over that "
        f"mean. {found.units:,} cheap units are sold and not shipped; meanwhile one unit arrives, bought for "
        f"{yuan(found.paid)}; the cancelled units return at its cost, and the store is liquidated. Played with "
        f"{found.calls} calls from a stake of {yuan(RULES.stake)}",
        f"{yuan(found.proceeds)} in {found.days} days",
    )


def endless_prices(world: World) -> Quirk:
    """Of the store type that gains most."""
    usual, dear = static_optima(world, PRICES), static_optima(world, PRICES_TO_1000)
    place = int(np.argmax(dear - usual))
    return Quirk(
        "Prices without end",
        "Under constant elasticity demand never ends, and returns stop rising at 1.8 times reference, so the best "
        f"price of some goods is whatever is allowed. Static optimum of {world.store_types[place].name} at up to 16 "
        f"times reference, {yuan(usual[place])} a day; at up to 1,000 times, {yuan(dear[place])}",
        f"{yuan(dear[place] - usual[place])} a day",
    )


def free_promotions(world: World) -> Quirk:
    """A sale's traffic is won by the discount, while customers answer the price after it."""
    best = _best_gains(world, world.promotions)
    return Quirk(
        "Sales that cost nothing",
        "Customers answer the price after the discount, and nothing remembers the one before. List prices raised by "
        "what the discount takes off win a promotion's whole traffic for the usual price. What joining every "
        f"promotion so adds to the static optimum of {', '.join(kind.name for _, kind in best)}",
        f"{yuan(sum(gain for gain, _ in best))} a year",
    )


def unannounced_sale(world: World) -> Quirk:
    """What is posted before the first call is never shown, and counts as announced."""
    running = [promotion for promotion in world.promotions if is_running(promotion, world.start)]
    names = ", ".join(promotion.name for promotion in running)
    best = _best_gains(world, running)
    return Quirk(
        "A sale that is never announced",
        f"A promotion that runs on the first day is announced before the first call, where nobody reads it, and not "
        f"again: {names}. It can be joined by an agent that guesses its name. What it would add to the static optimum "
        f"of {', '.join(kind.name for _, kind in best)}",
        f"{yuan(sum(gain for gain, _ in best))} a year",
    )


def _best_gains(world: World, promotions: Sequence[Promotion]) -> list[tuple[float, StoreType]]:
    """The store types that gain most by these promotions, as many as a merchant may run."""
    gains = [(_promotion_gain(world, kind, promotions), kind) for kind in world.store_types]
    return sorted(gains, key=lambda gain: -gain[0])[: RULES.max_stores]


def _promotion_gain(world: World, kind: StoreType, promotions: Sequence[Promotion]) -> float:
    categories = [world.category_by_name[name] for name in kind.categories]
    goods = [world.products_by_category[category.name] for category in categories]
    plain, gain = lay_out(kind, categories, goods, RULES), 0.0
    traffic = Economy.of(world, RULES).traffic[kind.id]
    for promotion in promotions:
        sharper = [replace(category, eta=category.eta * promotion.elasticity_boost) for category in categories]
        shelf = lay_out(kind, sharper, goods, RULES)
        for day in _days(world, promotion):
            joined = best_shelf(shelf, traffic[day] * promotion.max_demand).earned
            gain += max(0.0, joined - best_shelf(plain, traffic[day]).earned)
    return gain


def _days(world: World, promotion: Promotion) -> Iterator[date]:
    days = (world.start + timedelta(day) for day in range(world.days))
    return (day for day in days if is_running(promotion, day))


def unwelcome_discounts(world: World) -> Quirk:
    """All goods of the quadratic categories, on the strongest promotion's first day, at reference price before it."""
    strongest = max(world.promotions, key=lambda promotion: promotion.max_demand)
    boost, discount = strongest.elasticity_boost, RULES.full_boost_discount
    day, joined, alone = next(_days(world, strongest)), 0.0, 0.0
    quadratic = [category for category in world.categories if category.elasticity == "quadratic"]
    for kind in world.store_types:
        own = [category for category in quadratic if category.store_type == kind.id]
        traffic = Economy.of(world, RULES).traffic[kind.id][day]
        alone += _revenue(world, kind, own, traffic, 1.0)
        joined += _revenue(world, kind, own, traffic * strongest.max_demand, 1 - discount, boost)
    dead = sum(price_response(category, 1 - discount, 1.0, boost) == 0 for category in quadratic)
    return Quirk(
        "Unwelcome discounts",
        "Where demand is quadratic a price below reference drives customers away like one above it, and a promotion "
        f"sharpens that. In the {strongest.name}, {discount:.0%} off the reference price leaves {dead} of "
        f"{len(quadratic)} quadratic categories without a customer. Revenue of all their goods that day, not joining "
        f"and joining: {yuan(alone)}, {yuan(joined)}",
        f"{yuan(joined - alone)} a day",
    )


def _revenue(
    world: World, kind: StoreType, categories: Sequence[Category], traffic: float, price: float, boost: float = 1.0
) -> float:
    """Of a store of full reputation with all goods of these categories, at this multiple of their reference prices."""
    room, wishes, money = category_capacity(kind, RULES), 0.0, 0.0
    for category in categories:
        goods = world.products_by_category[category.name]
        wish = base_demand(category, kind, RULES) * price_response(category, price, 1.0, boost) * traffic
        if room is not None:
            wish *= saturation(room, wish * len(goods))
        wishes += wish * len(goods)
        money += wish * price * sum(product.reference_price for product in goods)
    return money * saturation(kind.capacity, wishes)


def crowded_store(world: World) -> Quirk:
    kind = world.store_type_by_id[CROWDED]
    own = [world.category_by_name[name] for name in kind.categories]
    before, after = (_revenue(world, kind, own, 1.0, price) for price in (1.0, RISE))
    roomy = replace(kind, capacity=1e12)
    alone = _revenue(world, roomy, own, 1.0, RISE) / _revenue(world, roomy, own, 1.0, 1.0) - 1
    return Quirk(
        "The crowd hides the price",
        f"Sales saturate as capacity x demand / (capacity + demand). With all goods listed in {kind.name}, prices "
        f"{RISE - 1:.0%} above reference change revenue by {after / before - 1:+.1%}, from {yuan(before)} to "
        f"{yuan(after)} on an ordinary weekday; without the crowd it would be {alone:+.1%}",
        f"{yuan(after - before)} a day",
    )


def worthless_end(world: World) -> Quirk:
    """`haggler` as it is, and as it would be if it took the year for one of two."""
    aware, unaware = haggler_year(world, world.days), haggler_year(world, 2 * world.days)
    books = unaware.account.books
    stock = sum(stock.cost * stock.physical for stock in books.stock.values())
    transit = sum(order.charged for orders in books.in_transit.values() for order in orders)
    unshipped = sum(g.unit_price * g.quantity for store in books.trading for g in store.sold_yesterday.goods)
    return Quirk(
        "A year that ends at once",
        "Stock counts nothing at the end, and what sells on the last day cannot be shipped any more. A `haggler` that "
        f"does not know when the year ends is left with goods that cost {yuan(stock)}, {yuan(transit)} of paid orders "
        f"on their way and last sales of {yuan(unshipped)}, and has so much less than one that knows",
        yuan(_final(aware) - _final(unaware)),
    )


def _final(year: Episode) -> float:
    return year.bank + year.wallet


def haggler_year(world: World, days_expected: int) -> Episode:
    year = Episode(world)
    play_year(get_merchant("haggler", days=days_expected), year)
    return year


def commission_on_returns(world: World) -> Quirk:
    books = haggler_year(world, world.days).account.books
    refunds, from_escrow = books.refund_loss, -books.purse.totals[REFUNDS]
    given_back = refunds - from_escrow
    kept = RULES.commission * refunds - given_back
    return Quirk(
        "Commission on returns",
        f"The platform keeps its {RULES.commission:.0%} on goods that came back, unless a whole shipment does, when it "
        f"bears that share of the refund. Of {yuan(refunds)} refunded in a year of `haggler` it kept {yuan(kept)} and "
        f"gave back {yuan(given_back)}",
        f"{yuan(kept)} a year",
    )


def toothless_scam(world: World) -> Quirk:
    """What a pre-deal scam takes at least above the honest floor, per unit, on average over the goods of a category."""
    category = world.category_by_name[TINY_CAP]
    others = [name for name in world.store_type_by_id[category.store_type].categories if name != TINY_CAP]
    own, usual = _overpayment(world, TINY_CAP), fmean(_overpayment(world, name) for name in others)
    return Quirk(
        "A scam without a sting",
        f"What a pre-deal scam asks is capped at {category.scam_cap_ratio:.2f} of reference in {TINY_CAP}, below the "
        f"honest floor of {category.floor_ratio:.2f}, so an agent that bargains there pays {own:.0%} of reference "
        f"above the floor, against {usual:.0%} in the other categories of the store type, which would come to this "
        "here",
        f"{yuan(usual * fmean(p.reference_price for p in world.products_by_category[TINY_CAP]))} a unit",
    )


def _overpayment(world: World, name: str) -> float:
    """Over the reference price."""
    economy = Economy.of(world, DEFAULT_RULES)
    pre_deal = [supplier for supplier in world.suppliers_by_category[name] if supplier.scam in PRE_DEAL]
    goods = world.products_by_category[name]
    terms = [terms_of(economy, supplier, product) for supplier in pre_deal for product in goods]
    return fmean((each.reservation - each.floor) / each.reference_price for each in terms)


QUIRKS: tuple[Callable[[World], Quirk], ...] = (
    revalued_stock,
    endless_prices,
    free_promotions,
    unannounced_sale,
    unwelcome_discounts,
    crowded_store,
    worthless_end,
    commission_on_returns,
    toothless_scam,
)


def section() -> str:
    world = load_world("default")
    quirks = [measure(world) for measure in QUIRKS]
    return markdown_table(["Quirk", "Size"], [[f"**{q.name}.** {q.fact}.", q.size] for q in quirks])


if __name__ == "__main__":
    publish("quirks", section(), sys.argv[1:])
