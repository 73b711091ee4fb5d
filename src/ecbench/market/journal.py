"""An account's journal: events that the books do not keep, for the tables of a run.

The books drop a day's sales the next morning, and several mornings may pass within one batch of calls. The market
writes the journal of accounts that have one and never reads it. A copy of an account has none.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, NamedTuple

from ecbench.market.books import Books, Listing, PendingReturn, Store
from ecbench.market.calendar import ONE_DAY
from ecbench.market.demand import NO_OFFER, Offer, whole_units
from ecbench.market.product_demand import Parcel, ProductDemand, SoldGoods
from ecbench.sums import ordered_sum
from ecbench.world.model import Product

StoreMoment = Literal["opened", "morning", "closed"]


class Sale(NamedTuple):
    """One SKU sold in one store on one day; `lost` units more would have gone had the shelf held them."""

    number: int  # of the shipment
    day: int
    store: str
    goods: SoldGoods
    lost: int


class Sending(NamedTuple):
    day: int
    parcel: Parcel


class Return(NamedTuple):
    """`refunded` is what left escrow; the rest of the customer's money is commission that the platform gives back."""

    day: int
    back: PendingReturn
    refunded: float
    restocked: bool  # not what is refunded when the year ends


class SoldOff(NamedTuple):
    """Units of one SKU that were sold off with the store that held them."""

    day: int
    store: str
    product: Product
    quantity: int
    proceeds: float


class StoreEntry(NamedTuple):
    """A store when it opened, on a morning after its settlement, or when it closed."""

    moment: StoreMoment
    day: int
    store: str
    reputation: float
    listings: int  # SKUs with units on the shelf
    units: int
    crowding: float = 1.0  # the share of what was wished the day before that the store type could serve
    promotion: str = ""  # the one that ran the day before
    discount: float = 0.0
    setup: float = 0.0
    operating: float = 0.0
    salvage: float = 0.0


class RivalOffer(NamedTuple):
    """A rival's listing of the same SKU, as customers saw it."""

    charged: float
    boost: float
    visitors: float  # what multiplies its pull
    lowest: float | None  # that others charge, this merchant apart
    diverts: float  # the wishes that its units can take from this listing
    most: float  # that it weighs in the sums of this merchant


class ShelfNote(NamedTuple):
    """The shelf of a store in the evening, as the public found it on that day: columns over its listings."""

    store: str
    type: str
    reputation: float  # as customers found it
    visitors: float  # what multiplies each pull: the date, the store's reputation and the promotion's traffic
    offer: Offer
    crowding: float
    rivals: Mapping[str, float]  # by category: what the public wished of rivals' shelves, as `wishes`
    demands: tuple[ProductDemand, ...]
    quantities: tuple[int, ...]
    prices: tuple[float, ...]  # before the promotion's discount, which may be taken off a lower recent price
    wishes: tuple[float, ...]  # before the whole store's crowd
    drift: tuple[float, ...]  # what it multiplies the demand of the listing's category by
    costs: tuple[float, ...]  # of a unit
    defective: tuple[float, ...]  # share of all delivered units
    owned: tuple[int, ...]  # units of the SKU on every shelf and in the warehouse
    against: tuple[tuple[RivalOffer, ...], ...]  # by listing


class Evening(NamedTuple):
    """The state at the end of a day, before its sales."""

    day: int
    date: date
    bank: float
    wallet: float
    shelves: tuple[ShelfNote, ...]


@dataclass(slots=True)
class Journal:
    """Entries in the order of what happened."""

    sales: list[Sale] = field(default_factory=list)
    sent: dict[int, Sending] = field(default_factory=dict)  # by shipment number
    cancelled: dict[int, int] = field(default_factory=dict)  # the day, by shipment number
    returns: list[Return] = field(default_factory=list)
    stores: list[StoreEntry] = field(default_factory=list)
    sold_off: list[SoldOff] = field(default_factory=list)
    evenings: list[Evening] | None = None  # recorded only if the caller has set a list


def record_morning(journal: Journal, books: Books, day: int, today: date) -> None:
    """Record yesterday's sales and the state of every open store, after the settlement."""
    yesterday = (today - ONE_DAY).toordinal()
    for store in books.trading:
        wished = {listing.sku: listing.wish * store.crowding for listing in store.stocked}
        for number, goods in enumerate(store.sold_yesterday.goods, store.sold_yesterday.first):
            sku = goods.product.sku
            lost = _lost(store.shelf[sku], goods.quantity, wished[sku], yesterday)
            journal.sales.append(Sale(number, day - 1, store.id, goods, lost))
        operating = store.operating
        # A store stays enrolled on the morning after a day of the promotion.
        promotion = store.enrolment.promotion.name if store.enrolment and store.offer is not NO_OFFER else ""
        offer = (promotion, store.offer.discount)
        journal.stores.append(_entry("morning", store, day, crowding=store.crowding, offer=offer, operating=operating))


def _lost(listing: Listing, sold: int, wished: float, day: int) -> int:
    """Demand beyond an empty shelf, rounded by the draw that rounds sales (eq:app_round)."""
    if listing.quantity:
        return 0
    return whole_units(wished, listing.demand.draws[day]) - sold


def record_opening(journal: Journal, store: Store, day: int, fee: float) -> None:
    journal.stores.append(_entry("opened", store, day, setup=fee))


def record_closing(journal: Journal, store: Store, day: int, sold_off: Mapping[str, tuple[int, float]]) -> None:
    """Call it before the shelf is cleared. `sold_off` has the units and the proceeds of each SKU."""
    for sku, (quantity, proceeds) in sold_off.items():
        journal.sold_off.append(SoldOff(day, store.id, store.shelf[sku].stock.product, quantity, proceeds))
    journal.stores.append(
        _entry("closed", store, day, salvage=ordered_sum(proceeds for _, proceeds in sold_off.values()))
    )


def _entry(
    moment: StoreMoment,
    store: Store,
    day: int,
    *,
    crowding: float = 1.0,
    offer: tuple[str, float] = ("", 0.0),
    setup: float = 0.0,
    operating: float = 0.0,
    salvage: float = 0.0,
) -> StoreEntry:
    held = [listing.quantity for listing in store.shelf.values() if listing.quantity]
    return StoreEntry(
        moment,
        day,
        store.id,
        store.reputation,
        len(held),
        sum(held),
        crowding=crowding,
        promotion=offer[0],
        discount=offer[1],
        setup=setup,
        operating=operating,
        salvage=salvage,
    )
