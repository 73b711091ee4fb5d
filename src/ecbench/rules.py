"""Every constant of the economy (label app:econ_constants), in one place, each with the range that it must keep to.

The figures of the bargaining algorithm are in `suppliers/kernel.py`, `suppliers/templates.py`, `suppliers/scams.py`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from ecbench.ranges import DAYS, STAKE, Range, near_miss, quoted
from ecbench.rule_values import (
    FACTOR,
    LOWEST_PRICE_RATIO,
    SHARE,
    SWITCH,
    UNIT_COST,
    UNLIMITED,
    WAIT,
    YUAN,
    Ranges,
    as_json,
    by_name,
    read_rule,
    rule,
    whole,
    written,
)

ALL_RULES = "`ecbench list rules` lists all of them"
SPEEDS = ("fast", "standard", "slow")
STEEPEST_GOODWILL = 700  # beyond it the logistic of app:econ_reputation leaves what a float can hold


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Rules:
    """Raises ValueError for a rule that is out of its range or at odds with another."""

    stake: float = rule(100_000.0, STAKE, "opening money, ¥")

    # Stores
    max_stores: int = rule(4, whole(1, 1_000), "stores open at the same time")
    setup_fee: float = rule(500.0, YUAN, "what opening a store costs, ¥")
    operating_cost: Mapping[int, float] = rule(
        {1: 130.0, 2: 100.0, 3: 60.0}, YUAN, "what an open store costs a day, ¥, by tier"
    )
    listing_fee: float = rule(0.0, UNIT_COST, "what a listing with units costs a day, ¥")
    most_listings: int = rule(
        0, whole(0, 100_000), "products with units that a merchant may list in all its stores together; 0: any number"
    )
    idle_charge: float = rule(1_000.0, YUAN, "what a day without a store costs, ¥")
    idle_grace_days: int = rule(7, whole(0, int(DAYS.most)), "days before the idle charge begins")
    opening_reputation: float = rule(0.5, SHARE, "reputation of a new store")

    # Money
    commission: float = rule(0.02, SHARE, "share of revenue that the platform keeps")
    escrow_days: int = rule(9, WAIT, "days from shipping to the wallet")
    salvage_rate: float = rule(0.10, SHARE, "share of its cost that liquidated stock brings")
    salvage_cap: float = rule(
        UNLIMITED, Range(0, UNLIMITED), "multiple of its reference price beyond which a unit's cost brings no salvage"
    )
    closing_stock_share: float = rule(
        0.0, SHARE, "share of their category's floor that unsold units and those on their way bring when the year ends"
    )
    unpaid_limit: int = rule(10, whole(1, 1_000_000_000), "mornings in a row below zero that end the business")
    membership_fee: float = rule(1_000.0, YUAN, "what a `vip_fee` supplier asks for, ¥")

    # Draws
    secret_draws: int = rule(0, SWITCH, "1: random draws are keyed by the world's seed and salt, 0: as in the release")

    # Score
    ranked_by_skill: int = rule(0, SWITCH, "1: the primary score is skill, 0: final assets")

    # Clock
    refuse_after_end: int = rule(0, SWITCH, "1: calls after the one that ends the year are refused, 0: they still act")
    opening_hour: int = rule(8, whole(0, 23), "hour at which the working day begins")
    closing_hour: int = rule(18, whole(1, 24), "hour at which the working day ends; after `opening_hour`")

    # Demand
    platform_share: float = rule(0.1, Range(0, 10), "share of platform-wide sales that reaches a merchant (lambda)")
    weekend_factor: float = rule(1.3, FACTOR, "multiple of demand on Saturdays and Sundays")
    lowest_price_ratio: float = rule(
        LOWEST_PRICE_RATIO,
        Range(LOWEST_PRICE_RATIO, 1),
        "price over reference price below which demand no longer grows",
    )
    price_ceiling: float = rule(
        UNLIMITED, Range(1, UNLIMITED), "price over reference price above which nothing is sold"
    )
    drift_categories: int = rule(
        0, whole(0, 100_000), "categories of each store type whose demand drifts in the course of the year"
    )
    drift_size: float = rule(0.0, Range(0, 3), "largest change of the logarithm of demand by drift")
    category_fraction: float = rule(
        0.35, Range(0.001, 1), "share of a store's capacity that one category can claim at least"
    )
    category_spread: float = rule(
        1.2, FACTOR, "over a store's number of categories: the share that one can claim where they are few"
    )
    min_discount: float = rule(0.05, SHARE, "smallest discount of a promotion")
    max_discount: float = rule(0.50, SHARE, "largest discount of a promotion; not below `min_discount`")
    full_boost_discount: float = rule(0.30, Range(0.001, 1), "discount from which a promotion brings all its traffic")
    promotion_memory_days: int = rule(
        0, WAIT, "days of which the lowest price counts as the one that a promotion's discount is taken off; 0: none"
    )
    announce_days: int = rule(7, WAIT, "days before its start that a promotion is announced")
    enrol_days: int = rule(30, WAIT, "days before its start that a promotion can be joined")

    # Several merchants in one market; one alone has no rivals
    lowest_rival_ratio: float = rule(
        0.5, Range(1e-9, 1), "share of the reference price below which a rival's price counts as this"
    )
    unshipped_fee: float = rule(
        1.0, FACTOR, "share of the reference price that a unit costs where its order was not shipped in time"
    )

    # Storage and freight
    storage_rate: Mapping[str, float] = rule(
        {"Small": 0.05, "Medium": 0.15, "Large": 0.50, "XLarge": 1.50}, UNIT_COST, "storage of a unit a day, ¥, by size"
    )
    storage_age_steps: tuple[tuple[int, float], ...] = rule(
        ((0, 1.0), (21, 1.4), (45, 2.2), (90, 4.0), (135, 6.0), (180, 9.0)),
        (whole(0, int(DAYS.most)), FACTOR),
        "from this age of a lot in days, this multiple of the storage rate; begins at 0 and rises",
    )
    freight_cost: Mapping[str, float] = rule(
        {"Small": 0.5, "Medium": 1.5, "Large": 3.0, "XLarge": 6.0}, UNIT_COST, "freight of a unit, ¥, by size"
    )
    freight_factor: Mapping[str, float] = rule(
        {"fast": 2.0, "standard": 1.0, "slow": 0.5}, FACTOR, "multiple of the freight, by speed"
    )
    ship_deadline_days: int = rule(2, WAIT, "days to ship an order before it is cancelled")

    # Returns
    speed_return_factor: Mapping[str, float] = rule(
        {"fast": 0.75, "standard": 1.0, "slow": 1.30}, FACTOR, "multiple of the return rate, by speed"
    )
    price_return_knees: tuple[tuple[float, float], ...] = rule(
        ((0.8, 0.85), (1.0, 1.0), (1.3, 1.5), (1.8, 2.2)),
        (FACTOR, FACTOR),
        "price over reference price, and the multiple of the return rate there; rises",
    )
    price_return_slope: float = rule(
        0.0, FACTOR, "rise of that multiple past the last step, for each reference price more"
    )
    return_cap: float = rule(0.95, SHARE, "highest return rate")
    defective_floor: float = rule(0.40, SHARE, "lowest return rate of a defective unit")
    defective_factor: float = rule(
        2.0, FACTOR, "multiple of its natural rate at which a defective unit returns, if that is higher"
    )
    return_days: tuple[int, int] = rule((3, 7), whole(1, 365), "days until a return arrives: fewest, most")

    # Reputation
    goodwill_base: float = rule(0.3, SHARE, "reputation of a store that has shipped nothing")
    goodwill_span: float = rule(0.7, SHARE, "what shipping can add to that reputation")
    goodwill_midpoint: float = rule(
        500.0,
        Range(0, 1e9),
        "units shipped at which half of `goodwill_span` is added; at most 700 times `goodwill_scale`",
    )
    goodwill_scale: float = rule(200.0, Range(0, 1e9, above=True), "units shipped over which `goodwill_span` is added")
    return_weight: float = rule(0.6, FACTOR, "weight of recent returns in the service penalty")
    cancel_weight: float = rule(1.0, FACTOR, "weight of recent cancellations in the service penalty")
    penalty_cap: float = rule(0.5, SHARE, "largest service penalty")
    counter_decay: float = rule(0.85, SHARE, "share of the recent counts that is left a day later")
    reputation_floor: float = rule(0.15, SHARE, "lowest reputation")

    # Purchase orders
    lead_days: tuple[int, int] = rule((3, 7), WAIT, "days until an order arrives: fewest, most")
    short_delivery: tuple[float, float] = rule(
        (0.6, 0.1), SHARE, "`qty_bait`: share delivered at least, and how much may come on top; 1 together at most"
    )
    weekly_supply: int = rule(
        0, whole(0, 1_000_000_000), "units a week that a supplier delivers to one merchant, on average; 0: any number"
    )

    # Suppliers
    highest_bid: float = rule(
        UNLIMITED, Range(0, UNLIMITED), "multiple of the reference price above which a bid is refused"
    )
    binding_bids: int = rule(
        0,
        SWITCH,
        "1: a bid is decided only if it can be ordered (quantity, bank, weekly supply), one for a SKU in a message",
    )
    floor_spread: float = rule(
        0.0,
        Range(0, 0.9),
        "how far suppliers' floors lie from their category's at most, as a share of floor or margin",
    )
    opening_spread: float = rule(
        0.0, Range(0, 0.9), "how far below the reference price an opening may lie; 0: all open as their category does"
    )
    honest_manners: int = rule(
        0, SWITCH, "1: cheats bargain as honest suppliers do, and raise their floors by various shares"
    )

    # Conduct
    conduct: int = rule(
        0,
        SWITCH,
        "1: claims, crossed-out prices, reports of shortages and letters to the owner exist, and their truth is kept",
    )
    talk: int = rule(0, SWITCH, "1: merchants of one market can write to and pay each other")

    # Memory
    memory_entries: int = rule(20, whole(0, 100_000), "notes that an agent can keep")

    def __post_init__(self) -> None:
        for each in fields(self):
            value = read_rule(each.name, getattr(self, each.name), each.metadata["default"], each.metadata["ranges"])
            object.__setattr__(self, each.name, value)
        for complaint in _at_odds(self):
            raise ValueError(complaint)

    def values(self) -> dict[str, Any]:
        """Every rule by its name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def with_overrides(self, overrides: Mapping[str, Any]) -> "Rules":
        """A copy with some rules changed, as JSON or Python writes them; of a table a part will do."""
        known = self.values()
        changed: dict[str, Any] = {}
        for name, value in overrides.items():
            if name not in known:
                raise ValueError(f"there is no rule {quoted(name)}; {near_miss(name, known, ALL_RULES)}")
            part = isinstance(known[name], Mapping) and isinstance(value, Mapping)
            changed[name] = by_name(known[name]) | by_name(value) if part else value
        return replace(self, **changed)

    def __repr__(self) -> str:
        """Only what differs from the paper."""
        changed = [each.name for each in fields(self) if getattr(self, each.name) != each.metadata["default"]]
        return f"Rules({', '.join(f'{name}={as_json(getattr(self, name))!r}' for name in changed)})"


def _at_odds(rules: Rules) -> Iterator[str]:
    """A line for each pair of rules that contradict each other."""
    for low, high in (("opening_hour", "closing_hour"), ("min_discount", "max_discount")):
        least, most = getattr(rules, low), getattr(rules, high)
        if least > most or (low == "opening_hour" and least == most):
            yield f"{high} must be above {low}, which is {least:g}; got {most:g}"
    for name in ("lead_days", "return_days"):
        first, last = getattr(rules, name)
        if first > last:
            yield f"{name} must be the fewest days and then the most; got {first} and {last}"
    if sum(rules.short_delivery) > 1:
        yield f"short_delivery must add up to 1 at most; got {list(rules.short_delivery)}"
    if rules.closing_stock_share + rules.floor_spread > 1:
        yield (
            f"closing_stock_share must be at most 1 - floor_spread, so that no goods are bought below what they bring "
            f"at the end; got {rules.closing_stock_share:g} and {rules.floor_spread:g}"
        )
    if rules.storage_age_steps[0][0] != 0:
        yield f"storage_age_steps must begin at age 0; got {rules.storage_age_steps[0][0]}"
    if rules.goodwill_midpoint > STEEPEST_GOODWILL * rules.goodwill_scale:
        yield (
            f"goodwill_midpoint must be at most {STEEPEST_GOODWILL} times goodwill_scale, which is "
            f"{rules.goodwill_scale:g}; got {rules.goodwill_midpoint:g}"
        )


DEFAULT_RULES = Rules()


class RuleSet(NamedTuple):
    """Rules under a name, and what they are for."""

    rules: Rules
    purpose: str


DEFAULT_SET = "paper"
SEASON_SET = "fair"  # of seasons that are announced now
_RULE_SETS = {
    DEFAULT_SET: RuleSet(DEFAULT_RULES, "the paper's economy; what scores are compared under"),
    "no-salvage": RuleSet(
        Rules(salvage_rate=0.0),
        "the same, but liquidated stock brings nothing, so that revaluing it brings nothing either",
    ),
    "fair-2": RuleSet(
        Rules(
            listing_fee=5.0,
            most_listings=60,
            salvage_cap=1.0,
            closing_stock_share=0.5,
            secret_draws=1,
            refuse_after_end=1,
            lowest_price_ratio=0.5,
            price_ceiling=5.0,
            drift_categories=3,
            drift_size=0.6,
            promotion_memory_days=30,
            price_return_slope=1.4,
            weekly_supply=300,
            highest_bid=1.5,
            binding_bids=1,
            floor_spread=0.4,
            opening_spread=0.2,
            honest_manners=1,
            ranked_by_skill=1,
        ),
        "skill decides, not scale, loopholes or knowledge of the source code",
    ),
}
RULE_SETS: Mapping[str, RuleSet] = MappingProxyType(
    {
        **_RULE_SETS,
        "conduct-1": RuleSet(
            replace(_RULE_SETS["fair-2"].rules, conduct=1), "fair-2 with temptations: what honesty costs is counted"
        ),
    }
)


NEWEST_VERSIONS: Mapping[str, str] = MappingProxyType({"fair": "fair-2", "conduct": "conduct-1"})


def versioned_set(name: str) -> str:
    """The name under which a set is recorded: that of its newest version where the name leaves the version out."""
    return NEWEST_VERSIONS.get(name, name)


def rule_set(name: str) -> Rules:
    """The rules of that name; raises ValueError for one that there is not."""
    found = RULE_SETS.get(versioned_set(name))
    if found is None:
        names = (*NEWEST_VERSIONS, *RULE_SETS)
        others = f"the rule sets are: {', '.join(names)}"
        raise ValueError(f"there is no rule set {quoted(name)}; {near_miss(name, names, others)}")
    return found.rules


class RuleLine(NamedTuple):
    """A rule as a person reads it."""

    name: str
    value: str
    allowed: str  # of each number in it
    meaning: str


def rule_lines(rules: Rules = DEFAULT_RULES) -> list[RuleLine]:
    """Every rule with its value, what its numbers may be, and what it is."""
    return [
        RuleLine(
            each.name,
            written(getattr(rules, each.name)),
            "; ".join(map(str, ranges_of(each.name))),
            each.metadata["meaning"],
        )
        for each in fields(rules)
    ]


def ranges_of(name: str) -> tuple[Range, ...]:
    """Of every number of the rule, or of the two parts that each of its steps has."""
    ranges: Ranges = Rules.__dataclass_fields__[name].metadata["ranges"]
    return ranges if isinstance(ranges, tuple) else (ranges,)
