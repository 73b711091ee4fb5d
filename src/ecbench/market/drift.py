"""Drift: a lasting change of a category's demand that no news announces. A merchant has to find it in its sales."""

from collections.abc import Mapping
from datetime import date
from math import exp
from typing import NamedTuple

from ecbench.market.draws import DrawKey, named_stream
from ecbench.rules import Rules
from ecbench.world.model import StoreType, World

LEAST_SHARE = 0.5  # of `drift_size`
BEGINS = (0.1, 0.6)  # within these shares of the year
LASTS = (0.1, 0.25)  # share of the year until the change is complete


class Drift(NamedTuple):
    """The logarithm of demand changes along a straight line and then stays."""

    change: float
    first: int  # date ordinal
    days: float

    def factor(self, day: int) -> float:
        """What multiplies demand on a date."""
        return exp(self.change * min(1.0, max(0.0, (day - self.first) / self.days)))


def drifts_of(store_type: StoreType, world: World, rules: Rules, key: DrawKey) -> Mapping[str, Drift]:
    """The categories of a store type that drift, in turn upwards and downwards."""
    stream = named_stream(key, f"drift {store_type.id}")
    count = min(rules.drift_categories, len(store_type.categories))
    sign = stream.choice((-1.0, 1.0))
    drifts = {}
    for category in stream.sample(store_type.categories, count):
        change = sign * rules.drift_size * stream.uniform(LEAST_SHARE, 1.0)
        first = world.start.toordinal() + int(world.days * stream.uniform(*BEGINS))
        drifts[category] = Drift(change, first, max(1.0, world.days * stream.uniform(*LASTS)))
        sign = -sign
    return drifts


def factors_on(drifts: Mapping[str, Drift], day: date) -> Mapping[str, float]:
    """By category, of those that drift."""
    return {category: drift.factor(day.toordinal()) for category, drift in drifts.items()}
