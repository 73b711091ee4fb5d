"""What a player knows of its own sales: at which price a SKU stood on a shelf on each day, and what it sold."""

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
    _listed: dict[tuple[str, str], dict[int, float]] = field(default_factory=lambda: defaultdict(dict))

    def attend(self, year: Episode) -> None:
        year.account.journal = self.journal

    def note(self, year: Episode, since: int) -> None:
        """After a turn at the table that began on day `since`: its prices hold for every day it went through."""
        for store in year.account.books.trading:
            for sku, listing in store.shelf.items():
                if listing.quantity or store.sold_yesterday:
                    self._listed[store.id, sku] |= dict.fromkeys(range(since, year.day + 1), listing.price)

    def of(self, store: str, today: int) -> dict[str, list[PriceDay]]:
        """By SKU that a store has listed: its days before today, oldest first."""
        sold: dict[tuple[str, int], tuple[int, float]] = {}
        for sale in self.journal.sales:
            if sale.store == store:
                sold[sale.goods.product.sku, sale.day] = sale.goods.quantity, sale.goods.unit_price
        found = {}
        for (where, sku), prices in self._listed.items():
            if where == store:
                days = sorted(day for day in prices if day < today)
                found[sku] = [_priced(day, sold.get((sku, day)), prices[day]) for day in days]
        return found


def _priced(day: int, sale: tuple[int, float] | None, listed: float) -> PriceDay:
    units, price = sale or (0, listed)
    return PriceDay(day, round(price, 2), units)
