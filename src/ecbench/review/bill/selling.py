"""What was lost on the shelves: to empty ones, and to prices."""

from collections.abc import Iterator

import numpy as np

from ecbench.review.bill.causes import EMPTY_SHELF, PRICE
from ecbench.review.bill.charges import Charge
from ecbench.review.bill.counterfactual_demand import public_of
from ecbench.review.bill.evenings import Evening, ShelfNote
from ecbench.review.bill.margins import Margins
from ecbench.review.bill.pricing import price_losses
from ecbench.review.bill.replayed_year import BilledYear
from ecbench.review.bill.stocking import may_run_out, stock_losses

HALF_A_CENT = 0.005  # less is the last digit of a search


def selling(played: BilledYear) -> Iterator[Charge]:
    margins = Margins(played.rules)
    for evening in played.evenings:
        for note in evening.shelves:
            if note.goods:
                yield from _lost(played, evening, note, margins)


def _lost(played: BilledYear, evening: Evening, note: ShelfNote, margins: Margins) -> Iterator[Charge]:
    account, day, ordinal = played.year.account, evening.day, evening.date.toordinal()
    public, blended, cost = (
        public_of(note, account.economy),
        margins.blended(note.goods, note.defective),
        np.array(note.costs),
    )
    skus = [demand.product.sku for demand in note.goods]
    rate = margins.rates(blended, public.charged / public.goods.reference)
    margin = margins.margin(rate, public.charged, public.goods.freight, cost)
    missed = None
    if may_run_out(public):
        missed = stock_losses(public, np.array([demand.draws[ordinal] for demand in note.goods]), margin)
    if missed is not None:
        for place in np.flatnonzero(missed.amount >= HALF_A_CENT):
            units = int(missed.units[place])
            yield Charge(day, EMPTY_SHELF, float(missed.amount[place]), note.store, skus[place], units=units)
    days = account.market.days - day
    priced = price_losses(public, blended, cost, np.array(note.owned), days, margins)
    for place in np.flatnonzero(priced.amount >= HALF_A_CENT):
        units = max(0, round(float(priced.units[place])))
        yield Charge(day, PRICE, float(priced.amount[place]), note.store, skus[place], units=units)
