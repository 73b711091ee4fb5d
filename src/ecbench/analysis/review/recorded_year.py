"""A recorded year, replayed: its positions, what it lost, and what the player did day by day."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ecbench.episode import Episode
from ecbench.market.calendar import WEEK
from ecbench.market.marketplace import Account
from ecbench.metrics.losses.account import Evening, Loss
from ecbench.metrics.losses.prices import judge_prices
from ecbench.metrics.losses.shelves import losses_of, watch_shelves
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.recorded_table import close_as_recorded, open_table, replay_entry
from ecbench.runs.record.json_values import Yuan
from ecbench.runs.record.lines import is_over
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.recorded_voice import recorded_voice
from ecbench.runs.results.year_view import table_to_read

OPENING = "start"  # in place of a head: nothing has been played yet


@dataclass(frozen=True, slots=True)
class YearPosition:
    """The year after a given number of entries of its record."""

    day: int
    entries: int
    assets: float  # bank, wallet and escrow
    check: str  # of the record so far: equal checks are equal positions of years under the same terms


def positions_of(recording: Recording, stake: float, step: int = WEEK) -> list[YearPosition]:
    """One position for every `step` days that the record reaches, and one at its end while the year continues."""
    turns = [
        YearPosition(entry.state.day, count, entry.state.total, entry.head)
        for count, entry in enumerate(recording.entries, start=1)
        if entry.kind in ("turn", "morning") and entry.state is not None
    ]
    over, last = is_over(recording.end(0)), turns[-1].day if turns else 0
    found = [YearPosition(0, 0, stake, OPENING)]
    for day in range(step, last + 1, step):
        reached = turns[bisect_left(turns, day, key=lambda turn: turn.day)]
        if reached.entries > found[-1].entries and not (over and reached is turns[-1]):
            found.append(reached)
    if not over and last > found[-1].day:
        found.append(turns[-1])
    return found


def record_head(recording: Recording) -> str:
    """The head of the record as it stands: that of its end, or of its last entry while it can continue."""
    return recording.year_end.head if recording.finished and recording.year_end else recording.head


def replay_positions(run: Run, episode: int, positions: Sequence[YearPosition]) -> Iterator[Episode]:
    """The year at each of the positions, in order, for copying only; raises Divergence as a replay does."""
    recording, terms, done = read_episode(run, episode), run.terms_of(episode), 0
    table = open_table(terms, run.load_world(episode), recorded_voice(terms, ()))
    for position in positions:
        for entry in recording.entries[done : position.entries]:
            replay_entry(table, entry)
        done = position.entries
        yield Episode.at(table)


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
    """The losses of an episode so far, at the seat of the run's entry; raises RunError or Divergence."""
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
