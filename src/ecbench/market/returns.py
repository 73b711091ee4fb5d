"""Returns: how likely a unit is to come back, which units do, and what that takes (app:econ_returns)."""

from bisect import bisect_left
from functools import lru_cache
from itertools import pairwise

from ecbench.market.books import PendingReturn, ReturnLayers
from ecbench.market.cache import FunctionCache
from ecbench.market.draws import DrawKey, named_seed, reseeded, whole_number
from ecbench.market.economy import Economy
from ecbench.market.ledger import refund_from_escrow
from ecbench.market.marketplace import Account
from ecbench.market.stock import put_away
from ecbench.rules import Rules
from ecbench.world.model import Product

Knees = tuple[tuple[float, float], ...]
Trials = tuple[float, int, tuple[float, ...]]
"""Of a shipment: the lowest of one uniform for each unit, the days until those that return arrive, and the other
uniforms in ascending order."""
TrialCache = FunctionCache[int, FunctionCache[int, Trials]]
"""By the units of a shipment and then by its number, so that each inner table is read in the order of its memory."""
CACHED_UNITS = 400_000  # whose trials are kept: of shipments with equal units, together
CACHED_SIZES = 64  # different numbers of units


def price_curve(ratio: float, knees: Knees, slope: float) -> float:
    """Piecewise linear through the knees, flat before the first one; past the last one it rises by `slope`."""
    if ratio <= knees[0][0]:
        return knees[0][1]
    for (left, low), (right, high) in pairwise(knees):
        if ratio <= right:
            return low + (high - low) * (ratio - left) / (right - left)
    last, highest = knees[-1]
    return highest + slope * (ratio - last)


def return_layers(product: Product, defective_share: float, price: float, rules: Rules) -> ReturnLayers:
    """`defective_share` is over all deliveries of the SKU, so that mixed lots cannot be distinguished."""
    natural = product.return_rate
    defective_rate = min(rules.return_cap, max(rules.defective_floor, rules.defective_factor * natural))
    blended = (1.0 - defective_share) * natural + defective_share * defective_rate
    priced = blended * price_curve(price / product.reference_price, rules.price_return_knees, rules.price_return_slope)
    return ReturnLayers(natural, blended, priced, min(rules.return_cap, priced))


def rate_at(speed: str, capped: float, rules: Rules) -> float:
    """The return rate of a unit that is shipped at a speed."""
    return min(rules.return_cap, capped * rules.speed_return_factor[speed])


def return_trials(key: DrawKey, speed: str, shipment: int, units: int, days: tuple[int, int]) -> Trials:
    """Draw for each unit of a shipment whether it comes back, and then when."""
    stream = reseeded(named_seed(key, f"ship{shipment}{speed}"))
    lowest, *others = sorted([stream.random() for _ in range(units)])
    return lowest, whole_number(stream, *days), tuple(others)


@lru_cache(maxsize=64)
def cached_trials(economy: Economy, speed: str) -> TrialCache:
    """`return_trials` of an economy. Drawing them again would take a third of a replayed year."""
    key, days = economy.key, economy.rules.return_days

    def of_size(units: int) -> FunctionCache[int, Trials]:
        return FunctionCache(
            lambda number: return_trials(key, speed, number, units, days), max(1, CACHED_UNITS // units)
        )

    return FunctionCache(of_size, CACHED_SIZES)


def units_back(trials: Trials, rate: float) -> int:
    """How many units of a shipment come back at a return rate."""
    lowest, _, others = trials
    return 1 + bisect_left(others, rate) if lowest < rate else 0


def take_back(account: Account, coming: list[PendingReturn], *, restock: bool) -> None:
    """Refund each return from the escrow of its shipment, also for stores closed since."""
    books, today = account.books, account.market.date.toordinal()
    refund_loss, freight_loss = books.refund_loss, books.freight_loss
    refunded = []
    for back in coming:
        goods, units = back.goods, back.quantity
        stock, store = books.stock[goods.product.sku], books.stores[back.store]
        refund = goods.unit_price * units
        refunded.append(refund_from_escrow(books.purse, back.matures, back.index, refund))
        stock.returned += units
        if restock:
            put_away(books, stock, units, today)
            stock.restocked += units
        store.recent_returned += units
        store.moved.append(back)
        refund_loss += refund
        freight_loss += back.freight
    books.refund_loss, books.freight_loss = refund_loss, freight_loss
    if account.journal is not None:
        account.journal.goods_returned(account.market.day, coming, refunded, restocked=restock)
