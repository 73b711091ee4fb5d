"""What a supplier brings to every bargain under the rules: its manner, floor, opening and weekly supply."""

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from ecbench.market.cache import FunctionCache
from ecbench.market.draws import DrawKey, named_stream
from ecbench.market.economy import Economy
from ecbench.rules import Rules
from ecbench.suppliers.scams import SCHEMES
from ecbench.suppliers.templates import HONEST_MANNERS, Manner
from ecbench.world.model import Category, Supplier, World
from ecbench.world.supplier_kinds import Scam, Template

SUPPLY_RANGE = (0.5, 1.5)  # of the rule `weekly_supply`: what suppliers deliver a week, evenly spread


@dataclass(frozen=True, slots=True, eq=False)
class Traits:
    """Ratios are shares of the reference price. Equal traits of the paper's rules are the same object."""

    manner: Manner
    floor_ratio: float  # without the markup of a scam
    opening_ratio: float
    cap_ratio: float  # of a raised floor
    markup: float  # theta, over the floor
    framed: bool  # its price frame begins at its reservation, as that of the paper's cheats does
    key: DrawKey = 0  # of the random streams of its kernels
    cents: bool = False  # it quotes whole cents
    weekly_supply: int = 0  # units that it delivers to one merchant in a week; 0: any number


@lru_cache(maxsize=4_096)
def published_traits(template: Template, scam: Scam, floor: float, opening: float, cap: float) -> Traits:
    """Those of the paper: of a kind of supplier in a category with these ratios."""
    if not scam:
        return Traits(HONEST_MANNERS[template], floor, opening, cap, 1.0, framed=False)
    return Traits(SCHEMES[scam].manner, floor, opening, cap, SCHEMES[scam].markup, framed=True)


def traits_of(economy: Economy, supplier: Supplier) -> Traits:
    """The traits of one of the world's suppliers, cached for all episodes on the economy."""
    return _roster(economy)[supplier.name]


@lru_cache(maxsize=16)
def _roster(economy: Economy) -> FunctionCache[str, Traits]:
    world, rules = economy.world, economy.rules
    drawn = rules.secret_draws or rules.floor_spread or rules.opening_spread or rules.honest_manners
    compute = _drawn_traits if drawn or rules.weekly_supply else _traits_by_kind
    return FunctionCache(lambda name: compute(economy, world.supplier_by_name[name]), len(world.suppliers))


def _traits_by_kind(economy: Economy, supplier: Supplier) -> Traits:
    category = economy.world.category_by_name[supplier.category]
    return published_traits(
        supplier.template, supplier.scam, category.floor_ratio, category.wholesale_ratio, category.scam_cap_ratio
    )


def _drawn_traits(economy: Economy, supplier: Supplier) -> Traits:
    """Each draw has a stream of its own, so that no rule changes what another draws."""
    world, rules, key = economy.world, economy.rules, economy.key
    category, kind = world.category_by_name[supplier.category], _traits_by_kind(economy, supplier)
    honest = not supplier.scam or rules.honest_manners
    floor, supply = named_stream(key, f"floor {supplier.id}"), 0
    if rules.weekly_supply:
        share = named_stream(key, f"weekly supply {supplier.id}").uniform(*SUPPLY_RANGE)
        supply = max(1, round(rules.weekly_supply * share))
    return Traits(
        manner=honest_manner(world, key, supplier) if supplier.scam and honest else kind.manner,
        floor_ratio=category.floor_ratio + _half_width(category, rules) * floor.uniform(-1.0, 1.0),
        opening_ratio=_own_opening(category, rules, named_stream(key, f"opening {supplier.id}")),
        cap_ratio=kind.cap_ratio,
        # A floor that all scams raise alike would stand out among those of honest suppliers.
        markup=named_stream(key, f"markup {supplier.id}").uniform(1.0, kind.markup) if honest else kind.markup,
        framed=not honest,
        key=key if rules.secret_draws else 0,
        cents=bool(rules.secret_draws),
        weekly_supply=supply,
    )


def lowest_ratios(economy: Economy, category: Category) -> tuple[float, float]:
    """The lowest floor and the lowest opening of the category's honest suppliers; its own figures if it has none."""
    traits = [traits_of(economy, one) for one in economy.world.suppliers_by_category[category.name] if one.honest]
    floors, openings = [one.floor_ratio for one in traits], [one.opening_ratio for one in traits]
    return min(floors, default=category.floor_ratio), min(openings, default=category.wholesale_ratio)


def honest_manner(world: World, key: DrawKey, supplier: Supplier) -> Manner:
    """The manner of one of the world's honest suppliers, drawn for a cheat."""
    templates = [other.template for other in world.suppliers if other.honest]
    return HONEST_MANNERS[named_stream(key, f"tone {supplier.id}").choice(templates) if templates else "taciturn"]


def _half_width(category: Category, rules: Rules) -> float:
    """Of the floors in a category: a share of its floor or of its margin, whichever is smaller."""
    return rules.floor_spread * min(category.floor_ratio, 1.0 - category.floor_ratio)


def _own_opening(category: Category, rules: Rules, stream: Random) -> float:
    """Above every floor of the category, and drawn alike whatever the supplier's own floor is."""
    highest_floor = category.floor_ratio + _half_width(category, rules)
    if not rules.opening_spread:
        return max(category.wholesale_ratio, highest_floor)
    return stream.uniform(max(1.0 - rules.opening_spread, highest_floor), 1.0)
