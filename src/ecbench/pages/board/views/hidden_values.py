"""What no agent can know: floors, labels, moods and demand curves. A page receives it only if it asks for it."""

from dataclasses import dataclass

from ecbench.episode import Episode
from ecbench.market.books import Listing, Store
from ecbench.market.demand import price_response
from ecbench.suppliers.supplier_traits import lowest_ratios

CURVE = tuple(0.5 + 0.1 * step for step in range(21))  # prices over reference at which a demand curve is drawn


@dataclass(frozen=True, slots=True)
class ListingTruth:
    """What a SKU would draw on an ordinary day at other prices, before it is divided by the crowd."""

    sku: str
    floor: float  # the lowest of an honest supplier
    elasticity: str
    ratios: list[float]  # price over reference
    units: list[float]  # a day
    best_ratio: float  # of those drawn, the one with the highest gross margin over the floor


@dataclass(frozen=True, slots=True)
class SupplierTruth:
    name: str
    honest: bool
    template: str
    scam: str
    order_limit: int
    floors: dict[str, float]  # by SKU that was bargained over
    pressure: dict[str, str]  # by SKU, the mood of talks that are open


def listing_truths(year: Episode, store_id: str) -> list[ListingTruth]:
    store = year.account.books.stores.get(store_id)
    return [_listing(year, store, listing) for listing in store.shelf.values()] if store else []


def _listing(year: Episode, store: Store, listing: Listing) -> ListingTruth:
    product, economy = listing.stock.product, year.account.economy
    category = year.world.category_by_name[product.category]
    today = year.account.market.date
    visitors = economy.traffic[store.type.id][today] * store.reputation * economy.drift_factor(category, today)
    reference, (lowest_floor, _) = product.reference_price, lowest_ratios(economy, category)
    floor = lowest_floor * reference
    units = [
        economy.demands[product.sku].base
        * price_response(category, ratio * reference, reference, 1.0, economy.rules)
        * visitors
        for ratio in CURVE
    ]
    margins = [(ratio * reference - floor) * sold for ratio, sold in zip(CURVE, units, strict=True)]
    return ListingTruth(
        product.sku,
        round(floor, 2),
        category.elasticity,
        [round(ratio, 2) for ratio in CURVE],
        [round(sold, 3) for sold in units],
        round(CURVE[margins.index(max(margins))], 2),
    )


def supplier_truth(year: Episode, name: str) -> SupplierTruth | None:
    supplier = next((supplier for supplier in year.world.suppliers if supplier.name == name), None)
    if supplier is None:
        return None
    pairs = [pair for (who, _), pair in year.desk.book.pairs.items() if who == name]
    floors = {pair.product.sku: round(pair.kernel.terms.floor, 2) for pair in pairs}
    open_talks = {pair.product.sku: pair.status for pair in pairs if not pair.concluded}
    return SupplierTruth(
        name, supplier.honest, supplier.template, supplier.scam or "", supplier.order_limit, floors, dict(open_talks)
    )
