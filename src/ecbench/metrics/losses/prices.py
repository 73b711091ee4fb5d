"""The best price for each listing of a store on one day, all else as it was, and what the price set lost against it.

Expected profits of the whole store are compared; the price of a store that has rivals is not judged.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ecbench.market.best_shelf import Column, price_curves, responses, saturations
from ecbench.market.books import Store
from ecbench.market.day_demand import ShelfDemand
from ecbench.market.economy import LARGEST_PULL
from ecbench.market.marketplace import Account
from ecbench.market.returns import return_layers
from ecbench.metrics.losses.account import PRICE, Loss
from ecbench.metrics.losses.shelves import HALF_A_CENT
from ecbench.rules import SPEEDS

Places = npt.NDArray[np.int64]

LOWEST, HIGHEST = 0.2, 50.0  # prices that are tried, over the reference price: a crowded store sells best at high ones
STEPS = 60  # between them, each as many percent apart
FINER = 11  # prices that are tried around the best one, at each of
ROUNDS = 3  # of which each searches this many times closer to it:
CLOSER = 5


def judge_prices(account: Account, store: Store, demand: ShelfDemand, day: int) -> Iterator[Loss]:
    """What each price of a store lost on a day. A SKU of which more is owned than the best price would sell in the days
    left is not judged: it should go for less."""
    if not demand.goods or demand.rival_demand:
        return
    shelf = PricedShelf(account, store, demand)
    lost, wanted, _ = shelf.losses()
    sold = np.minimum(shelf.held, shelf.profits(shelf.charged[:, None])[1][:, 0])
    owned = np.array([store.shelf[sku].stock.physical for sku in shelf.skus])
    glut = owned > wanted * (account.market.days - day)
    for index in np.flatnonzero((lost >= HALF_A_CENT) & ~glut):
        units = max(0, round(float(min(shelf.held[index], wanted[index]) - sold[index])))
        yield Loss(day, PRICE, float(lost[index]), store.id, shelf.skus[index], units=units)


class PricedShelf:
    """What a store earns on one day as the price of one listing moves: columns over its listings with units."""

    def __init__(self, account: Account, store: Store, demand: ShelfDemand) -> None:
        goods = [priced.goods for priced in demand.goods]
        rules, listings = account.rules, [store.shelf[each.sku] for each in goods]
        stocks = [listing.stock for listing in listings]
        self.skus = [each.sku for each in goods]
        self.charged = np.array([priced.price for priced in demand.goods])
        self.held = np.array([listing.quantity for listing in listings], dtype=np.float64)
        self.reference = np.array([each.product.reference_price for each in goods])
        self._rules, self._capacity = rules, account.economy.capacities[store.type.id]
        self._cost = np.array([stock.cost for stock in stocks])
        self._freight = np.array([rules.freight_cost[each.product.size] for each in goods])
        shares = zip(stocks, self.reference, strict=True)
        layers = [return_layers(stock.product, stock.defective_share, price, rules) for stock, price in shares]
        self._blended = np.array([each.blended for each in layers])
        self._base = np.array([each.base for each in goods])
        self._eta = np.array([each.category.eta * demand.offer.boost for each in goods])
        self._visitors = np.array([demand.visitors_of(each.category.name) for each in goods])
        self._families = np.array([each.category.elasticity for each in goods])
        self._category = np.array([each.category_index for each in goods], dtype=np.int64)
        self._raw, self._claims = np.array(demand.raw_demand), np.array(demand.claims)
        self._stacked = np.array(demand.category_demand)
        self._gamma = self._shares(self._stacked)

    def losses(self) -> tuple[Column, Column, Column]:
        """By listing: yuan lost, the demand at the best price, and that price."""
        step = (HIGHEST / LOWEST) ** (1.0 / STEPS)
        ladder = np.outer(self.reference, LOWEST * step ** np.arange(STEPS + 1))
        tried = np.column_stack([self.charged, ladder])
        profits, wanted = self.profits(tried)
        before, best = profits[:, 0], profits.argmax(axis=1)
        for _ in range(ROUNDS):
            tried = _picked(tried, best)[:, None] * step ** np.linspace(-1.0, 1.0, FINER)
            profits, wanted = self.profits(tried)
            best, step = profits.argmax(axis=1), step ** (1.0 / CLOSER)
        return np.maximum(0.0, _picked(profits, best) - before), _picked(wanted, best), _picked(tried, best)

    def profits(self, prices: Column) -> tuple[Column, Column]:
        """By listing and price tried for it: the store's expected profit, and the demand for the listing."""
        category = self._category
        pulled = self._pulled(prices)
        stacked = np.maximum(0.0, (self._stacked[category] - self._raw)[:, None]) + pulled
        gamma = self._shares(stacked)
        served = (self._gamma * self._stacked)[category][:, None]
        elsewhere = max(0.0, float((self._gamma * self._stacked).sum())) - served
        store = saturations(self._capacity.store, np.maximum(0.0, elsewhere) + gamma * stacked)
        wanted = pulled * gamma * store
        own = np.minimum(self.held[:, None], wanted) * self._margins(prices)
        return own + self._others(gamma / self._gamma[category][:, None] * store, store), wanted

    def _pulled(self, prices: Column) -> Column:
        answers, ratios = np.empty(prices.shape), prices / self.reference[:, None]
        for family in set(self._families.tolist()):
            rows = self._families == family
            answers[rows] = responses(family, self._eta[rows, None], ratios[rows], self._rules)
        pulled: Column = np.minimum(LARGEST_PULL, self._base[:, None] * answers) * self._visitors[:, None]
        return pulled

    def _shares(self, stacked: Column) -> Column:
        ceiling = self._capacity.category
        return np.ones(stacked.shape) if ceiling is None else saturations(ceiling, stacked)

    def _others(self, inside: Column, outside: Column) -> Column:
        """What all other listings earn, by what their claims are multiplied by in and outside of the category."""
        margins = self._margins(self.charged[:, None])[:, 0]
        found = np.empty(inside.shape)
        for row, category in enumerate(self._category):
            beside = self._category == category
            multiples = np.where(beside[:, None], inside[row], outside[row])
            sold = np.minimum(self.held[:, None], self._claims[:, None] * multiples)
            sold[row] = 0.0
            found[row] = margins @ sold
        return found

    def _margins(self, prices: Column) -> Column:
        rules, cost = self._rules, self._cost[:, None]
        curve = price_curves(prices / self.reference[:, None], rules)
        rate = np.minimum(rules.return_cap, self._blended[:, None] * curve)
        sending = [
            self._freight[:, None] * rules.freight_factor[speed]
            + np.minimum(rules.return_cap, rate * rules.speed_return_factor[speed]) * (prices - cost)
            for speed in SPEEDS
        ]
        margins: Column = prices * (1.0 - rules.commission) - cost - np.minimum.reduce(sending)
        return margins


def _picked(table: Column, places: Places) -> Column:
    picked: Column = table[np.arange(len(table)), places]
    return picked
