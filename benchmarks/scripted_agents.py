"""Sixty scripted agents of known habits: families, strategies, levels of skill, and noise like that of models.

Every agent is one of three ways to trade (opening quotes, bargaining, or `steady` with limits) and a set of `Slips`:
what it leaves out, does late or does with a wrong number. A slip acts on the agent's calls, so that it works on every
way to trade. The noise of an agent that imitates a model is drawn for each year from the agent, the world and the
repetition: a lucky year and an unlucky one differ as those of the paper's models do.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import exp
from random import Random

from ecbench.episode import Episode
from ecbench.players.merchants.corner_shop import Habits, keep_shop
from ecbench.players.merchants.first_quote import pay_opening_quotes
from ecbench.players.merchants.haggler import OFFERS, Haggler
from ecbench.players.merchants.idle import Idle
from ecbench.players.merchants.protocol import Call, Play, Reply, call
from ecbench.players.merchants.steady import trade_until_year_end
from ecbench.players.merchants.steady.market_research import read_business, survey
from ecbench.players.merchants.steady.merchant_state import MerchantState
from ecbench.rules import Rules
from ecbench.tools.catalog import WAIT

NOTHING_SENT: Reply = {"success": False, "error": "nothing was sent"}
FIRST_LAPSE = 2  # day: stores are open by then
LONGEST_LAPSE = 4  # days in a row on which nothing is done
DAILY = frozenset({"ship_orders", "withdraw", "publish_to_store", "set_prices", "chatbox", "check_warehouse"})
MOST_SKIPPED = 0.7  # of the days
QUOTED = re.compile(r'("price": ?)([0-9.]+)')
ORDERED = re.compile(r'("quantity": ?)([0-9]+)')

Trade = Callable[[int, Rules], Play]
"""A way to trade a year of so many days under these rules."""


@dataclass(frozen=True, slots=True)
class Slips:
    """What an agent does less well than its way to trade has it; nothing by default."""

    stores: int = 99  # opened at most
    ship_every: int = 1  # days
    withdraw_every: int = 1  # days
    skipped: float = 0.0  # share of the days on which it only waits
    forgotten: float = 0.0  # share of the daily calls that are not made
    prices: float = 1.0  # times what it meant to ask
    bids: float = 1.0  # times what it meant to pay
    orders: float = 1.0  # times what it meant to buy
    price_noise: float = 0.0  # deviation of the logarithm of each price that it asks
    luck: float = 0.0  # deviation of the logarithm of the year's prices, bids, orders, skipped days and forgotten calls

    def of_year(self, draws: Random) -> "Slips":
        """The slips of one year of an agent whose years differ by luck."""
        if not self.luck:
            return self
        prices, bids, orders, skipped, forgotten = (exp(self.luck * draws.gauss(0, 1)) for _ in range(5))
        return Slips(
            self.stores,
            self.ship_every,
            self.withdraw_every,
            min(MOST_SKIPPED, self.skipped * skipped**2),
            min(MOST_SKIPPED, self.forgotten * forgotten**2),
            self.prices * prices**0.5,
            self.bids * max(1.0, bids**0.5),
            self.orders * orders,
            self.price_noise,
        )


@dataclass(frozen=True, slots=True)
class Agent:
    name: str
    family: str
    trade: Trade
    slips: Slips = Slips()

    @property
    def noisy(self) -> bool:
        return self.slips.luck > 0

    def play(self, year: Episode, draws: Random) -> Play:
        """The agent's year, its slips included."""
        play = self.trade(year.account.market.days, year.account.rules)
        return _slipping(play, year, self.slips.of_year(draws), draws)


def _slipping(play: Play, year: Episode, slips: Slips, draws: Random) -> Play:
    """The same play with calls left out or changed; a call that is left out is answered with a failure."""
    lapse, today = 0, -1
    calls = next(play)
    while True:
        if year.day != today:
            today, lapse = year.day, max(0, lapse - 1)
            if not lapse and today >= FIRST_LAPSE and draws.random() < slips.skipped / ((1 + LONGEST_LAPSE) / 2):
                lapse = draws.randint(1, LONGEST_LAPSE)
        made = [_slipped(one, year, slips, draws, idle=lapse > 0) for one in calls]
        sent = [one for one in made if one is not None]
        replies = iter((yield sent) if sent else [])
        try:
            calls = play.send([NOTHING_SENT if one is None else next(replies) for one in made])
        except StopIteration:
            return


def _slipped(one: Call, year: Episode, slips: Slips, draws: Random, *, idle: bool) -> Call | None:
    name, arguments = one["name"], one["arguments"]
    if name == WAIT:
        return one
    late = {"ship_orders": slips.ship_every, "withdraw": slips.withdraw_every}.get(name, 1)
    refused = name == "open_store" and len(year.account.books.trading) >= slips.stores
    forgotten = slips.forgotten and name in DAILY and draws.random() < slips.forgotten
    if idle or refused or year.day % late or forgotten:
        return None
    if name == "chatbox" and (slips.bids != 1 or slips.orders != 1):
        return call(name, **arguments | {"content": _letter(str(arguments["content"]), slips)})
    field = {"publish_to_store": ("plan", "retail_price"), "set_prices": ("prices", "price")}.get(name)
    if field and (slips.prices != 1 or slips.price_noise):
        rows, price = field
        changed = [row | {price: round(row[price] * _factor(slips, draws), 2)} for row in arguments[rows]]
        return call(name, **arguments | {rows: changed})
    return one


def _factor(slips: Slips, draws: Random) -> float:
    return slips.prices * exp(slips.price_noise * draws.gauss(0, 1))


def _letter(text: str, slips: Slips) -> str:
    """Bids and quantities changed; what was to be accepted is bid for, if it costs more now."""
    if slips.bids > 1:
        text = text.replace('"accept"', '"offer"')
        text = QUOTED.sub(lambda bid: f"{bid[1]}{slips.bids * float(bid[2]):.4f}", text)
    return ORDERED.sub(lambda found: f"{found[1]}{max(1, round(slips.orders * int(found[2])))}", text)


def opening_quotes(days: int, _rules: Rules, *, habits: Habits) -> Play:
    return keep_shop(days, partial(pay_opening_quotes, price_lists={}), habits)


def bargaining(days: int, _rules: Rules, *, habits: Habits, offers: Sequence[float] = OFFERS, fair: float) -> Play:
    haggler = Haggler(days, offers=offers, fair=fair)
    haggler.habits = habits
    return haggler.play([])


def limited_steady(days: int, rules: Rules, *, listings: int, slots: int) -> Play:
    """`steady` with fewer listings and stores."""
    state = MerchantState(days, rules=rules, fewest_listings=min(40, listings), most_listings=listings)
    state.slots = min(state.slots, slots)
    yield from survey(state)
    yield from read_business(state)
    yield from trade_until_year_end(state)


def waiting(_days: int, _rules: Rules) -> Play:
    return Idle().play([])


def agents() -> list[Agent]:
    """All of them. The random ones are drawn from fixed streams, so that everybody has the same."""
    return [*_first_quotes(), *_hagglers(), *_steadies(), *_careless(), *_model_like()]


def _first_quotes() -> Iterator[Agent]:
    for price in (0.95, 1.05, 1.3, 1.7):
        for goods in (1, 3, 6):
            habits = Habits(price=price, goods=goods)
            yield Agent(f"first-quote {price} x{goods}", "first-quote", partial(opening_quotes, habits=habits))


def _random_habits(draws: Random) -> Habits:
    return Habits(
        price=round(exp(draws.uniform(-0.1, 0.7)), 2),
        goods=draws.choice((1, 2, 3, 5, 8)),
        restock_every=draws.randint(4, 14),
        restocked_a_day=round(draws.uniform(0.8, 3), 2),
        spare_days=draws.randint(3, 20),
        first_pace=round(draws.uniform(0.1, 0.8), 2),
    )


def _haggling(draws: Random) -> Trade:
    habits, offers = _random_habits(draws), OFFERS[: draws.randint(1, 3)]
    return partial(bargaining, habits=habits, offers=offers, fair=round(draws.uniform(0.55, 0.9), 2))


def _hagglers() -> Iterator[Agent]:
    yield Agent("haggler", "haggler", partial(bargaining, habits=Habits(), fair=0.75))
    draws = Random("hagglers")
    for number in range(15):
        slips = Slips(stores=draws.choice((1, 2, 3, 4, 4, 4)))
        yield Agent(f"haggler {number}", "haggler", _haggling(draws), slips)


def _steadies() -> Iterator[Agent]:
    for listings, slots in ((12, 4), (25, 4), (25, 1), (50, 4)):
        trade = partial(limited_steady, listings=listings, slots=slots)
        yield Agent(f"steady {listings}/{slots}", "steady", trade)
    plain = partial(limited_steady, listings=25, slots=4)
    for title, slips in (
        ("slow", Slips(ship_every=3)),
        ("skipping", Slips(skipped=0.2)),
    ):
        yield Agent(f"steady {title}", "steady", plain, slips)


def _careless() -> Iterator[Agent]:
    yield Agent("idle", "careless", waiting)
    shop = partial(bargaining, habits=Habits(), fair=0.75)
    for title, slips in (
        ("ships each 3rd day", Slips(ship_every=3)),
        ("ships each 6th day", Slips(ship_every=6)),
        ("withdraws each 30th day", Slips(withdraw_every=30)),
        ("skips 20%", Slips(skipped=0.2)),
        ("skips 50%", Slips(skipped=0.5)),
        ("forgets 20%", Slips(forgotten=0.2)),
        ("pays 30% more", Slips(bids=1.3)),
        ("buys twice as much", Slips(orders=2.0)),
        ("buys half as much", Slips(orders=0.5)),
        ("random prices", Slips(price_noise=0.5)),
        ("sells at half price", Slips(prices=0.5)),
    ):
        yield Agent(title, "careless", shop, slips)


def _model_like() -> Iterator[Agent]:
    """Years that differ by luck, about as much as those of the paper's steadiest, median and most erratic models."""
    draws = Random("models")
    for number in range(16):
        slips = Slips(
            stores=draws.choice((1, 2, 3, 4)),
            ship_every=draws.choice((1, 1, 2, 3)),
            withdraw_every=draws.choice((1, 1, 7)),
            skipped=round(draws.uniform(0.02, 0.3), 2),
            forgotten=round(draws.uniform(0.0, 0.15), 2),
            price_noise=round(draws.uniform(0.02, 0.3), 2),
            luck=(0.1, 0.2, 0.35, 0.6)[number // 4],
        )
        trade = _haggling(draws)
        if number % 4 == 3:
            trade = partial(limited_steady, listings=draws.choice((12, 25, 40)), slots=4)
        if number in (11, 15):  # years of `steady` take long, and two of that kind are enough
            continue
        yield Agent(f"model-like {number}", "model-like", trade, slips)
