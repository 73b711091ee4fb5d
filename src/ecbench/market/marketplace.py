"""The marketplace: one date, and an account for each merchant."""

import datetime as dt
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random
from typing import Final

from ecbench.house_rules import NO_HOUSE_RULES, HouseRules
from ecbench.market.books import Books
from ecbench.market.conduct import Conduct
from ecbench.market.day_demand import Charges, DayDemand
from ecbench.market.economy import Economy
from ecbench.market.journal import DayNews, Journal, News
from ecbench.market.ledger import Purse
from ecbench.rules import Rules
from ecbench.world.model import World

iso: Final = lru_cache(maxsize=4096)(dt.date.isoformat)


def lowest_rival_prices(charges: Charges, seat: int) -> dict[str, float]:
    """By SKU: the lowest price that any other seat charges."""
    rivals = {sku: [price for rival, price in prices.items() if rival != seat] for sku, prices in charges.items()}
    return {sku: min(prices) for sku, prices in rivals.items() if prices}


@dataclass(slots=True)
class Account:
    """One merchant: its books, its minute of the day, its unread news, and how it ended."""

    market: "Marketplace"
    seat: int
    world: World
    rules: Rules
    economy: Economy
    books: Books
    rng: Random  # lead times, delivered shares and the order of supplier lists
    minute: int
    ending: str | None = None
    news: list[DayNews] = field(default_factory=list)  # since the last reply that carried news
    closed_suppliers: set[str] = field(
        default_factory=set
    )  # names; each has served its number of this merchant's orders
    journal: Journal | None = None  # set by a recorder; copies have none
    conduct: Conduct | None = None  # only if the rules count it

    @property
    def now(self) -> dt.datetime:
        return dt.datetime.combine(self.market.date, dt.time()) + dt.timedelta(minutes=self.minute)

    @property
    def done(self) -> bool:
        return self.ending is not None

    def post(self, news: News) -> None:
        if not self.news or self.news[-1].day != self.market.day:
            self.news.append(DayNews(self.market.date, self.market.day, []))
        self.news[-1].items.append(news)


@dataclass(slots=True)
class Marketplace:
    """What the accounts share: the date and the customers."""

    economy: Economy
    days: int
    date: dt.date
    today: str  # the date as text
    day: int = 0
    accounts: list[Account] = field(default_factory=list)  # by seat
    demand: DayDemand = field(default_factory=lambda: DayDemand({}, {}))  # of the last date settled; copies share it

    @property
    def in_business(self) -> list[Account]:
        return [account for account in self.accounts if account.ending is None]

    def moment(self, minutes: int) -> dt.datetime:
        """Counted from the midnight before the first day."""
        return dt.datetime.combine(self.economy.world.start, dt.time()) + dt.timedelta(minutes=minutes)

    def copy(self) -> "Marketplace":
        """An independent copy of every account."""
        twin = replace(self, accounts=[])
        twin.accounts = [_copy_account(account, twin) for account in self.accounts]
        return twin


def _copy_account(account: Account, market: Marketplace) -> Account:
    rng = Random()
    rng.setstate(account.rng.getstate())
    return replace(
        account,
        market=market,
        books=account.books.copy(),
        rng=rng,
        news=[DayNews(news.date, news.day, news.items.copy()) for news in account.news],
        closed_suppliers=account.closed_suppliers.copy(),
        journal=None,
        conduct=None if account.conduct is None else account.conduct.copy(),
    )


def open_marketplace(
    economy: Economy, *, days: int, stake: float, seats: int = 1, house: HouseRules = NO_HOUSE_RULES
) -> Marketplace:
    """A marketplace on day 0, before any settlement; promotions announced by then count as announced, unseen."""
    world, rules = economy.world, economy.rules
    market = Marketplace(economy, days, world.start, iso(world.start))
    announced = economy.calendar.announced_on(world.start, rules.announce_days)
    for seat in range(seats):
        books = Books(Purse(stake=stake, bank=stake), announced={promotion.name for promotion in announced})
        # Seeded alike: luck is common, choices differ.
        account = Account(market, seat, world, rules, economy, books, economy.account_stream(), economy.opening_minute)
        if rules.conduct:
            account.conduct = Conduct(house)
        market.accounts.append(account)
    return market
