"""What customers buy: the deterministic multi-factor demand model (sec:demand, app:econ_demand)."""

from datetime import date
from typing import NamedTuple

from ecbench.market.books import Listing, Store
from ecbench.market.calendar import is_over, is_running
from ecbench.market.draws import demand_rounding
from ecbench.market.year import Appeal, Market, Year
from ecbench.world.model import Product

# Below this share of the reference price demand no longer grows; it keeps a price of almost nothing finite.
LOWEST_PRICE_RATIO = 1e-9
REMEMBERED_PRICES = 64


class Offer(NamedTuple):
    """What a store's enrolment does on one date: the discount given, the traffic won, the sharper price response."""

    discount: float = 0.0
    traffic: float = 1.0
    boost: float = 1.0


NO_OFFER = Offer()


class Wish(NamedTuple):
    """Customers' wish for one listed SKU before the capacity of category and store trims it."""

    product: Product
    listing: Listing
    units: float


class Sale(NamedTuple):
    product: Product
    listing: Listing
    units: int


def offer_on(store: Store, day: date, market: Market) -> Offer:
    enrolment = store.enrolment
    if enrolment is None or not is_running(enrolment.promotion, day):
        return NO_OFFER
    promotion, discount = enrolment
    reach = min(1.0, discount / market.rules.full_boost_discount)
    return Offer(discount, 1.0 + (promotion.max_demand - 1.0) * reach, promotion.elasticity_boost)


def drop_finished_enrolment(store: Store, morning: date, yesterday: date) -> None:
    if store.enrolment is None:
        return
    promotion = store.enrolment.promotion
    if not is_running(promotion, yesterday) and is_over(promotion, morning):
        store.enrolment = None


def wishes(store: Store, day: date, offer: Offer, market: Market) -> list[Wish]:
    """Equation eq:demand up to the capacity terms."""
    weekday = market.rules.weekend_factor if day.weekday() >= 5 else 1.0
    season = store.type.seasonality[day.month - 1]
    event = market.calendar.demand_factor(store.type.id, day)
    standing, traffic, appeal_of = store.reputation, offer.traffic, market.appeal
    found = []
    for sku, listing in store.shelf.items():
        if listing.quantity > 0:
            appeal = appeal_of(sku)
            pull = _pull(appeal, listing.price, offer)
            found.append(Wish(appeal.product, listing, pull * weekday * traffic * season * event * standing))
    return found


def _pull(appeal: Appeal, price: float, offer: Offer) -> float:
    """Base demand times the answer to the price, remembered per SKU while neither changes."""
    known = appeal.pulls.get((price, offer.discount, offer.boost))
    if known is None:
        ratio = max(LOWEST_PRICE_RATIO, (1.0 - offer.discount) * price / appeal.product.reference_price)
        known = appeal.base * appeal.curve(ratio, appeal.eta * offer.boost)
        if len(appeal.pulls) >= REMEMBERED_PRICES:
            appeal.pulls.clear()
        appeal.pulls[price, offer.discount, offer.boost] = known
    return known


def category_fraction(categories: int, market: Market) -> float:
    """The share of a store's capacity that one category may claim (eq:app_saturation)."""
    rules = market.rules
    return min(1.0, max(rules.category_fraction, rules.category_spread / categories))


def trim_to_capacity(found: list[Wish], store: Store, market: Market) -> list[float]:
    """First each category's stacked demand saturates, then the store's."""
    capacity = store.type.capacity
    fraction = category_fraction(len(store.type.categories), market)
    if fraction < 1.0:
        ceiling = fraction * capacity
        stacked: dict[str, float] = {}
        for product, _, units in found:
            stacked[product.category] = stacked.get(product.category, 0.0) + units
        wanted = [units * (ceiling / (ceiling + stacked[product.category])) for product, _, units in found]
    else:
        wanted = [units for _, _, units in found]
    store_factor = capacity / (capacity + sum(wanted))
    return [units * store_factor for units in wanted]


def units_sold(wanted: float, shelf: int, seed: int, sku: str, day: date) -> int:
    """Whole units, the last fraction rounded by a draw that the order of calls cannot change."""
    whole = int(wanted)
    if whole >= shelf:
        return shelf
    return whole + (demand_rounding(seed, sku, day) < wanted - whole)


def sales_of(store: Store, day: date, offer: Offer, year: Year) -> list[Sale]:
    """What a store sells on a date, in the order in which its SKUs were first listed."""
    found = wishes(store, day, offer, year.market)
    if not found:
        return []
    seed, sold = year.world.seed, []
    for (product, listing, _), wanted in zip(found, trim_to_capacity(found, store, year.market), strict=True):
        units = units_sold(wanted, listing.quantity, seed, product.sku, day)
        if units:
            sold.append(Sale(product, listing, units))
    return sold
