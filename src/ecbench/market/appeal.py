"""What the market knows of one SKU. It never changes during an episode, so every answer is worked out once and kept."""

from datetime import date
from typing import NamedTuple

from ecbench.market.aging import AgingTable
from ecbench.market.draws import demand_rounding
from ecbench.market.elasticity import PRICE_CURVES
from ecbench.market.remembered import Remembered
from ecbench.market.return_rates import ReturnLayers, return_layers
from ecbench.rules import Rules
from ecbench.world.model import Category, Product

# Below this share of the reference price demand no longer grows; it keeps a price of almost nothing finite.
LOWEST_PRICE_RATIO = 1e-9
REMEMBERED_ANSWERS = 4096  # of each kind, per SKU


class Goods(NamedTuple):
    """Units of one SKU sold together at one price, and how likely each is to come back."""

    product: Product
    quantity: int
    unit_price: float  # after a promotion's discount
    gross: float
    net: float  # after commission
    net_shown: float  # to the cent
    return_rate: float  # by standard freight
    rates: ReturnLayers  # how that rate came about


class Appeal:
    """`pulls` by (price, boost): units a day at that price, before the day, the season and the store have their say.

    `draws` by date: the uniform that decides whether the last fractional unit is sold (eq:app_round).
    `sales` by (quantity, unit price, defective share): the goods of a sale; the same units at the same price are the
    same sale, whoever makes it and when.
    """

    __slots__ = ("aging", "base", "category", "draws", "product", "pulls", "rules", "sales", "storage_rate")

    def __init__(
        self, product: Product, category: Category, base: float, seed: int, rules: Rules, aging: AgingTable
    ) -> None:
        self.product = product
        self.category = category
        self.base = base
        self.rules = rules
        self.aging = aging
        self.storage_rate = rules.storage_rate[product.size]
        self.pulls: Remembered[tuple[float, float], float] = Remembered(self._pull, REMEMBERED_ANSWERS)
        self.draws: Remembered[date, float] = Remembered(
            lambda day: demand_rounding(seed, product.sku, day.isoformat()), REMEMBERED_ANSWERS
        )
        self.sales: Remembered[tuple[int, float, float], Goods] = Remembered(self._sale, REMEMBERED_ANSWERS)

    def _pull(self, offered: tuple[float, float]) -> float:
        price, boost = offered
        ratio = max(LOWEST_PRICE_RATIO, price / self.product.reference_price)
        return self.base * PRICE_CURVES[self.category.elasticity](ratio, self.category.eta * boost)

    def _sale(self, sale: tuple[int, float, float]) -> Goods:
        quantity, unit_price, defective_share = sale
        gross = unit_price * quantity
        net = gross - gross * self.rules.commission
        rates = return_layers(self.product, defective_share, unit_price, self.rules)
        return Goods(self.product, quantity, unit_price, gross, net, round(net, 2), rates.capped, rates)
