"""The merchant that reads hidden state: a strong insider to read scores against, and no bound.

It trades as `steady` does, but knows what `steady` has to find out: every demand curve and capacity, every floor price,
every return rate, and which suppliers are honest. It pays for no trials, is never cheated, never prices in error, knows
where suppliers stop and carries as many goods as pay.
"""

from typing import Any

from ecbench.episode import Episode
from ecbench.market.economy import Economy
from ecbench.players.merchants.protocol import Play
from ecbench.players.merchants.steady import trade_until_year_end
from ecbench.players.merchants.steady.market_research import survey
from ecbench.players.merchants.steady.merchant_state import MerchantState, Source, Trade, TradeLine
from ecbench.players.merchants.steady.price_response import PriceBelief, Shape
from ecbench.players.merchants.steady.shelf_planning import DARING
from ecbench.players.merchants.steady.store_ranking import appraise
from ecbench.players.merchants.steady.takeover import read_business
from ecbench.sums import ordered_sum
from ecbench.suppliers.supplier_traits import Traits, lowest_ratios, traits_of

LONG_TRIED = 1_000  # days of sales: nothing is left to learn


class Oracle:
    """Plays with the market's hidden parameters open before it."""

    def __init__(self, days: int = 365) -> None:
        self.days = days

    def play_knowing(self, episode: Episode, _schemas: list[dict[str, Any]]) -> Play:
        everything = len(episode.world.products)
        rules = episode.account.rules
        state = MerchantState(
            self.days, fewest_listings=everything, most_listings=everything, deepest=everything, rules=rules
        )
        yield from survey(state)
        yield from read_business(state)
        for trade in state.trades.values():
            reveal_trade(trade, episode.account.economy)
        appraise(state)
        yield from trade_until_year_end(state)


def reveal_trade(trade: Trade, economy: Economy) -> None:
    world, rules = economy.world, economy.rules
    truth = world.store_type_by_id[trade.id]
    trade.researched = trade.certain = True
    trade.sold_days = LONG_TRIED
    trade.demand.reach = rules.platform_share * truth.demand_scale
    trade.demand.capacity = truth.capacity
    for line in trade.lines.values():
        reveal_line(line, economy)


def reveal_line(line: TradeLine, economy: Economy) -> None:
    world, rules = economy.world, economy.rules
    truth = world.category_by_name[line.name]
    goods = world.products_by_category[line.name]
    line.market = (truth.sales_min + truth.sales_max) / 2 / 30
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
    line.sources = [
        vouched(source, traits_of(economy, world.supplier_by_name[source.name]), own_floor=own_floor)
        for source in honest
    ]


def vouched(source: Source, traits: Traits, *, own_floor: bool) -> Source:
    source.contacted = source.checked = source.bid_is_floor = True
    source.supply = traits.weekly_supply or None
    if own_floor:
        source.bid = traits.floor_ratio
    return source
