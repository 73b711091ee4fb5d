"""What a merchant knows of its own sales: at which price a SKU stood on a shelf on each day, and what it sold."""

from collections import defaultdict
from dataclasses import dataclass, field

from ecbench.episode import Episode
from ecbench.market.journal import Journal


@dataclass(frozen=True, slots=True)
class PriceDay:
    """One day of a SKU on a shelf."""

    day: int
    price: float  # as customers paid it, after a promotion's discount; of a day without sales as it was listed
    units: int


@dataclass(slots=True)
class SalesHistory:
    """Noted while a year is replayed: the books forget what a day sold the morning after."""

    journal: Journal = field(default_factory=Journal)
    # By store and SKU, then by day: price and units.
    _days: dict[tuple[str, str], dict[int, tuple[float, int]]] = field(default_factory=lambda: defaultdict(dict))
    reputations: dict[int, dict[str, float]] = field(default_factory=dict)  # by morning and store

    def attend(self, year: Episode) -> None:
        year.account.journal = self.journal

    def note(self, year: Episode, since: int) -> None:
        """After a turn at the table that began on day `since`: its prices hold for every day it went through."""
        if year.day == since:
            return
        self.reputations[year.day] = {
            store.id: round(store.reputation, 3) for store in year.account.books.stores.values()
        }
        for store in year.account.books.trading:
            for sku, listing in store.shelf.items():
                if listing.quantity or store.sold_yesterday.goods:
                    self._days[store.id, sku] |= dict.fromkeys(range(since, year.day), (listing.price, 0))
        for sale in self.journal.sales:
            sold = sale.goods.unit_price, sale.goods.quantity
            self._days[sale.store, sale.goods.product.sku][sale.day] = sold
        self.journal = Journal()
        self.attend(year)

    def of(self, store: str, today: int) -> dict[str, list[PriceDay]]:
        """By SKU that a store has listed: its days before today, oldest first."""
        return {
            sku: [PriceDay(day, round(price, 2), units) for day, (price, units) in sorted(days.items()) if day < today]
            for (where, sku), days in self._days.items()
            if where == store
        }
