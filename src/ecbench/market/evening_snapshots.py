"""Snapshots of an account in the evening, for its journal: money and shelves before the day's sales."""

from collections.abc import Iterator, Mapping

from ecbench.market.books import Store
from ecbench.market.calendar import ONE_DAY
from ecbench.market.journal import Evening, RivalOffer, ShelfNote
from ecbench.market.marketplace import Account, Marketplace
from ecbench.market.sharing import DayTraffic, carried_in, day_traffic, diverted, most_wished


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
    wishes = {listing.sku: listing.wish for listing in store.stocked}
    rivals = {rival.seat: shop for rival, shop in _of_type(account.market, kind) if rival is not account}
    day = day_traffic(account.economy, kind, account.market.date - ONE_DAY)
    return ShelfNote(
        store=store.id,
        type=kind,
        reputation=store.reputation,
        visitors=day.visitors(store, ""),
        offer=store.offer,
        crowding=store.crowding,
        rivals=store.beside if rivals else {},
        demands=tuple([listing.demand for listing in listings]),
        quantities=tuple([listing.quantity for listing in listings]),
        prices=tuple([listing.full_price for listing in listings]),
        wishes=tuple([wishes.get(sku, 0.0) for sku in store.shelf]),
        drift=tuple([day.drift.get(listing.category, 1.0) for listing in listings]),
        costs=tuple([listing.stock.cost for listing in listings]),
        defective=tuple([listing.stock.defective_share for listing in listings]),
        owned=tuple([listing.stock.physical for listing in listings]),
        against=tuple(_rival_offers(account, store, rivals, day)) if rivals else ((),) * len(listings),
    )


def _of_type(market: Marketplace, kind: str) -> Iterator[tuple[Account, Store]]:
    for account in market.in_business:
        for store in account.books.trading:
            if store.type.id == kind:
                yield account, store


def _rival_offers(
    account: Account, store: Store, rivals: Mapping[int, Store], day: DayTraffic
) -> Iterator[tuple[RivalOffer, ...]]:
    """By listing of this store: what rivals offer of the same SKU, cheapest first."""
    carriers = carried_in({account.seat: store, **rivals}, day)
    for sku, listing in store.shelf.items():
        carried = carriers.get(sku, {})
        share = store.served.get(listing.category) or store.served[""]
        offers = []
        for seat, shop in rivals.items():
            if seat not in carried:
                continue
            rival = carried[seat]
            units = diverted(account.seat, seat, carried) if account.seat in carried else rival.listing.quantity
            others = [each.charged for other, each in carried.items() if other not in (seat, account.seat)]
            most = min(most_wished(shop, rival.listing, day), rival.listing.quantity / share)
            visitors, lowest = day.visitors(shop, listing.category), min(others, default=None)
            offers.append(RivalOffer(rival.charged, shop.offer.boost, visitors, lowest, units / share, most))
        yield tuple(sorted(offers, key=lambda offer: offer.charged))
