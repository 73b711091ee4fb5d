"""The money of a merchant: escrow by the date it settles on, and what moved by which channel in the last week."""

from datetime import date
from typing import Any

from ecbench.episode import Episode
from ecbench.market.calendar import WEEK
from ecbench.market.ledger import (
    CHANNELS,
    FEES,
    FREIGHT,
    IDLE,
    OPERATING,
    PROCUREMENT,
    REFUNDS,
    REVENUE,
    SALVAGE,
    SETUP,
    STORAGE,
)

CHANNEL_NAMES = {
    SETUP: "Opening stores",
    OPERATING: "Running stores",
    IDLE: "Days without a store",
    STORAGE: "Storage",
    FREIGHT: "Freight",
    PROCUREMENT: "Goods bought",
    FEES: "Fees of suppliers",
    REVENUE: "Sales shipped, after commission",
    REFUNDS: "Refunds",
    SALVAGE: "Goods sold off",
}


def accounts_view(year: Episode) -> dict[str, Any]:
    """Escrow by the date it settles on, soonest first; what moved by channel, costs negative; sales not shipped yet."""
    books, today = year.account.books, year.account.market.date.toordinal()
    settlements = [
        {
            "date": date.fromordinal(day).isoformat(),
            "day": year.day + day - today,
            "amount": round(sum(held), 2),
            "shipments": sum(amount > 0.0 for amount in held),
        }
        for day, held in sorted(books.purse.batches.items())
    ]
    before = books.days[-WEEK - 1].flows if len(books.days) > WEEK else (0.0,) * len(CHANNELS)
    totals = books.purse.totals
    flows = [
        {"channel": CHANNEL_NAMES[name], "week": round(totals[name] - past, 2), "year": round(totals[name], 2)}
        for name, past in zip(CHANNELS, before, strict=True)
        if totals[name]
    ]
    unshipped = sum(goods.quantity * goods.unit_price for sales in books.pending for goods in sales.goods)
    return {"settlements": settlements, "flows": flows, "unshipped": round(unshipped, 2)}
