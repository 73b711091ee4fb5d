"""What no agent can know: floors, labels and best prices. A page receives it only if it asks for it."""

from typing import Any

from ecbench.episode import Episode
from ecbench.market.books import Listing
from ecbench.market.demand import price_response
from ecbench.metrics.losses.account import ABOVE_FLOOR, FEES
from ecbench.metrics.losses.buying import floor_of, order_losses
from ecbench.pages.board.snapshots import Moment
from ecbench.pages.board.views.conversations import bargains, ladder_of
from ecbench.pages.report.names import kind_name
from ecbench.suppliers.supplier_traits import lowest_ratios

CURVE = tuple(0.5 + 0.1 * step for step in range(21))  # prices over reference at which a demand curve is drawn


def listing_truths(moment: Moment, store: str) -> list[dict[str, Any]]:
    """Of each product on a shelf the lowest floor of an honest supplier, and the best price over the reference."""
    found = moment.account.books.stores.get(store)
    return [_listing(moment.year, listing) for listing in found.shelf.values()] if found else []


def _listing(year: Episode, listing: Listing) -> dict[str, Any]:
    """By the demand of an ordinary day, before it is divided by the crowd."""
    product, economy = listing.stock.product, year.account.economy
    category = year.world.category_by_name[product.category]
    reference, (lowest_floor, _) = product.reference_price, lowest_ratios(economy, category)
    floor = lowest_floor * reference

    def margin(ratio: float) -> float:
        sold = price_response(category, ratio * reference, reference, 1.0, economy.rules)
        return (ratio * reference - floor) * sold

    best = max(CURVE, key=margin)
    return {"sku": product.sku, "floor": round(floor, 2), "best_ratio": round(best, 2)}


def supplier_truth(moment: Moment, name: str) -> dict[str, Any]:
    """Whether it is honest, how it bargains or cheats, and the bargains beside their floors; KeyError if unknown."""
    supplier = moment.year.world.supplier_by_name[name]
    return {
        "honest": supplier.honest,
        "template": supplier.template,
        "scam": supplier.scam or "",
        "ladders": [ladder_of(pair, moment.who, pair.kernel.terms.floor) for pair in bargains(moment, name)],
    }


def deals(moment: Moment) -> list[dict[str, Any]]:
    """Every purchase order beside the least that an honest supplier would have taken, the dearest mistake first.

    A membership fee is one, without a floor. Of an honest supplier `scam` is empty.
    """
    economy = moment.account.economy
    scams = {supplier.name: supplier.scam for supplier in moment.year.world.suppliers}
    found = []
    for order in moment.account.books.orders:
        floor = floor_of(economy, order.supplier, order.product) if order.product else None
        lost = (loss.amount for loss in order_losses(order, economy) if loss.cause in (ABOVE_FLOOR, FEES))
        scam = scams[order.supplier]
        found.append(
            {
                "day": order.day,
                "supplier": order.supplier,
                "scam": kind_name(scam) if scam else "",
                "title": order.product.title if order.product else "membership fee",
                "units": order.quantity,
                "paid": round(order.unit_price, 2),
                "floor": None if floor is None else round(floor, 2),
                "overpaid": round(sum(lost), 2),
            }
        )
    return sorted(found, key=lambda deal: -deal["overpaid"])
