"""List prices: a ladder while a trade is on trial, then the plan's price with a little spread."""

from ecbench.agents.protocol import Errand
from ecbench.agents.steady.desk import ask_one
from ecbench.agents.steady.notebook import Notebook, Trade, TradeGoods
from ecbench.agents.steady.promotions import DISCOUNT, Promotions

LADDER = (1.0, 1.0, 1.15, 1.35, 1.7, 2.4, 4.0)
SPREAD = (1.0, 0.95, 1.06)  # neighbours on the shelf differ a little, so that every day teaches something


def list_ratio(trade: Trade, item: TradeGoods, promotions: Promotions) -> float:
    """The list price over the reference price; raised by what a running promotion takes off."""
    if not trade.known:
        return LADDER[item.place % len(LADDER)]
    mark_up = 1 / (1 - DISCOUNT) if promotions.covers(trade) else 1.0
    return round(trade.lines[item.line].ratio * SPREAD[item.place % len(SPREAD)] * mark_up, 3)


def reprice(book: Notebook, promotions: Promotions) -> Errand[None]:
    listed = book.on_shelf()
    for trade in book.open_trades:
        changes = []
        for name in trade.lines:
            for item in listed.get(name, ()):
                ratio = list_ratio(trade, item, promotions)
                if book.ratios.get(item.sku) != ratio:
                    book.ratios[item.sku] = ratio
                    changes.append({"product_id": item.sku, "price": round(ratio * item.reference, 2)})
        if changes:
            yield from ask_one(book, "set_prices", store_id=trade.store, prices=changes)
