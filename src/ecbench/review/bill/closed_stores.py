"""What a store that was closed would have earned on, while its slot stood empty."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import numpy as np

from ecbench.market.demand import saturation
from ecbench.market.economy import Economy
from ecbench.market.price_columns import Column, saturations
from ecbench.review.bill.causes import CLOSED_STORE
from ecbench.review.bill.charges import Charge
from ecbench.review.bill.counterfactual_demand import Public, by_category, public_of
from ecbench.review.bill.evenings import ShelfNote
from ecbench.review.bill.margins import Margins
from ecbench.review.bill.replayed_year import BilledYear


def closed_stores(played: BilledYear) -> Iterator[Charge]:
    """As many of them as there were empty slots, the best ones; of each type the last store."""
    account, margins, last = played.year.account, Margins(played.rules), dict[str, tuple[date, ShelfNote]]()
    slots = min(played.rules.max_stores, len(played.year.world.store_types))
    for evening in played.evenings:
        trading = {note.type: (evening.date, note) for note in evening.shelves}
        shut = [found for kind, found in last.items() if kind not in trading and found[1].goods]
        earned = [(*_earned(*found, evening.date, account.economy, margins), found[1].store) for found in shut]
        for profit, units, store in sorted(earned, reverse=True)[: slots - len(trading)]:
            if profit > 0.0:
                yield Charge(evening.day, CLOSED_STORE, profit, store, units=round(units))
        last |= trading


def _earned(closed: date, note: ShelfNote, today: date, economy: Economy, margins: Margins) -> tuple[float, float]:
    """Expected profit after operating costs, and units, of a day like today with the shelf of the last evening."""
    traffic, tier = economy.traffic[note.type], economy.world.store_type_by_id[note.type].tier
    public = public_of(note, economy)
    goods, charged, cost = public.goods, np.array(note.prices), np.array(note.costs)
    demand = _demand(public, note, traffic[today], traffic[closed])
    rate = margins.rates(margins.blended(note.goods, note.defective), charged / goods.reference)
    units = np.minimum(public.held, demand)
    profit = units * margins.margin(rate, charged, goods.freight, cost)
    fees = economy.rules.listing_fee * np.count_nonzero(public.held)
    return float(profit.sum()) - economy.rules.operating_cost[tier] - fees, float(units.sum())


def _demand(public: Public, note: ShelfNote, today: float, then: float) -> Column:
    """For each listing at its full price, with the traffic of today; rivals are wished what they were, and as much more
    as the date brings."""
    goods = public.goods
    full = replace(public, visitors=today * note.reputation * np.array(note.drift), boost=1.0)
    raw = np.where(public.held > 0.0, full.pulled(np.array(note.prices)), 0.0)
    stacked = by_category(goods, raw)
    if note.rival_demand and then > 0.0:
        of_rivals = public.served / public.shares - by_category(goods, public.raw)
        stacked = stacked + np.maximum(0.0, of_rivals) * (today / then)
    shares = np.ones(len(stacked)) if public.ceiling is None else saturations(public.ceiling, stacked)
    elsewhere = public.total - float(public.served.sum())
    crowding = saturation(public.capacity, float((shares * stacked).sum()) + elsewhere)
    demand: Column = raw * shares[goods.category] * crowding
    return demand
