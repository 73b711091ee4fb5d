"""The evenings of a replayed year: money and shelves before the day's sales, as the public found them."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from ecbench.market.books import Store
from ecbench.market.calendar import ONE_DAY
from ecbench.market.day_demand import full_price
from ecbench.market.demand import Offer
from ecbench.market.economy import ProductDemand
from ecbench.market.journal import Journal
from ecbench.market.marketplace import Account
from ecbench.market.sharing import diverted, most_weight, offers_by_sku, served_alone


class RivalOffer(NamedTuple):
    """A rival's listing of the same SKU, as customers saw it."""

    charged: float
    boost: float
    visitors: float  # what multiplies its pull
    lowest: float | None  # that others charge, this merchant apart
    diverts: float  # the raw demand that its units can take from this listing
    most: float  # that it weighs in the sums of this merchant


class ShelfNote(NamedTuple):
    """The shelf of a store in the evening, as the public found it on that day: columns over its listings."""

    store: str
    type: str
    reputation: float  # as customers found it
    visitors: float  # what multiplies each pull: the date, the store's reputation and the promotion's traffic
    offer: Offer
    store_saturation: float
    rival_demand: Mapping[str, float]  # by category: the claims of rivals' shelves
    goods: tuple[ProductDemand, ...]
    quantities: tuple[int, ...]
    prices: tuple[float, ...]  # before the promotion's discount, which may be taken off a lower recent price
    claims: tuple[float, ...]  # demand after the category's saturation and before the store's
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


def watch_evenings(account: Account) -> list[Evening]:
    """A list to which every evening of the account is added from now on."""
    evenings: list[Evening] = []
    if account.journal is None:
        account.journal = Journal()
    account.journal.on_demand = lambda: evenings.append(_evening(account))
    return evenings


def _evening(account: Account) -> Evening:
    """On the morning after, once demand is known and before anything is charged or sold."""
    market, purse = account.market, account.books.purse
    shelves = tuple([_shelf(account, store) for store in account.books.trading])
    return Evening(market.day - 1, market.date - ONE_DAY, purse.bank, purse.wallet, shelves)


def _shelf(account: Account, store: Store) -> ShelfNote:
    listings, demand = tuple(store.shelf.values()), account.market.demand.shelves[account.seat][store.id]
    claims = {priced.goods.sku: claim for priced, claim in zip(demand.goods, demand.claims)}
    rivals = _rivals(account, store)
    return ShelfNote(
        store=store.id,
        type=store.type.id,
        reputation=store.reputation,
        visitors=demand.visitors,
        offer=demand.offer,
        store_saturation=demand.store_saturation,
        rival_demand=demand.rival_demand if rivals else {},
        goods=tuple([account.economy.demands[sku] for sku in store.shelf]),
        quantities=tuple([listing.quantity for listing in listings]),
        prices=tuple([full_price(listing, demand.offer) for listing in listings]),
        claims=tuple([claims.get(sku, 0.0) for sku in store.shelf]),
        drift=tuple([demand.drift.get(listing.category, 1.0) for listing in listings]),
        costs=tuple([listing.stock.cost for listing in listings]),
        defective=tuple([listing.stock.defective_share for listing in listings]),
        owned=tuple([listing.stock.physical for listing in listings]),
        against=tuple(_rival_offers(account, store, rivals)) if rivals else ((),) * len(listings),
    )


def _rivals(account: Account, store: Store) -> dict[int, Store]:
    """By seat: the stores of the same type that others have."""
    return {
        rival.seat: shop
        for rival in account.market.in_business
        if rival is not account
        for shop in rival.books.trading
        if shop.type.id == store.type.id
    }


def _rival_offers(account: Account, store: Store, rivals: Mapping[int, Store]) -> Iterator[tuple[RivalOffer, ...]]:
    """By listing of this store: what rivals offer of the same SKU, cheapest first."""
    seat, economy = account.seat, account.economy
    stores = {seat: store, **rivals}
    shelves = {each: account.market.demand.shelves[each][shop.id] for each, shop in stores.items()}
    offers = offers_by_sku(stores, shelves)
    served = served_alone(shelves[seat], economy.capacities[store.type.id])
    for sku, listing in store.shelf.items():
        offered = offers.get(sku, {})
        share = served.get(listing.category) or served[""]
        found = []
        for rival in rivals:
            if rival not in offered:
                continue
            shelf, theirs = shelves[rival], offered[rival]
            units = diverted(seat, rival, offered) if seat in offered else theirs.units
            others = [each.charged for other, each in offered.items() if other not in (rival, seat)]
            most = min(most_weight(shelf, economy.demands[sku], theirs.charged), theirs.units / share)
            visitors, lowest = shelf.visitors_of(listing.category), min(others, default=None)
            found.append(RivalOffer(theirs.charged, shelf.offer.boost, visitors, lowest, units / share, most))
        yield tuple(sorted(found, key=lambda offer: offer.charged))
