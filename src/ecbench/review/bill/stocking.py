"""What a shelf would have sold on one day had nothing on it been missing."""

from dataclasses import dataclass

import numpy as np

from ecbench.market.demand import saturation, whole_units
from ecbench.market.price_columns import Column, saturations
from ecbench.review.bill.counterfactual_demand import Public, by_category


@dataclass(frozen=True, slots=True, eq=False)
class StockLoss:
    """By listing."""

    amount: Column  # yuan, at least 0
    units: Column  # not sold


def may_run_out(public: Public) -> bool:
    """Whether it is worth drawing what each listing sold."""
    return bool((public.held <= np.ceil(public.claims * public.store_saturation)).any())


def stock_losses(public: Public, draws: Column, margin: Column) -> StockLoss | None:
    """All empty listings filled at once, since they would have shared the public; None where no shelf was empty.

    Whole units by the draws of that day, with which the market rounded what it did sell. What the goods on the shelf
    would have sold less, for the customers that the others draw, is taken off.
    """
    sold = np.minimum(public.held, _rounded(public.claims * public.store_saturation, draws))
    short = sold >= public.held
    if not short.any():
        return None
    wanted = _rounded(_filled(public), draws)
    more = np.where(short, wanted - sold, np.minimum(public.held, wanted) - sold)
    gain = more * margin
    lost = np.where(short & (more > 0.0) & (margin > 0.0), gain, 0.0)
    if not lost.any():
        return None
    displaced = min(0.0, gain[more < 0.0].sum())
    amount = lost * max(0.0, 1.0 + displaced / lost.sum())
    return StockLoss(amount, np.where(lost > 0.0, more, 0.0))


def _rounded(demand: Column, draws: Column) -> Column:
    """Whole units of each listing, by the market's own rounding."""
    return np.array(list(map(whole_units, demand.tolist(), draws.tolist())), dtype=float)


def _filled(public: Public) -> Column:
    """The demand for each listing, had all of them units."""
    goods = public.goods
    missing = np.where(public.held > 0.0, 0.0, public.pulled(public.charged))
    seen = np.where(public.held > 0.0, public.charged, np.inf)
    taken = public.pulled_by_rivals(seen) - public.pulled_by_rivals(public.charged)  # by the listings that were missing
    stacked = np.maximum(0.0, public.served / public.shares + by_category(goods, missing - taken))
    shares = np.ones(len(stacked)) if public.ceiling is None else saturations(public.ceiling, stacked)
    total = public.total + float((shares * stacked - public.served).sum())
    demand: Column = (public.raw + missing) * shares[goods.category] * saturation(public.capacity, total)
    return demand
