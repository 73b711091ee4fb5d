"""An account's evening, written into its journal: money and shelves as the day's customers found them."""

from ecbench.market.books import Store
from ecbench.market.calendar import ONE_DAY
from ecbench.market.journal import Evening, ShelfNote
from ecbench.market.marketplace import Account, lowest_of_rivals


def note_evening(account: Account) -> None:
    """Told on the morning after, once it is known what the public wished and before anything is charged or sold."""
    journal = account.journal
    if journal is None or journal.evenings is None:
        return
    market, purse = account.market, account.books.purse
    shelves = tuple([_shelf(account, store) for store in account.books.trading])
    journal.evenings.append(Evening(market.day - 1, market.date - ONE_DAY, purse.bank, purse.wallet, shelves))


def _shelf(account: Account, store: Store) -> ShelfNote:
    market, kind, listings = account.market, store.type.id, tuple(store.shelf.values())
    traffic = account.economy.traffic[kind][market.date - ONE_DAY]
    return ShelfNote(
        store=store.id,
        type=kind,
        visitors=traffic * store.reputation * store.offer.traffic,
        offer=store.offer,
        crowding=store.crowding,
        rivals=_wished_of_rivals(account, kind),
        appeals=tuple([listing.appeal for listing in listings]),
        quantities=tuple([listing.quantity for listing in listings]),
        prices=tuple([listing.price for listing in listings]),
        wishes=tuple(store.wishes),
        costs=tuple([listing.stock.cost for listing in listings]),
        defective=tuple([listing.stock.defective_share for listing in listings]),
        owned=tuple([listing.stock.physical for listing in listings]),
        beside=tuple([lowest_of_rivals(market.charges, sku, account.seat) for sku in store.shelf]),
    )


def _wished_of_rivals(account: Account, kind: str) -> dict[str, float]:
    wished: dict[str, float] = {}
    for rival in account.market.in_business:
        for store in rival.books.trading if rival is not account else ():
            if store.type.id == kind:
                for listing, wish in zip(store.shelf.values(), store.wishes):
                    wished[listing.category] = wished.get(listing.category, 0.0) + wish
    return wished
