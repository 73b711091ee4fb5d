"""The best price for each listing of a shelf on one day, all else as it was, and what the price set lost against it.

What is compared is the expected profit of the whole store on that day: a lower price draws customers, and some of them
away from the listings beside it. A draw decides about the last fraction of a unit, so as long as the shelf holds enough
the expected sales are the demand itself: min(held, demand). To compare with a price that knows the draws would charge
everybody for not being a seer.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ecbench.market.price_columns import Column, saturations
from ecbench.review.bill.counterfactual_demand import Public, Takings
from ecbench.review.bill.margins import Margins, Places

Chosen = npt.NDArray[np.bool_]

LOWEST, HIGHEST = 0.2, 50.0  # prices that are tried, over the reference price: where crowds are dense dear is good
STEPS = 60  # between them, each as many percent apart
FINER = 11  # prices that are tried around the best one, at each of
ROUNDS = 3  # and each time so much closer to it:
CLOSER = 5


@dataclass(frozen=True, slots=True, eq=False)
class PriceLoss:
    """By listing."""

    amount: Column  # yuan, at least 0
    units: Column  # sold more at the best price, in expectation; fewer where it is below 0
    best: Column  # the price that a customer would have paid
    worth: Column  # of a unit that is kept


def price_losses(
    public: Public, blended: Column, cost: Column, owned: Column, days: int, margins: Margins
) -> PriceLoss:
    """`owned` are all units of each SKU, and `days` the days of sales left in the year, this one included."""
    shelf = PricedShelf(public, blended, margins)
    step = (HIGHEST / LOWEST) ** (1.0 / STEPS)
    ladder = np.outer(public.goods.reference, LOWEST * step ** np.arange(STEPS + 1))
    tried = np.column_stack([public.charged, ladder])
    worth, pace = cost, owned / days
    profits, wanted = shelf.profits(tried, worth)
    best = profits.argmax(axis=1)
    glut = (pace > _picked(wanted, best)) & (public.held > 0.0)
    if glut.any():
        worth = np.where(glut, shelf.worth(ladder, cost, pace), cost)
        profits, wanted = shelf.profits(tried, worth)
        best = profits.argmax(axis=1)
    before, sold = profits[:, 0], np.minimum(public.held, wanted[:, 0])
    for _ in range(ROUNDS):
        tried = _picked(tried, best)[:, None] * step ** np.linspace(-1.0, 1.0, FINER)
        profits, wanted = shelf.profits(tried, worth)
        best, step = profits.argmax(axis=1), step ** (1.0 / CLOSER)
    amount = np.where(public.held > 0.0, np.maximum(0.0, _picked(profits, best) - before), 0.0)
    units = np.minimum(public.held, _picked(wanted, best)) - sold
    return PriceLoss(amount, units, _picked(tried, best), worth)


def _picked(table: Column, places: Places) -> Column:
    picked: Column = table[np.arange(len(table)), places]
    return picked


class PricedShelf:
    """What a store earns on one day as the price of one listing moves."""

    def __init__(self, public: Public, blended: Column, margins: Margins) -> None:
        self._public, self._blended, self._margins = public, blended, margins
        self._raw = public.raw[:, None]
        self._of_rivals = public.pulled_by_rivals(public.charged)[:, None]
        self._rows = [np.flatnonzero(public.goods.category == place) for place in range(len(public.goods.categories))]

    def worth(self, ladder: Column, cost: Column, pace: Column) -> Column:
        """Of a unit that is not sold today: what it cost, or less where more are owned than can be sold in time.

        Where `pace` units must go each day to be rid of them by the end of the year, the next one is worth what selling
        one more a day brings at the price that does it: the marginal revenue there, and nothing if no price does.
        """
        place, _, enough = self._marginal(ladder, cost, pace)
        steps = (ladder[:, 1:2] / ladder[:, :1]) ** np.linspace(0.0, 1.0, FINER)
        _, marginal, _ = self._marginal(_picked(ladder, place)[:, None] * steps, cost, pace)
        worth: Column = np.where(enough, marginal, 0.0)
        return worth

    def _marginal(self, prices: Column, cost: Column, pace: Column) -> tuple[Places, Column, Chosen]:
        """The last of rising prices that sells enough, what one more unit brings there, and whether there is one."""
        pulled = self._public.pulled(prices)
        served, others, store = self._shares(prices, pulled)
        wanted = pulled * served
        rate = self._margins.rates(self._blended[:, None], prices / self._public.goods.reference[:, None])
        gone = wanted * (1.0 - rate)  # what comes back can be sold again
        income = wanted * self._margin(prices, np.zeros(len(cost))) + self._beside(others, store, cost)
        enough = np.asarray(wanted >= pace[:, None])
        last = prices.shape[1] - 1
        place = np.minimum(last - 1, last - enough[:, ::-1].argmax(axis=1))
        units = _picked(gone, place) - _picked(gone, place + 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            marginal = (_picked(income, place) - _picked(income, place + 1)) / units
        return place, np.where(units > 0.0, np.clip(marginal, 0.0, cost), cost), np.asarray(enough.any(axis=1))

    def profits(self, charged: Column, worth: Column) -> tuple[Column, Column]:
        """By listing and price tried for it: the store's expected profit, and the demand for the listing."""
        public = self._public
        pulled = public.pulled(charged)
        wanted, others, store = self._shares(charged, pulled)
        own = np.minimum(public.held[:, None], pulled * wanted)
        profit = own * self._margin(charged, worth) + self._beside(others, store, worth)
        return profit, pulled * wanted

    def _shares(self, charged: Column, pulled: Column) -> tuple[Column, Column, Column]:
        """What is served of the listing's raw wishes, and by what the others' wishes are multiplied, in and outside of
        its category."""
        public = self._public
        category = public.goods.category
        gamma, served = public.shares[category][:, None], public.served[category][:, None]
        stacked = np.maximum(0.0, served / gamma - self._raw) + pulled
        if public.rivals:
            stacked = np.maximum(pulled, stacked + public.pulled_by_rivals(charged) - self._of_rivals)
        new_gamma = np.ones(pulled.shape) if public.ceiling is None else saturations(public.ceiling, stacked)
        store = saturations(public.capacity, np.maximum(0.0, public.total - served) + new_gamma * stacked)
        return new_gamma * store, new_gamma / gamma * store, store

    def _beside(self, others: Column, store: Column, worth: Column) -> Column:
        """What all other listings earn."""
        public = self._public
        margin = self._margin(public.charged[:, None], worth)[:, 0]
        found = np.empty(others.shape)
        whole = Takings(public.held, public.claims, margin)
        for rows in self._rows:
            within = Takings(public.held[rows], public.claims[rows], margin[rows])
            inside, outside = within.at(others[rows]), whole.at(store[rows]) - within.at(store[rows])
            own = np.minimum(public.held[rows, None], public.claims[rows, None] * others[rows])
            found[rows] = inside + outside - own * margin[rows, None]
        return found

    def _margin(self, charged: Column, worth: Column) -> Column:
        goods = self._public.goods
        rate = self._margins.rates(self._blended[:, None], charged / goods.reference[:, None])
        return self._margins.margin(rate, charged, goods.freight[:, None], worth[:, None])
