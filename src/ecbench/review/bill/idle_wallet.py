"""What money cost that lay in the wallet while the bank was short of it."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from statistics import median

from ecbench.market.calendar import WEEK
from ecbench.review.bill.causes import IDLE_WALLET
from ecbench.review.bill.charges import Charge
from ecbench.review.bill.replayed_year import BilledYear

BANKRUPTCY = "bankruptcy"


def idle_wallets(played: BilledYear, empty_shelves: Mapping[int, float]) -> Iterator[Charge]:
    """Once a day, by as much as would have helped most; `empty_shelves` is what they lost, by day.

    The bank is short where it is below what the merchant spends on goods in the middle one of its weeks with orders.
    Of what empty shelves lost that day, the share of the shortage is charged that idle money would have covered.
    """
    missing, idle = _missing(played), _overnight(played)
    usual = _usual_spending(played)
    amounts: dict[int, float] = {}
    for evening in played.evenings:
        short = usual - evening.bank
        if short > 0.0 and idle.get(evening.day):
            missing[evening.day] = max(missing.get(evening.day, 0.0), min(idle[evening.day], short))
            amounts[evening.day] = empty_shelves.get(evening.day, 0.0) * min(1.0, idle[evening.day] / short)
    if played.year.account.ending == BANKRUPTCY and played.evenings:
        last = played.evenings[-1]
        amounts[last.day] = amounts.get(last.day, 0.0) + _rest_of_year(played, last.wallet)
    for day, money in missing.items():
        yield Charge(day, IDLE_WALLET, amounts.get(day, 0.0), units=int(money))


def _overnight(played: BilledYear) -> dict[int, float]:
    """By day: money that was in the wallet in the evening, and in the evening before."""
    return {after.day: min(before.wallet, after.wallet) for before, after in pairwise(played.evenings)}


def _missing(played: BilledYear) -> dict[int, float]:
    """By day: what the wallet held of the money for a morning that left the bank below zero, or for a refused call."""
    found: dict[int, float] = {}
    for evening, morning in zip(played.evenings, played.books.days):
        if morning.bank < 0.0:
            found[morning.day] = min(evening.wallet, -morning.bank)
    wallet = 0.0
    for turn in played.turns:
        assert turn.state is not None, "the turns of a bill are complete"
        for outcome in turn.outcomes:
            lacking = outcome.error.missing if outcome.error else 0.0
            found[outcome.day] = max(found.get(outcome.day, 0.0), min(wallet, turn.state.wallet, lacking))
        wallet = turn.state.wallet
    return found


def _usual_spending(played: BilledYear) -> float:
    weekly: dict[int, float] = {}
    for order in played.books.orders:
        weekly[order.day // WEEK] = weekly.get(order.day // WEEK, 0.0) + order.charged
    return median(weekly.values()) if weekly else 0.0


def _rest_of_year(played: BilledYear, wallet: float) -> float:
    """What the days left would have earned at the year's own pace, where the wallet could have paid the debt."""
    account, purse = played.year.account, played.books.purse
    gained, days = played.books.days[-1].total - purse.stake, played.last_day
    if wallet < -played.books.days[-1].bank or gained <= 0.0 or not days:
        return 0.0
    return gained / days * (account.market.days - days)
