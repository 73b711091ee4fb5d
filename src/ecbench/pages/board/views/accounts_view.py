"""The money of a merchant: escrow by the date it settles on, and what moved by which channel in the last week."""

from dataclasses import dataclass
from datetime import date

from ecbench.episode import Episode
from ecbench.market.calendar import WEEK
from ecbench.market.ledger import CHANNELS


@dataclass(frozen=True, slots=True)
class Settlement:
    """Revenue that moves to the wallet on a date, unless customers return the goods."""

    date: str
    day: int
    amount: float
    shipments: int


@dataclass(frozen=True, slots=True)
class WeekFlow:
    """What a channel of the ledger has moved: in the last seven days, and since the opening; costs are negative."""

    channel: str
    week: float
    year: float


@dataclass(frozen=True, slots=True)
class AccountsView:
    settlements: list[Settlement]  # soonest first
    flows: list[WeekFlow]
    unshipped: float  # sales that are not shipped yet


def accounts_view(year: Episode) -> AccountsView:
    books, today = year.account.books, year.account.market.date.toordinal()
    settlements = [
        Settlement(
            date.fromordinal(day).isoformat(),
            year.day + day - today,
            round(sum(held), 2),
            sum(amount > 0.0 for amount in held),
        )
        for day, held in sorted(books.purse.batches.items())
    ]
    before = books.days[-WEEK - 1].flows if len(books.days) > WEEK else (0.0,) * len(CHANNELS)
    totals = books.purse.totals
    flows = [
        WeekFlow(name, round(totals[name] - past, 2), round(totals[name], 2))
        for name, past in zip(CHANNELS, before, strict=True)
        if totals[name]
    ]
    unshipped = sum(goods.quantity * goods.unit_price for sales in books.pending for goods in sales.goods)
    return AccountsView(settlements, flows, round(unshipped, 2))
