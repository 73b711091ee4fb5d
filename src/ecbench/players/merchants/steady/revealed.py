"""What the market hides of store types and suppliers, revealed to the planner of `steady`."""

from ecbench.market.economy import Economy
from ecbench.players.merchants.steady.estimates import PriceBelief, Shape
from ecbench.players.merchants.steady.planning import DARING
from ecbench.players.merchants.steady.state import ShelfLine, Source, StoreTypeView
from ecbench.sums import ordered_sum
from ecbench.suppliers.supplier_traits import Traits, lowest_ratios, traits_of
from ecbench.world.model import Category

LONG_TRIED = 1_000  # days of sales: nothing is left to learn


def reveal_store_type(store_type: StoreTypeView, economy: Economy) -> None:
    world, rules = economy.world, economy.rules
    truth = world.store_type_by_id[store_type.id]
    store_type.researched = store_type.certain = True
    store_type.sold_days = LONG_TRIED
    store_type.demand.reach = rules.platform_share * truth.demand_scale
    store_type.demand.capacity = truth.capacity
    for line in store_type.lines.values():
        reveal_line(line, economy)


def reveal_line(line: ShelfLine, economy: Economy) -> None:
    world, rules = economy.world, economy.rules
    truth = world.category_by_name[line.name]
    goods = world.products_by_category[line.name]
    line.market = market_of(truth)
    line.freight, line.storage = rules.freight_cost[truth.size], rules.storage_rate[truth.size]
    line.cost = line.bid = lowest_ratios(economy, truth)[0]
    line.bid_is_floor = True
    line.returns = ordered_sum(product.return_rate for product in goods) / len(goods)
    line.belief = PriceBelief((Shape(truth.elasticity, truth.eta),))
    line.proven = rules.price_ceiling / DARING
    line.tried = True
    honest = [source for source in line.sources if world.supplier_by_name[source.name].honest]
    honest.sort(key=lambda source: traits_of(economy, world.supplier_by_name[source.name]).floor_ratio)
    own_floor = rules.floor_spread > 0
    suppliers = [world.supplier_by_name[source.name] for source in honest]
    line.sources = [
        vouched(source, traits_of(economy, supplier), supplier.order_limit, own_floor=own_floor)
        for source, supplier in zip(honest, suppliers, strict=True)
    ]


def market_of(category: Category) -> float:
    """Units a day that the platform sells of each SKU of the category."""
    return (category.sales_min + category.sales_max) / 2 / 30


def vouched(source: Source, traits: Traits, order_limit: int, *, own_floor: bool) -> Source:
    source.contacted = source.checked = source.trusted = source.bid_is_floor = True
    source.supply, source.order_limit = traits.weekly_supply or None, order_limit
    if own_floor:
        source.bid = traits.floor_ratio
    return source
