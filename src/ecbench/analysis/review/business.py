"""A recorded year, replayed: what it lost, and what the player did day by day."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from ecbench.market.calendar import WEEK
from ecbench.market.marketplace import Account
from ecbench.metrics.losses.account import Evening, Loss
from ecbench.metrics.losses.prices import judge_prices
from ecbench.metrics.losses.shelves import losses_of, watch_shelves
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.recorded_table import close_as_recorded
from ecbench.runs.record.json_values import Yuan
from ecbench.runs.record.lines import is_over
from ecbench.runs.results.year_view import table_to_read


@dataclass(frozen=True, slots=True)
class Business:
    """Columns with an entry for each day that was played, from day 0 on, and the types of all stores ever opened."""

    sales: tuple[Yuan, ...]  # sold that day, at the prices paid
    bought: tuple[Yuan, ...]  # paid to suppliers
    assets: tuple[Yuan, ...]  # bank and wallet in the evening, with that morning's escrow
    bank: tuple[Yuan, ...]  # in the evening
    stores: tuple[int, ...]
    listings: tuple[int, ...]  # with units on the shelf
    store_types: tuple[str, ...]


def replay_losses(run: Run, episode: int) -> tuple[list[Loss], Business]:
    """What is recorded of an episode at the seat of the run's entry, as far as it goes, with what prices lost.

    Raises RunError for a record that cannot be read, and Divergence where the replay differs from the record.
    """
    recording = read_episode(run, episode)
    table = table_to_read(run, episode, recording)
    seat = table.seats[run.seat(episode)]
    account = seat.year.account
    watch = watch_shelves(account, judge_prices)
    table.catch_up()
    close_as_recorded(table, release=False)
    over, log = is_over(recording.end(seat.number)), table.counters[seat.number].log
    return losses_of(account, log, over=over), business_of(account, watch.evenings)


def business_of(account: Account, evenings: Sequence[Evening]) -> Business:
    books, days = account.books, range(len(evenings))
    sales, bought = defaultdict[int, float](float), defaultdict[int, float](float)
    for sale in account.journal.sales if account.journal else ():
        sales[sale.day] += sale.goods.unit_price * sale.goods.quantity
    for order in books.orders:
        bought[order.day] += order.charged
    escrow = [0.0, *(morning.escrow for morning in books.days)]
    return Business(
        sales=tuple(sales[day] for day in days),
        bought=tuple(bought[day] for day in days),
        assets=tuple(each.bank + each.wallet + held for each, held in zip(evenings, escrow)),
        bank=tuple(evening.bank for evening in evenings),
        stores=tuple(len(evening.store_types) for evening in evenings),
        listings=tuple(evening.listings for evening in evenings),
        store_types=tuple(sorted({kind for evening in evenings for kind in evening.store_types})),
    )


def by_week(daily: Sequence[float]) -> list[float]:
    """Sums of seven days each; the last week may be shorter."""
    return [sum(daily[day : day + WEEK]) for day in range(0, len(daily), WEEK)]


def around(weekly: Sequence[float], reach: int) -> list[float]:
    """For each week the median of those at most `reach` away."""
    return [median(weekly[max(0, week - reach) : week + reach + 1]) for week in range(len(weekly))]
