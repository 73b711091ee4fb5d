"""What the market knows of one SKU. It never changes during an episode, so every answer is worked out once and kept."""

from dataclasses import dataclass, field
from datetime import date

from ecbench.market.draws import demand_rounding
from ecbench.market.elasticity import PriceCurve
from ecbench.market.return_rates import ReturnLayers, return_layers
from ecbench.rules import Rules
from ecbench.world.model import Product

# Below this share of the reference price demand no longer grows; it keeps a price of almost nothing finite.
LOWEST_PRICE_RATIO = 1e-9
REMEMBERED = 4096


@dataclass(slots=True)
class Appeal:
    product: Product
    base: float  # units a day at the reference price, before any multiplier
    curve: PriceCurve
    eta: float
    seed: int
    _pulls: dict[tuple[float, float], float] = field(default_factory=dict)
    _draws: dict[date, float] = field(default_factory=dict)
    _sound_returns: dict[float, ReturnLayers] = field(default_factory=dict)

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
            draw = self._draws[day] = demand_rounding(self.seed, self.product.sku, day)
        return draw < fraction

    def sound_returns(self, price: float, rules: Rules) -> ReturnLayers:
        """The return rate of stock without a defective unit, sold at this price."""
        layers = self._sound_returns.get(price)
        if layers is None:
            if len(self._sound_returns) >= REMEMBERED:
                self._sound_returns.clear()
            layers = return_layers(self.product, 0.0, price, rules)
            self._sound_returns[price] = layers
        return layers
