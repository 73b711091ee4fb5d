"""What the market knows of one SKU. It never changes during an episode, so every answer is worked out once and kept."""

from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from ecbench.market.draws import demand_rounding
from ecbench.market.elasticity import PriceCurve
from ecbench.market.return_rates import ReturnLayers, return_layers
from ecbench.rules import Rules
from ecbench.world.model import Product

# Below this share of the reference price demand no longer grows; it keeps a price of almost nothing finite.
LOWEST_PRICE_RATIO = 1e-9
REMEMBERED = 4096


class Goods(NamedTuple):
    """Units of one SKU sold together at one price, and how likely each is to come back."""

    product: Product
    quantity: int
    unit_price: float  # after a promotion's discount
    gross: float
    net: float  # after commission
    net_shown: float  # to the cent
    rates: ReturnLayers


def goods_sold(product: Product, quantity: int, unit_price: float, rates: ReturnLayers, rules: Rules) -> Goods:
    gross = unit_price * quantity
    net = gross - gross * rules.commission
    return Goods(product, quantity, unit_price, gross, net, round(net, 2), rates)


@dataclass(slots=True)
class Appeal:
    product: Product
    base: float  # units a day at the reference price, before any multiplier
    curve: PriceCurve
    eta: float
    seed: int
    _pulls: dict[tuple[float, float], float] = field(default_factory=dict)
    _draws: dict[date, float] = field(default_factory=dict)
    _sales: dict[tuple[int, float], Goods] = field(default_factory=dict)

    def pull(self, price: float, boost: float) -> float:
        """Base demand times the answer to the price that customers pay."""
        units = self._pulls.get((price, boost))
        if units is None:
            ratio = max(LOWEST_PRICE_RATIO, price / self.product.reference_price)
            units = self.base * self.curve(ratio, self.eta * boost)
            if len(self._pulls) >= REMEMBERED:
                self._pulls.clear()
            self._pulls[price, boost] = units
        return units

    def rounds_up(self, fraction: float, day: date) -> bool:
        """Whether the last fractional unit of a day's demand is sold (eq:app_round)."""
        draw = self._draws.get(day)
        if draw is None:
            if len(self._draws) >= REMEMBERED:
                self._draws.clear()
            draw = self._draws[day] = demand_rounding(self.seed, self.product.sku, day.isoformat())
        return draw < fraction

    def sale(self, quantity: int, unit_price: float, rules: Rules) -> Goods:
        """A sale of sound stock: the same units at the same price are the same sale, whoever makes it and when."""
        goods = self._sales.get((quantity, unit_price))
        if goods is None:
            if len(self._sales) >= REMEMBERED:
                self._sales.clear()
            rates = return_layers(self.product, 0.0, unit_price, rules)
            goods = self._sales[quantity, unit_price] = goods_sold(self.product, quantity, unit_price, rates, rules)
        return goods
