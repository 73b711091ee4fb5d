"""What one more unit sold is expected to bring: the yardstick of every opportunity on the bill.

    margin = price (1 - commission) - worth - least over the speeds of [freight + rate (price - worth)]

`worth` is what the unit is worth to the merchant unsold, by default what it cost. One that comes back is refunded in
full and is worth that again. Freight is by the speed that is cheapest at that price, so that a wrong speed is charged
once, as freight, and not a second time here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ecbench.market.economy import ProductDemand
from ecbench.market.price_columns import Column, price_curves
from ecbench.market.returns import return_layers
from ecbench.rules import SPEEDS, Rules
from ecbench.world.model import Elasticity

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Goods:
    """What never changes of the goods on a shelf: columns over its listings."""

    base: Column
    eta: Column
    reference: Column
    freight: Column  # by standard speed
    categories: tuple[str, ...]  # the names
    category: Places  # of each listing: its place among the names
    families: tuple[tuple[Elasticity, Places], ...]  # which listings answer prices in which way


def goods_on(demands: Sequence[ProductDemand], rules: Rules) -> Goods:
    names = tuple(dict.fromkeys(demand.category.name for demand in demands))
    families = dict.fromkeys(demand.category.elasticity for demand in demands)
    return Goods(
        base=np.array([demand.base for demand in demands]),
        eta=np.array([demand.category.eta for demand in demands]),
        reference=np.array([demand.product.reference_price for demand in demands]),
        freight=np.array([rules.freight_cost[demand.product.size] for demand in demands]),
        categories=names,
        category=np.array([names.index(demand.category.name) for demand in demands], dtype=np.int64),
        families=tuple(
            (family, np.array([place for place, a in enumerate(demands) if a.category.elasticity == family]))
            for family in families
        ),
    )


class Margins:
    """Works them out under some rules, and remembers the return rates of goods."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._blended: dict[tuple[str, float], float] = {}

    def blended(self, demands: Sequence[ProductDemand], defective: Sequence[float]) -> Column:
        """The return rates of goods before price and speed, of which so many were delivered defective."""
        known, found = self._blended, []
        for demand, share in zip(demands, defective):
            rate = known.get((demand.product.sku, share))
            if rate is None:
                rate = return_layers(demand.product, share, demand.product.reference_price, self._rules).blended
                known[demand.product.sku, share] = rate
            found.append(rate)
        return np.array(found)

    def rates(self, blended: Column, ratio: Column) -> Column:
        """By standard speed, at prices over the reference price."""
        rate: Column = np.minimum(self._rules.return_cap, blended * price_curves(ratio, self._rules))
        return rate

    def sending(self, speed: str, rate: Column, charged: Column, freight: Column, worth: Column) -> Column:
        """Freight of a unit, and what it is expected to lose by coming back."""
        rules = self._rules
        back = np.minimum(rules.return_cap, rate * rules.speed_return_factor[speed])
        return freight * rules.freight_factor[speed] + back * (charged - worth)

    def least_sending(self, rate: Column, charged: Column, freight: Column, worth: Column) -> Column:
        """By the speed that costs least."""
        first, *others = (self.sending(speed, rate, charged, freight, worth) for speed in SPEEDS)
        for other in others:
            first = np.minimum(first, other)
        return first

    def margin(self, rate: Column, charged: Column, freight: Column, worth: Column) -> Column:
        income = charged * (1.0 - self._rules.commission)
        return income - worth - self.least_sending(rate, charged, freight, worth)
