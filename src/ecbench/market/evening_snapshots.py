"""Snapshots of an account in the evening, for its journal: money and shelves before the day's sales."""

from collections.abc import Iterable, Iterator, Mapping

from ecbench.market.books import Store
from ecbench.market.calendar import ONE_DAY
from ecbench.market.journal import Evening, RivalOffer, ShelfNote
from ecbench.market.marketplace import Account, Marketplace, lowest_rival_prices
from ecbench.market.product_demand import ProductDemand


def record_evening(account: Account) -> None:
    """Called on the morning after, once demand is known and before anything is charged or sold."""
    journal = account.journal
    if journal is None or journal.evenings is None:
        return
    market, purse = account.market, account.books.purse
    shelves = tuple([_shelf(account, store) for store in account.books.trading])
    journal.evenings.append(Evening(market.day - 1, market.date - ONE_DAY, purse.bank, purse.wallet, shelves))


def _shelf(account: Account, store: Store) -> ShelfNote:
    kind, listings = store.type.id, tuple(store.shelf.values())
    wishes = {listing.sku: wish for listing, wish in zip(store.stocked, store.wishes)}
    rivals = {rival.seat: shop for rival, shop in _of_type(account.market, kind) if rival is not account}
    return ShelfNote(
        store=store.id,
        type=kind,
        reputation=store.reputation,
        visitors=_visitors(account.market, store),
        offer=store.offer,
        crowding=store.crowding,
        rivals=_wished(rivals.values()),
        demands=tuple([listing.demand for listing in listings]),
        quantities=tuple([listing.quantity for listing in listings]),
        prices=tuple([listing.full_price for listing in listings]),
        wishes=tuple([wishes.get(sku, 0.0) for sku in store.shelf]),
        drift=tuple([_drift(account.market, listing.demand) for listing in listings]),
        costs=tuple([listing.stock.cost for listing in listings]),
        defective=tuple([listing.stock.defective_share for listing in listings]),
        owned=tuple([listing.stock.physical for listing in listings]),
        against=tuple([_offers(account, sku, rivals) for sku in store.shelf]) if rivals else ((),) * len(listings),
    )


def _of_type(market: Marketplace, kind: str) -> Iterator[tuple[Account, Store]]:
    for account in market.in_business:
        for store in account.books.trading:
            if store.type.id == kind:
                yield account, store


def _visitors(market: Marketplace, store: Store) -> float:
    """The factors of `selling._wish`, in the same order."""
    return market.economy.traffic[store.type.id][market.date - ONE_DAY] * store.reputation * store.offer.traffic


def _drift(market: Marketplace, demand: ProductDemand) -> float:
    return market.economy.drift_factor(demand.category, market.date - ONE_DAY)


def _wished(stores: Iterable[Store]) -> dict[str, float]:
    wished: dict[str, float] = {}
    for store in stores:
        for listing in store.shelf.values():
            wished.setdefault(listing.category, 0.0)
        for listing, wish in zip(store.stocked, store.wishes):
            wished[listing.category] += wish
    return wished


def _offers(account: Account, sku: str, rivals: Mapping[int, Store]) -> tuple[RivalOffer, ...]:
    market = account.market
    charges = {seat: price for seat, price in market.charges.get(sku, {}).items() if seat != account.seat}
    return tuple(
        RivalOffer(
            price,
            rivals[seat].offer.boost,
            _visitors(market, rivals[seat]) * _drift(market, market.economy.demands[sku]),
            lowest_rival_prices({sku: charges}, seat).get(sku),
        )
        for seat, price in charges.items()
    )
