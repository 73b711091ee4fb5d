"""What was lost on the shelves and between sale and customer; with `buying`, all losses of an episode at one seat.

A watch asks the market every morning what another shelf would have sold. What a unit sold is expected to bring:

    margin = price (1 - commission) - worth - least over the speeds of [freight + rate (price - worth)]

`worth` is what the unit had cost. Freight is by the speed that costs least, so a wrong speed is lost once, as freight.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from math import inf
from typing import NamedTuple

from ecbench.market.books import Listing, Store
from ecbench.market.calendar import ONE_DAY
from ecbench.market.day_demand import ShelfDemand, full_price
from ecbench.market.demand import NO_OFFER, whole_units
from ecbench.market.journal import Journal, Sale
from ecbench.market.marketplace import Account
from ecbench.market.returns import return_layers
from ecbench.market.settlement import ENDED_BY_MARKET
from ecbench.market.sharing import share_demand
from ecbench.metrics.losses import account as causes
from ecbench.metrics.losses.account import Evening, Loss, PlayLog, summed
from ecbench.metrics.losses.buying import buying
from ecbench.rules import SPEEDS, Rules

HALF_A_CENT = 0.005  # less is the last digit of a search


def sending(rules: Rules, speed: str, rate: float, price: float, freight: float, worth: float) -> float:
    """Freight of a unit, and what it is expected to lose by coming back; rate and freight are those of standard."""
    back = min(rules.return_cap, rate * rules.speed_return_factor[speed])
    return freight * rules.freight_factor[speed] + back * (price - worth)


def least_sending(rules: Rules, rate: float, price: float, freight: float, worth: float) -> float:
    return min([sending(rules, speed, rate, price, freight, worth) for speed in SPEEDS])


def margin(rules: Rules, rate: float, price: float, freight: float, worth: float) -> float:
    return price * (1.0 - rules.commission) - worth - least_sending(rules, rate, price, freight, worth)


def shipping(account: Account, log: PlayLog, *, over: bool) -> Iterator[Loss]:
    """What waits may still be shipped unless the year is over. Its last morning is that of the account's own books."""
    watch, journal, rules = watch_of(account), account.journal, account.rules
    assert journal is not None, "a watched account has a journal"
    last_day = account.books.days[-1].day if account.books.days else 0
    last_sold = last_day - 1 - (account.ending in ENDED_BY_MARKET)
    order_sent = {number: index for index, number in enumerate(journal.sent, start=1)}
    for sale in journal.sales:
        goods, number = sale.goods, sale.number
        cost, freight = watch.cost_of(goods.product.sku, sale.day), rules.freight_cost[goods.product.size]
        terms = (goods.rates.capped, goods.unit_price, freight, cost)
        if number in journal.sent:
            day, parcel = journal.sent[number].day, journal.sent[number].parcel
            lost = (sending(rules, parcel.speed, *terms) - least_sending(rules, *terms)) * goods.quantity
            if lost >= HALF_A_CENT:
                yield _loss(day, causes.FREIGHT, lost, sale)._replace(turn=log.turn_of("shipments", order_sent[number]))
        elif number in journal.cancelled:
            yield _loss(journal.cancelled[number], causes.CANCELLED, margin(rules, *terms) * goods.quantity, sale)
        elif over and sale.day <= last_sold:  # the end found them unshipped, and their units are gone as well
            yield _loss(last_day, causes.CANCELLED, (margin(rules, *terms) + cost) * goods.quantity, sale)


def _loss(day: int, cause: str, amount: float, sale: Sale) -> Loss:
    return Loss(day, cause, max(0.0, amount), sale.store, sale.goods.product.sku, units=sale.goods.quantity)


PLENTY = 10**9  # units

JudgePrices = Callable[[Account, Store, ShelfDemand, int], Iterator[Loss]]
"""What the prices of a store lost on a day."""


class PromotedDay(NamedTuple):
    """A day of a store in a promotion: what its shelf was expected to earn, less what it would have without it."""

    day: int
    store: str
    promotion: str
    added: float


@dataclass(slots=True)
class ShelfWatch:
    """What it saw of an account, evening by evening. The account's journal holds it, so it holds no account."""

    judge_prices: JudgePrices | None = None
    losses: list[Loss] = field(default_factory=list)
    evenings: list[Evening] = field(default_factory=list)
    promoted: list[PromotedDay] = field(default_factory=list)
    costs: dict[str, list[tuple[int, float]]] = field(default_factory=dict)  # by SKU: from which day on what
    _margins: dict[tuple[str, float, float, float], float] = field(default_factory=dict)
    """Most are the same on the next evening: with this cache a watched year takes a tenth to a fifth less time."""

    def __call__(self, account: Account) -> None:
        market, purse, rules = account.market, account.books.purse, account.rules
        day, trading, yesterday = market.day - 1, account.books.trading, market.date - ONE_DAY
        types = tuple([store.type.id for store in trading])
        listings = sum([store.listings for store in trading])
        self.evenings.append(Evening(day, purse.bank, purse.wallet, types, listings))
        for store in trading:
            demand = market.demand.shelves[account.seat][store.id]
            self._note_costs(store, day)
            wanted = _whole(demand, yesterday)
            short = [sku for sku, listing in store.shelf.items() if wanted.get(sku, 0) >= listing.quantity]
            if short:
                self.losses += self._empty_listings(account, store, demand, wanted, short)
            if self.judge_prices is not None:
                self.losses += self.judge_prices(account, store, demand, day)
            if store.enrolment is not None and demand.offer is not NO_OFFER:
                without = _demand(account, replace(store, enrolment=None), yesterday)
                added = self._earned(store, demand, rules) - self._earned(store, without, rules)
                self.promoted.append(PromotedDay(day, store.id, store.enrolment.promotion.name, added))

    def cost_of(self, sku: str, day: int) -> float:
        """What a unit that was sold on a day had cost."""
        known = self.costs[sku]
        return known[bisect_right(known, (day, inf)) - 1][1]

    def _note_costs(self, store: Store, day: int) -> None:
        for sku, listing in store.shelf.items():
            known = self.costs.setdefault(sku, [])
            if not known or known[-1][1] != listing.stock.cost:
                known.append((day, listing.stock.cost))

    def _empty_listings(
        self, account: Account, store: Store, demand: ShelfDemand, wanted: Mapping[str, int], short: Sequence[str]
    ) -> Iterator[Loss]:
        """All of them filled at once, since they would have shared the customers. What the other goods would have sold
        less is taken off."""
        shelf, day = store.shelf, account.market.day - 1
        filled = wanted if all(shelf[sku].quantity for sku in short) else self._filled(account, store, short)
        missed, displaced = dict[str, tuple[int, float]](), 0.0
        for sku, listing in shelf.items():
            sold, sellable = min(listing.quantity, wanted.get(sku, 0)), filled.get(sku, 0)
            more = (sellable if sku in short else min(listing.quantity, sellable)) - sold
            if more:
                gain = more * self._margin(listing, demand, account.rules)
                if more < 0:
                    displaced += gain
                elif gain > 0.0 and sku in short:
                    missed[sku] = more, gain
        whole = sum([gain for _, gain in missed.values()])
        for sku, (units, gain) in missed.items():
            amount = gain * max(0.0, 1.0 + min(0.0, displaced) / whole)
            yield Loss(day, causes.EMPTY_SHELF, amount, store.id, sku, units=units)

    def _filled(self, account: Account, store: Store, short: Sequence[str]) -> dict[str, int]:
        """Whole units that customers of yesterday want if the short listings have plenty."""
        plenty = {sku: Listing(store.shelf[sku].stock, PLENTY, store.shelf[sku].priced) for sku in short}
        yesterday = account.market.date - ONE_DAY
        return _whole(_demand(account, replace(store, shelf=store.shelf | plenty), yesterday), yesterday)

    def _earned(self, store: Store, demand: ShelfDemand, rules: Rules) -> float:
        """Expected profit of a day before operating costs."""
        profit = 0.0
        for priced, claim in zip(demand.goods, demand.claims):
            listing = store.shelf[priced.goods.sku]
            profit += min(listing.quantity, claim * demand.store_saturation) * self._margin(listing, demand, rules)
        return profit

    def _margin(self, listing: Listing, demand: ShelfDemand, rules: Rules) -> float:
        """Of one more unit at the price that a customer would have paid."""
        stock, price = listing.stock, (1.0 - demand.offer.discount) * full_price(listing, demand.offer)
        key = (stock.product.sku, stock.defective_share, stock.cost, price)
        found = self._margins.get(key)
        if found is None:
            rate = return_layers(stock.product, stock.defective_share, price, rules).capped
            found = margin(rules, rate, price, rules.freight_cost[stock.product.size], stock.cost)
            self._margins[key] = found
        return found


def watch_shelves(account: Account, judge_prices: JudgePrices | None = None) -> ShelfWatch:
    """Give the account a journal, if it has none, and watch its shelves from now on."""
    if account.journal is None:
        account.journal = Journal()
    account.journal.on_demand = watch = ShelfWatch(judge_prices)
    return watch


def _demand(account: Account, store: Store, day: date) -> ShelfDemand:
    seat, kind = account.seat, store.type.id
    rivals = {
        rival.seat: shop
        for rival in account.market.in_business
        if rival.seat != seat
        for shop in rival.books.trading
        if shop.type.id == kind
    }
    return share_demand({seat: store, **rivals}, day, account.economy)[seat]


def _whole(demand: ShelfDemand, day: date) -> dict[str, int]:
    """By SKU: the units that customers want, rounded by the market's own draws of that day."""
    ordinal, share = day.toordinal(), demand.store_saturation
    return {
        priced.goods.sku: whole_units(claim * share, priced.goods.draws[ordinal])
        for priced, claim in zip(demand.goods, demand.claims)
    }


def losses_of(account: Account, log: PlayLog, *, over: bool) -> list[Loss]:
    """The losses of an account whose shelves were watched from the beginning; unsold goods count once it is `over`."""
    watch, rules, mornings = watch_of(account), account.rules, account.books.days
    stored = [Loss(morning.day, causes.STORAGE, morning.storage, units=morning.units) for morning in mornings]
    charged = [morning.day for morning in mornings if morning.day > rules.idle_grace_days and not morning.open_stores]
    idle = [Loss(day, causes.NO_STORE, rules.idle_charge) for day in charged]
    traded = [*buying(account, over=over), *shipping(account, log, over=over)]
    return summed([*traded, *stored, *idle, *watch.losses], log)


def watch_of(account: Account) -> ShelfWatch:
    """Of an account whose shelves were watched from the beginning."""
    watch = account.journal.on_demand if account.journal else None
    assert isinstance(watch, ShelfWatch), "an account whose shelves nobody watched has forgotten them"
    return watch
