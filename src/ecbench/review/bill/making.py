"""The bill of a recorded year: it is replayed, and every cause is asked what it cost."""

from collections.abc import Callable, Iterable

import numpy as np

from ecbench.review.bill.buying import buying
from ecbench.review.bill.causes import EMPTY_SHELF
from ecbench.review.bill.charges import Bill, Charge, bill_from
from ecbench.review.bill.closed_stores import closed_stores
from ecbench.review.bill.evenings import watch_evenings
from ecbench.review.bill.housekeeping import housekeeping
from ecbench.review.bill.idle_wallet import idle_wallets
from ecbench.review.bill.replayed_year import BilledYear
from ecbench.review.bill.selling import selling
from ecbench.review.bill.shipping import sending
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.lines import is_over
from ecbench.runs.results.year_view import table_to_read

TRADES: tuple[Callable[[BilledYear], Iterable[Charge]], ...] = (buying, selling, sending, closed_stores, housekeeping)


def bill_of(run: Run, episode: int) -> Bill:
    """What is recorded of an episode at the seat of the run's entry, as far as it goes.

    Raises RunError for a record that cannot be read, and Divergence where the replay differs from the record.
    """
    return bill_of_year(billed_year(run, episode))


def billed_year(run: Run, episode: int) -> BilledYear:
    """The replayed year that a bill is made from; raises as `bill_of` does."""
    recording, seat = read_episode(run, episode), run.seat(episode)
    table = table_to_read(run, episode, recording)
    year = table.session.years[seat]
    evenings = watch_evenings(year.account)
    table.catch_up()
    over = is_over(recording.end(seat))
    if over:
        table.settle(seat)
    return BilledYear(year, recording.complete_turns(seat), over, evenings)


def bill_of_year(year: BilledYear) -> Bill:
    with np.errstate(over="ignore"):  # a shelf that hardly anyone wants lasts for ever
        charges = [charge for trade in TRADES for charge in trade(year)]
    empty: dict[int, float] = {}
    for charge in charges:
        if charge.cause == EMPTY_SHELF:
            empty[charge.day] = empty.get(charge.day, 0.0) + charge.amount
    return bill_from([*charges, *idle_wallets(year, empty)], year.last_day)
