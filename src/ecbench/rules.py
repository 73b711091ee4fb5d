"""Every constant of the economy, in one place.

The figures are those of the paper (label app:econ_constants and the tables beside it). A run may override any
field by name; what it overrides is recorded with it. How suppliers bargain is no rule of the economy: those figures
stand in `suppliers/kernel.py` and `suppliers/templates.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any

SPEEDS = ("fast", "standard", "slow")


def _table(**entries: float) -> Any:
    return field(default_factory=lambda: MappingProxyType(dict(entries)))


@dataclass(frozen=True, eq=False)
class Rules:
    stake: float = 100_000.0

    # Stores
    max_stores: int = 4
    setup_fee: float = 500.0
    # a day, by tier
    operating_cost: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({1: 130.0, 2: 100.0, 3: 60.0}))
    idle_charge: float = 1_000.0
    idle_grace_days: int = 7
    opening_reputation: float = 0.5

    # Money
    commission: float = 0.02
    escrow_days: int = 9
    salvage_rate: float = 0.10  # of cost
    unpaid_limit: int = 10  # mornings in a row with the bank below zero
    membership_fee: float = 1_000.0

    # Clock
    opening_hour: int = 8
    closing_hour: int = 18

    # Demand
    platform_share: float = 0.1  # lambda
    weekend_factor: float = 1.3
    category_fraction: float = 0.35  # of a store's capacity, the least that one category can claim
    category_spread: float = 1.2  # over the number of categories: what it can claim where they are few
    min_discount: float = 0.05
    max_discount: float = 0.50
    full_boost_discount: float = 0.30  # from which a promotion brings all its traffic
    announce_days: int = 7  # before a promotion starts
    enrol_days: int = 30

    # Storage and freight
    storage_rate: Mapping[str, float] = _table(Small=0.05, Medium=0.15, Large=0.50, XLarge=1.50)
    storage_age_steps: tuple[tuple[int, float], ...] = (  # from this age in days, this multiple of the rate
        (0, 1.0),
        (21, 1.4),
        (45, 2.2),
        (90, 4.0),
        (135, 6.0),
        (180, 9.0),
    )
    freight_cost: Mapping[str, float] = _table(Small=0.5, Medium=1.5, Large=3.0, XLarge=6.0)
    freight_factor: Mapping[str, float] = _table(fast=2.0, standard=1.0, slow=0.5)
    ship_deadline_days: int = 2

    # Returns
    speed_return_factor: Mapping[str, float] = _table(fast=0.75, standard=1.0, slow=1.30)
    # price over reference, and what it does to the return rate
    price_return_knees: tuple[tuple[float, float], ...] = ((0.8, 0.85), (1.0, 1.0), (1.3, 1.5), (1.8, 2.2))
    return_cap: float = 0.95
    defective_floor: float = 0.40  # a defective unit returns at this rate, or
    defective_factor: float = 2.0  # at this multiple of its natural one, whichever is higher
    return_days: tuple[int, int] = (3, 7)

    # Reputation
    goodwill_base: float = 0.3
    goodwill_span: float = 0.7
    goodwill_midpoint: float = 500.0
    goodwill_scale: float = 200.0
    return_weight: float = 0.6
    cancel_weight: float = 1.0
    penalty_cap: float = 0.5
    counter_decay: float = 0.85
    reputation_floor: float = 0.15

    # Purchase orders
    lead_days: tuple[int, int] = (3, 7)
    short_delivery: tuple[float, float] = (0.6, 0.1)  # least share delivered, and how far above it may come out

    # Memory
    memory_entries: int = 20

    def with_overrides(self, overrides: Mapping[str, Any]) -> "Rules":
        """A copy with some fields changed; an unknown name is refused with the known ones."""
        known = {f.name for f in fields(self)}
        unknown = sorted(set(overrides) - known)
        if unknown:
            raise ValueError(f"unknown rule {', '.join(unknown)}; the rules are: {', '.join(sorted(known))}")
        return replace(self, **overrides)


DEFAULT_RULES = Rules()
