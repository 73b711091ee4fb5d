"""What a day's demand is: a value, computed from the shelves of the evening before anything is charged or sold."""

from collections.abc import Mapping
from datetime import date
from typing import Final

from ecbench.market.books import Listing, Store
from ecbench.market.calendar import is_over, is_running
from ecbench.market.demand import NO_OFFER, Offer, offer_on, saturation
from ecbench.market.economy import Economy, PricedGoods
from ecbench.rules import Rules
from ecbench.sums import ordered_sum

NOTHING: Final[Mapping[str, float]] = {}
BELIEVED: Final = 0.5  # share of a crossed-out price's reduction that customers respond to
MOST_REDUCTION: Final = 0.25  # that they respond to
Charges = dict[str, dict[int, float]]
"""By SKU and seat: what those who have units of it on a shelf charge."""


class ShelfDemand:
    """The demand for the shelf of one store on one date: columns over its listings with units, in the shelf's order."""

    def __init__(
        self,
        offer: Offer,
        visitors: float,
        drift: Mapping[str, float],
        goods: list[PricedGoods],
        raw_demand: list[float],
        category_demand: list[float],
        seen: Mapping[str, float],
    ) -> None:
        self.offer = offer  # the store's promotion as it ran
        self.visitors = visitors  # what multiplies each pull, drift apart: w * sigma * epsilon * rho * m
        self.drift = drift  # what multiplies it further, by category, of those that drift
        self.goods = goods  # at the price charged, after the promotion's discount
        self.raw_demand = raw_demand  # before saturation
        self.category_demand = category_demand  # by category of the store type: the sum of its raw demand
        self.seen = seen  # by SKU: the price that customers respond to, if not the one charged
        self.claims: list[float] = raw_demand  # raw demand after the saturation of its category
        self.store_saturation: float = 1.0  # the share of the claims that the store can serve
        self.rival_demand: Mapping[str, float] = NOTHING  # by category: the claims of rivals' shelves

    def visitors_of(self, category: str) -> float:
        """What multiplies the pull of a listing."""
        return self.visitors * self.drift.get(category, 1.0)


class DayDemand:
    """The demand of one date for every open store of the marketplace."""

    def __init__(self, shelves: dict[int, dict[str, ShelfDemand]], charges: Charges) -> None:
        self.shelves = shelves  # by seat and store
        self.charges = charges  # of SKUs in stores that have rivals


def offer_of(store: Store, day: date, rules: Rules) -> Offer:
    """The promotion of a store as it runs on a date."""
    return NO_OFFER if store.enrolment is None else offer_on(*store.enrolment, day, rules)


def drop_finished_enrolment(store: Store, morning: date, yesterday: date) -> None:
    """A store leaves a promotion on the second morning after the promotion's last window of the year."""
    if store.enrolment is None:
        return
    promotion = store.enrolment.promotion
    if not is_running(promotion, yesterday) and is_over(promotion, morning):
        store.enrolment = None


def remember_prices(store: Store, day: date, memory: int) -> None:
    """Keep the prices of the day and of `memory` days before it by SKU, as far as no later one is lower."""
    today = day.toordinal()
    for listing in store.shelf.values():
        if listing.quantity:
            price, stock = listing.price, listing.stock
            kept = [(then, past) for then, past in stock.past_prices if then >= today - memory and past < price]
            stock.past_prices = (*kept, (today, price))


def full_price(listing: Listing, offer: Offer) -> float:
    """What a discount is taken off: the price, or in a promotion the lowest that is remembered."""
    remembered = listing.stock.past_prices
    return min(remembered[0][1], listing.price) if remembered and offer is not NO_OFFER else listing.price


def seen_prices(store: Store, offer: Offer) -> Mapping[str, float]:
    """By SKU with a crossed-out price: customers see half of the reduction that it suggests, and respond to that."""
    if not store.was:
        return NOTHING
    seen: dict[str, float] = {}
    for sku, was in store.was.items():
        listing = store.shelf.get(sku)
        if listing is not None:
            reduction = min(MOST_REDUCTION, BELIEVED * (1.0 - listing.price / was))
            seen[sku] = (1.0 - reduction) * (1.0 - offer.discount) * full_price(listing, offer)
    return seen


def _on_offer(listing: Listing, offer: Offer) -> PricedGoods:
    priced = listing.priced
    return priced.goods.priced[(1.0 - offer.discount) * full_price(listing, offer), priced.defective_share]


def raw_demand(store: Store, offer: Offer, day: date, economy: Economy) -> ShelfDemand:
    """The demand for each listing with units without rivals, before any saturation (eq:demand)."""
    kind, seen, drift = store.type, NOTHING, NOTHING
    visitors = economy.traffic[kind.id][day] * store.reputation * offer.traffic
    if offer is NO_OFFER and not store.was:
        goods = [listing.priced for listing in store.shelf.values() if listing.quantity]
        raw = [priced.pull * visitors for priced in goods]
    else:
        seen = seen_prices(store, offer)
        goods = [_on_offer(listing, offer) for listing in store.shelf.values() if listing.quantity]
        raw = [p.goods.pulls[seen.get(p.sku, p.price), offer.boost, None] * visitors for p in goods]
    category_demand = [0.0] * len(kind.categories)
    for priced, demand in zip(goods, raw):
        category_demand[priced.category_index] += demand
    if economy.drift:
        drift = economy.drift[kind.id][day]
        raw = [demand * drift.get(priced.goods.category.name, 1.0) for demand, priced in zip(raw, goods)]
        category_demand = [demand * drift.get(name, 1.0) for demand, name in zip(category_demand, kind.categories)]
    return ShelfDemand(offer, visitors, drift, goods, raw, category_demand, seen)


def shelf_demand(store: Store, offer: Offer, day: date, economy: Economy) -> ShelfDemand:
    """The demand for a store without rivals: both saturations (eq:app_saturation)."""
    found, capacity = raw_demand(store, offer, day, economy), economy.capacities[store.type.id]
    kappa = capacity.category
    if kappa is not None:
        gamma = [saturation(kappa, demand) for demand in found.category_demand]
        found.claims = [demand * gamma[priced.category_index] for demand, priced in zip(found.raw_demand, found.goods)]
    found.store_saturation = saturation(capacity.store, ordered_sum(found.claims, 0.0))
    return found
