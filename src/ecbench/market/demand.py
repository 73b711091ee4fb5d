"""What customers buy: the deterministic multi-factor demand model (sec:demand, app:econ_demand)."""

from datetime import date
from typing import NamedTuple

from ecbench.market.appeal import Appeal
from ecbench.market.books import Listing, Store
from ecbench.market.calendar import is_over, is_running
from ecbench.market.year import Market
from ecbench.world.model import Product

Wish = tuple[Appeal, Listing, float]  # customers' wish for one listed SKU before capacity trims it
Sale = tuple[Product, Listing, int]


class Offer(NamedTuple):
    """What a store's enrolment does on one date: the discount given, the traffic won, the sharper price response."""

    discount: float = 0.0
    traffic: float = 1.0
    boost: float = 1.0


NO_OFFER = Offer()


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
    standing, appeal_of, charged, traffic, boost = store.reputation, market.appeal, 1.0 - offer.discount, *offer[1:]
    found = []
    for sku, listing in store.shelf.items():
        if listing.quantity > 0:
            appeal = appeal_of(sku)
            pull = appeal.pull(charged * listing.price, boost)
            found.append((appeal, listing, pull * weekday * traffic * season * event * standing))
    return found


def category_fraction(categories: int, market: Market) -> float:
    """The share of a store's capacity that one category may claim (eq:app_saturation)."""
    rules = market.rules
    return min(1.0, max(rules.category_fraction, rules.category_spread / categories))


def trim_to_capacity(found: list[Wish], store: Store, market: Market) -> list[float]:
    """First each category's stacked demand saturates, then the store's."""
    capacity = store.type.capacity
    fraction = category_fraction(len(store.type.categories), market)
    wanted = [units for _, _, units in found]
    if fraction < 1.0:
        ceiling = fraction * capacity
        stacked: dict[str, float] = {}
        for appeal, _, units in found:
            category = appeal.product.category
            stacked[category] = stacked.get(category, 0.0) + units
        factor = {category: ceiling / (ceiling + total) for category, total in stacked.items()}
        wanted = [units * factor[appeal.product.category] for appeal, _, units in found]
    store_factor = capacity / (capacity + sum(wanted))
    return [units * store_factor for units in wanted]


def units_sold(appeal: Appeal, wanted: float, shelf: int, day: date) -> int:
    """Whole units, at most the shelf; the last fraction is rounded by a draw that the order of calls cannot change."""
    whole = int(wanted)
    if whole >= shelf:
        return shelf
    return whole + appeal.rounds_up(wanted - whole, day)


def sales_of(store: Store, day: date, offer: Offer, market: Market) -> list[Sale]:
    """What a store sells on a date, in the order in which its SKUs were first listed."""
    found = wishes(store, day, offer, market)
    if not found:
        return []
    sold = []
    for (appeal, listing, _), wanted in zip(found, trim_to_capacity(found, store, market), strict=True):
        units = units_sold(appeal, wanted, listing.quantity, day)
        if units:
            sold.append((appeal.product, listing, units))
    return sold
