"""List prices: a ladder while a trade is on trial, then the plan's price with a little spread."""

from collections.abc import Sequence
from functools import lru_cache

from ecbench.players.merchants.protocol import call
from ecbench.players.merchants.steady.merchant_state import MerchantState, Trade, TradeGoods, post
from ecbench.players.merchants.steady.promotion_enrolment import Promotions, discount
from ecbench.rules import Rules

LADDER = (1.0, 1.0, 1.15, 1.35, 1.7, 2.4, 4.0)
SPREAD = (1.0, 0.95, 1.06)  # neighbours on the shelf differ a little, so that every day teaches something


def list_ratios(trade: Trade, items: Sequence[TradeGoods], promotions: Promotions, rules: Rules) -> list[float]:
    """List prices over reference prices; raised by what a running promotion takes off."""
    if not trade.known:
        return [LADDER[item.place % len(LADDER)] for item in items]
    raised = promotions.covers(trade) and not rules.promotion_memory_days
    mark_up = 1 / (1 - discount(rules)) if raised else 1.0
    spread = {name: spread_around(line.ratio, mark_up) for name, line in trade.lines.items()}
    return [spread[item.line][item.place % len(SPREAD)] for item in items]


@lru_cache(maxsize=256)
def spread_around(ratio: float, mark_up: float) -> list[float]:
    return [round(ratio * part * mark_up, 3) for part in SPREAD]


def reprice(state: MerchantState, promotions: Promotions) -> None:
    listed = state.on_shelf()
    for trade in state.open_trades:
        items = [item for name in trade.lines for item in listed.get(name, ())]
        changes = []
        for item, ratio in zip(items, list_ratios(trade, items, promotions, state.rules), strict=True):
            if state.ratios.get(item.sku) != ratio:
                state.ratios[item.sku] = ratio
                changes.append({"product_id": item.sku, "price": round(ratio * item.reference, 2)})
        if changes:
            post(state, call("set_prices", store_id=trade.store, prices=changes))
