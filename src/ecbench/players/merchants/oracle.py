"""The merchant that reads hidden state: a strong insider to read scores against, and no bound.

It trades as `steady` does, but knows what `steady` has to find out: every demand curve and capacity, every floor price,
every return rate, and which suppliers are honest. It pays for no trials, is never cheated, never prices in error, knows
where suppliers stop and carries as many goods as pay. Where suppliers deliver little, one letter of its goes to a
supplier of every line, each answering for its own goods, and orders all that a supplier has left for the week.
"""

import datetime as dt
from typing import Any

from ecbench.episode import Episode
from ecbench.market.economy import Economy
from ecbench.players.merchants.protocol import Play
from ecbench.players.merchants.steady import one_day
from ecbench.players.merchants.steady.market_research import survey
from ecbench.players.merchants.steady.merchant_state import MerchantState, Source, Trade, TradeLine
from ecbench.players.merchants.steady.price_response import PriceBelief, Shape
from ecbench.players.merchants.steady.promotion_enrolment import Promotions
from ecbench.players.merchants.steady.shelf_planning import DARING
from ecbench.players.merchants.steady.store_ranking import appraise
from ecbench.players.merchants.steady.takeover import read_business
from ecbench.sums import ordered_sum
from ecbench.suppliers.supplier_traits import Traits, lowest_ratios, traits_of
from ecbench.world.model import Category

LONG_TRIED = 1_000  # days of sales: nothing is left to learn
AHEAD = dt.timedelta(days=12)  # until goods that are ordered today are sold, about


class Oracle:
    """Plays with the market's hidden parameters open before it; `most_listings` limits its assortment."""

    def __init__(self, days: int = 365, most_listings: int | None = None) -> None:
        self.days = days
        self.most_listings = most_listings

    def play_knowing(self, episode: Episode, _schemas: list[dict[str, Any]]) -> Play:
        everything = len(episode.world.products)
        most = everything if self.most_listings is None else self.most_listings
        economy = episode.account.economy
        state = MerchantState(
            self.days,
            fewest_listings=most,
            most_listings=most,
            deepest=everything,
            # Many suppliers have to be served only where each delivers little.
            letters_at_once=len(episode.world.categories) if economy.rules.weekly_supply else 1,
            rules=economy.rules,
        )
        yield from survey(state)
        yield from read_business(state)
        for trade in state.trades.values():
            reveal_trade(trade, economy)
        appraise(state)
        promotions = Promotions()
        while not state.over:
            follow_drift(state, economy)
            yield from one_day(state, promotions)


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


def follow_drift(state: MerchantState, economy: Economy) -> None:
    """Demand as it is on the day that goods ordered today will be on sale."""
    if economy.drift:
        day = state.date + AHEAD
        for line in state.lines.values():
            category = economy.world.category_by_name[line.name]
            line.market = market_of(category) * economy.drift_factor(category, day)


def vouched(source: Source, traits: Traits, order_limit: int, *, own_floor: bool) -> Source:
    source.contacted = source.checked = source.trusted = source.bid_is_floor = True
    source.supply, source.order_limit = traits.weekly_supply or None, order_limit
    if own_floor:
        source.bid = traits.floor_ratio
    return source
