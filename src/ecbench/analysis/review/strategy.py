"""What a player's strategy cost: the engine's year from day 0 with and without the same limits. The parts overlap."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Final

from ecbench.analysis.review.curve import half_width
from ecbench.analysis.review.engine import FREE, LISTINGS, EngineLimits
from ecbench.analysis.review.recorded_year import Business
from ecbench.rules import Rules
from ecbench.runs.record.json_values import Yuan

STORES, TRADES, LISTED, CAPITAL, TOGETHER = "stores", "trades", "assortment", "capital", "together"
TITLES: Final = {
    STORES: "Stores unopened",
    TRADES: "Chosen store types",
    LISTED: "Few listings",
    CAPITAL: "Capital idle",
    TOGETHER: "All of these together",
}
MONTH: Final = 28  # days for which money must lie in the bank to be idle
LEAST_IDLE: Final = 0.05  # of all money, below which it is a reserve


@dataclass(frozen=True, slots=True)
class StrategyPlan:
    """One part of a strategy: what the player had, and the limits of the two engines that are compared."""

    key: str
    had: str
    limited: EngineLimits
    freer: EngineLimits = FREE


@dataclass(frozen=True, slots=True)
class StrategyPart:
    """What one part cost, by what each variant ends the year with under both limits."""

    key: str
    had: str
    free: tuple[Yuan, ...]
    limited: tuple[Yuan, ...]

    @property
    def title(self) -> str:
        return TITLES[self.key]

    @property
    def loss(self) -> float:
        """Yuan, from day 0 to the end of the year; below zero if the limit did no harm."""
        return fmean(self._lost)

    @property
    def band(self) -> float:
        """Half the width of its 95% band. Both engines begin at the same position, so they share no other error."""
        return half_width(self._lost, 0.0)

    @property
    def _lost(self) -> Sequence[float]:
        return [free - limited for free, limited in zip(self.free, self.limited, strict=True)]


def plans_of(business: Business, rules: Rules, types: int) -> list[StrategyPlan]:
    """The parts in which the player did less than the engine may; none where nothing was played."""
    if not business.stores:
        return []
    slots, stores, listings = min(rules.max_stores, types), max(business.stores), max(business.listings)
    few_stores = EngineLimits(stores=stores) if stores < slots else FREE
    plans = []
    if few_stores != FREE:
        plans.append(StrategyPlan(STORES, f"{stores} of {slots} open at most", few_stores))
    if business.store_types and len(business.store_types) < types:
        chosen = EngineLimits(stores=few_stores.stores, store_types=business.store_types)
        plans.append(StrategyPlan(TRADES, ", ".join(business.store_types), chosen, few_stores))
    most = min(max(LISTINGS), rules.most_listings or max(LISTINGS))
    if listings < min(*LISTINGS, most):
        plans.append(
            StrategyPlan(LISTED, f"{listings} at most, the engine up to {most}", EngineLimits(listings=listings))
        )
    idle = round(idle_share(business), 3)
    if idle >= LEAST_IDLE:
        plans.append(
            StrategyPlan(CAPITAL, f"{idle:.0%} of the money, for a month and more", EngineLimits(idle_share=idle))
        )
    if len(plans) > 1:
        stated = (item for plan in plans for item in asdict(plan.limited).items())
        limits = {name: value for name, value in stated if value != getattr(FREE, name)}
        plans.append(StrategyPlan(TOGETHER, "", EngineLimits(**limits)))
    return plans


def idle_share(business: Business) -> float:
    """The part of all money that the bank still held a month later at its lowest, by the middle one of the days."""
    days = range(max(1, len(business.bank) - MONTH))
    shares = [
        max(0.0, min(business.bank[day : day + MONTH])) / business.assets[day]
        for day in days
        if business.assets[day] > 0
    ]
    return median(shares) if shares else 0.0
