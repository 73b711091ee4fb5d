"""The terms that every agent is given in its brief, as figures for a page: minutes of tools, fees, deadlines."""

from dataclasses import dataclass

from ecbench.rules import Rules
from ecbench.tools.catalog import tools_under


@dataclass(frozen=True, slots=True)
class PlayerTerms:
    """Amounts in yuan, shares between 0 and 1."""

    minutes: dict[str, int]  # of the working day, by tool
    day_minutes: int
    setup_fee: float
    most_stores: int
    commission: float
    escrow_days: int
    ship_deadline_days: int
    freight: dict[str, float]  # standard freight of a unit, by size
    freight_factor: dict[str, float]  # by speed
    storage: dict[str, float]  # of a unit a day, by size
    discounts: tuple[float, float]  # of a promotion: smallest, largest
    idle_charge: float
    idle_grace_days: int
    unpaid_limit: int


def player_terms(rules: Rules) -> PlayerTerms:
    return PlayerTerms(
        minutes={tool.name: tool.minutes for tool in tools_under(rules).values()},
        day_minutes=(rules.closing_hour - rules.opening_hour) * 60,
        setup_fee=rules.setup_fee,
        most_stores=rules.max_stores,
        commission=rules.commission,
        escrow_days=rules.escrow_days,
        ship_deadline_days=rules.ship_deadline_days,
        freight=dict(rules.freight_cost),
        freight_factor=dict(rules.freight_factor),
        storage=dict(rules.storage_rate),
        discounts=(rules.min_discount, rules.max_discount),
        idle_charge=rules.idle_charge,
        idle_grace_days=rules.idle_grace_days,
        unpaid_limit=rules.unpaid_limit,
    )
