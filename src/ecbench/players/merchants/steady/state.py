"""The state of the merchant: what it has read, what it owns, what it estimates; and the calls that update it."""

import datetime as dt
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

from ecbench.players.merchants.protocol import Call, Reply, Routine, call, is_over, news_in
from ecbench.players.merchants.steady.estimates import DemandEstimate, PriceBelief
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.tools.catalog import TOOL_BY_NAME

CLOSING_MINUTE = DEFAULT_RULES.closing_hour * 60
DEPTHS = (1, 2, 3, 5, 8, 12, 18, 26, 38, 56, 82)  # goods of a line that a plan may carry
MOST_LISTINGS = 300  # that can be looked after, however much money there is
DEAR = 10  # goods that stand for the top of a line's price range


class LineGoods(NamedTuple):
    sku: str
    line: str
    reference: float
    rank: int = 0  # in its line, dearest first


@dataclass(slots=True)
class Source:
    """A supplier of one line, and how it has behaved."""

    name: str
    email: str
    dropped: bool = False
    contacted: bool = False
    orders: int = 0
    quote: float = 1.0  # its last quotes over reference, on average
    bid: float | None = None  # as that of its line, where every supplier has a floor of its own
    bid_is_floor: bool = False
    supply: int | None = None  # units that it delivers in a week, if it has said so
    order_limit: int = 0  # orders after which it closes, where that is known
    week: int = -1  # of the year, in which
    taken: int = 0  # how many of them have been ordered
    checked: bool = False  # a delivery has come in full
    owed: dict[str, list[int]] = field(default_factory=dict)  # sku: ordered quantities not seen delivered yet
    received: dict[str, int] = field(default_factory=dict)  # sku: units delivered in total


@dataclass(slots=True)
class ShelfLine:
    """One category of a store type."""

    name: str
    goods: list[LineGoods]  # dearest first
    market: float = 0.0  # units a day, platform-wide
    freight: float = 1.5
    storage: float = 0.15
    cost: float = 0.6  # what a unit costs, over its reference price
    bid: float | None = None  # the price ratio to bid, just above where suppliers stop
    bid_is_floor: bool = False  # where they stop is known for a fact
    returns: float = 0.12  # natural share that comes back
    belief: PriceBelief = field(default_factory=PriceBelief)
    sources: list[Source] = field(default_factory=list)
    proven: float = 1.0  # the highest price over reference that a customer has paid
    tried: bool = False  # worth a trial
    ordered_on: int = -100  # day of the last order
    ratio: float = 1.0  # current price over reference
    listings: int = 0  # how many of the dearest goods to carry
    daily: float = 0.0  # units a day that each of them should sell
    means: list[float] = field(init=False)  # the mean value of that many, for each of DEPTHS; 0: too few goods
    dearest: float = field(init=False)  # what one of the dearest goods is worth on average

    def __post_init__(self) -> None:
        worth = [0.0, *accumulate(item.reference for item in self.goods)]  # of the n dearest goods together
        self.means = [worth[depth] / depth if depth <= len(self.goods) else 0.0 for depth in DEPTHS]
        top = min(DEAR, len(self.goods))
        self.dearest = worth[top] / max(1, top)


@dataclass(slots=True)
class StoreTypeView:
    """One store type and, while it is open, its store."""

    id: str
    name: str
    daily_cost: float
    season: list[float]
    lines: dict[str, ShelfLine]
    demand: DemandEstimate
    researched: bool = False
    ordered_on: dt.date | None = None  # trial stock
    store: str | None = None
    taken_over: bool = False  # the merchant before opened the store
    reputation: float = 0.5
    sold_days: int = 0
    sold_units: int = 0
    potential: float | None = None  # yuan a day, once it is known

    @property
    def known(self) -> bool:
        """Enough was seen to plan with: some days of lively sales, or more days of slow ones."""
        return self.sold_days >= 8 or (self.sold_days >= 4 and self.sold_units >= 30)


Talk = Generator[Call, Reply, None]
"""A part of a play that makes one call after the other, so that several can continue side by side."""
Reader = Callable[[Reply], None]


@dataclass(slots=True)
class MerchantState:
    days: int
    date: dt.date = dt.date.min
    start: dt.date = dt.date.min
    joined: int = 0  # the day on which this merchant took the business over
    minute: int = 8 * 60
    bank: float = 0.0
    escrow: float = 0.0
    freight: float = 0.0  # of the last shipping
    most_listings: int = MOST_LISTINGS
    slots: int = DEFAULT_RULES.max_stores  # stores that may be open
    idle_money: float = 0.0  # in the bank, and not to be spent on goods
    changes: float = 0.84  # of the year, in which store types that were tried may change places
    upkeep: float = 3.0  # what a listing has to earn a day to be one of them
    hurdle: int = 9  # how scarce money is: an index in the planner's list of hurdles
    store_types: dict[str, StoreTypeView] = field(default_factory=dict)
    lines: dict[str, ShelfLine] = field(default_factory=dict)
    goods: dict[str, LineGoods] = field(default_factory=dict)
    shelf: dict[str, int] = field(default_factory=dict)
    free: dict[str, int] = field(default_factory=dict)
    coming: dict[str, int] = field(default_factory=dict)
    ratios: dict[str, float] = field(default_factory=dict)  # list price over reference, by sku
    last_shipment: int = 0
    recent_sales: list[tuple[int, dict[str, float]]] = field(default_factory=list)  # by day: units sold by then, by sku
    settled_sales: dict[str, float] = field(default_factory=dict)  # the same of older days, as last noted
    news: list[Reply] = field(default_factory=list)
    outbox: list[tuple[Call, Reader | None]] = field(default_factory=list)  # posted, with who reads the reply
    promotions: list[str] = field(default_factory=list)  # that were announced and may be joined
    enrolled: dict[str, set[str]] = field(default_factory=dict)  # by promotion: store ids
    on_offer: set[str] = field(default_factory=set)  # store ids whose promotion runs today
    offer_traffic: float = 1.0  # what multiplies traffic there
    over: bool = False
    rules: Rules = DEFAULT_RULES

    def __post_init__(self) -> None:
        self.most_listings = min(self.most_listings, self.rules.most_listings or self.most_listings)

    @property
    def day(self) -> int:
        return (self.date - self.start).days

    @property
    def days_in(self) -> int:
        return self.day - self.joined

    @property
    def days_left(self) -> int:
        return self.days - self.day

    @property
    def open_types(self) -> list[StoreTypeView]:
        return [store_type for store_type in self.store_types.values() if store_type.store]

    def has_time_for(self, minutes: int) -> bool:
        return self.minute + minutes < CLOSING_MINUTE

    def read(self, reply: Reply) -> None:
        """The time and the news, which any reply may carry."""
        if "current_time" in reply:
            now = dt.datetime.fromisoformat(reply["current_time"])
            self.date, self.minute = now.date(), now.hour * 60 + now.minute
        self.news += news_in(reply)
        self.over = self.over or is_over(reply)


def post(state: MerchantState, one: Call, read: Reader | None = None) -> None:
    """Make a call in the turn of the next one that is asked; its minutes count at once."""
    state.outbox.append((one, read))
    state.minute += TOOL_BY_NAME[one["name"]].minutes


def begin(state: MerchantState, talk: Talk, reply: Reply | None = None) -> None:
    """Post the next letter of a talk; the one after it is posted when the reply to it has been read."""
    with suppress(StopIteration):
        post(state, next(talk) if reply is None else talk.send(reply), partial(begin, state, talk))


def ask(state: MerchantState, *calls: Call) -> Routine[list[Reply]]:
    """Make the calls that were posted, then these, in one turn; every reply updates the state."""
    posted, state.outbox = state.outbox, []
    replies = yield [*(one for one, _ in posted), *calls]
    for reply in replies:
        state.read(reply)
    for (_, read), reply in zip(posted, replies, strict=False):
        if read is not None:
            read(reply)
    return replies[len(posted) :]


def ask_one(state: MerchantState, name: str, **arguments: Any) -> Routine[Reply]:
    """Make the calls that were posted, then this one."""
    [reply] = yield from ask(state, call(name, **arguments))
    return reply


def send_posted(state: MerchantState, name: str | None = None) -> Routine[None]:
    """Make the calls that were posted, and those that their replies lead to; with a name, if one is a call of it."""
    while any(name is None or one["name"] == name for one, _ in state.outbox):
        yield from ask(state)
