"""What customers buy: the deterministic multi-factor demand model (sec:demand, app:econ_demand)."""

from datetime import date
from typing import NamedTuple

from ecbench.market.books import Listing, Store
from ecbench.market.calendar import is_over, is_running
from ecbench.market.draws import demand_rounding
from ecbench.market.year import Market, Year
from ecbench.world.model import Product

# Below this share of the reference price demand no longer grows; it keeps a price of almost nothing finite.
LOWEST_PRICE_RATIO = 1e-9


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
    discounted = 1.0 - offer.discount
    found = []
    for sku, listing in store.shelf.items():
        if listing.quantity <= 0:
            continue
        product, base, curve, eta = market.appeal(sku)
        ratio = max(LOWEST_PRICE_RATIO, discounted * listing.price / product.reference_price)
        units = base * curve(ratio, eta * offer.boost) * weekday * offer.traffic
        units = units * season * event * store.reputation
        found.append(Wish(product, listing, max(0.0, units)))
    return found


def category_fraction(categories: int, market: Market) -> float:
    """The share of a store's capacity that one category may claim (eq:app_saturation)."""
    rules = market.rules
    return min(1.0, max(rules.category_fraction, rules.category_spread / categories))


def trim_to_capacity(found: list[Wish], store: Store, market: Market) -> list[float]:
    """First each category's stacked demand saturates, then the store's."""
    capacity = store.type.capacity
    fraction = category_fraction(len(store.type.categories), market)
    units = [wish.units for wish in found]
    if fraction < 1.0:
        ceiling = fraction * capacity
        stacked: dict[str, float] = {}
        for wish in found:
            stacked[wish.product.category] = stacked.get(wish.product.category, 0.0) + wish.units
        factor = {category: ceiling / (ceiling + total) for category, total in stacked.items()}
        units = [wish.units * factor[wish.product.category] for wish in found]
    store_factor = capacity / (capacity + sum(units))
    return [wanted * store_factor for wanted in units]


def units_sold(wanted: float, shelf: int, seed: int, sku: str, day: date) -> int:
    """Whole units, the last fraction rounded by a draw that the order of calls cannot change."""
    whole = int(wanted)
    if whole >= shelf:
        return shelf
    if demand_rounding(seed, sku, day) < wanted - whole:
        whole += 1
    return whole


def sales_of(store: Store, day: date, offer: Offer, year: Year) -> list[tuple[Wish, int]]:
    """The SKUs a store sells on a date, in the order in which they were first listed."""
    market = year.market
    found = wishes(store, day, offer, market)
    if not found:
        return []
    seed = market.world.seed
    sold = [
        (wish, units_sold(wanted, wish.listing.quantity, seed, wish.product.sku, day))
        for wish, wanted in zip(found, trim_to_capacity(found, store, market), strict=True)
    ]
    return [(wish, units) for wish, units in sold if units]
