"""The bill of a recorded year: it is played again, and every cause is asked what it cost."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from ecbench.review.bill.buying import buying
from ecbench.review.bill.charges import Bill, Charge, bill_from
from ecbench.review.bill.closed_stores import closed_stores
from ecbench.review.bill.housekeeping import housekeeping
from ecbench.review.bill.replayed_year import BilledYear, keep_evenings, played
from ecbench.review.bill.selling import selling
from ecbench.review.bill.shipping import sending
from ecbench.runs.arena.folder import ArenaRun, open_arena, seat_place
from ecbench.runs.arena.play import replay_round
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.recorded_seat import RecordedSeat
from ecbench.runs.results.year_view import seat_to_read
from ecbench.world.model import World

TRADES: tuple[Callable[[BilledYear], Iterable[Charge]], ...] = (buying, selling, sending, closed_stores, housekeeping)


def bill_of(run: Run, episode: int, world: World | None = None) -> Bill:
    """What is recorded of an episode, as far as it goes; a seat of an arena is played again with the others.

    `world` spares a caller of many years the time to load it for each. Raises RunError for a record that cannot be
    read, and Divergence for one that comes out otherwise than it is recorded.
    """
    terms = run.terms_of(episode)
    if terms.arena is not None:
        place = seat_place(run.folder)
        return bills_of_round(open_arena(place.arena), place.round)[place.seat]
    recording = read_episode(run, episode)
    seat = seat_to_read(run, episode, recording, world)
    keep_evenings(seat)
    seat.catch_up()
    if recording.end is not None and recording.finished:
        seat.year.finish(recording.end.ending)
    return bill_of_year(played(seat))


def bills_of_round(run: ArenaRun, number: int) -> Mapping[int, Bill]:
    """Those of all seats of a round: their market is played again as a whole."""
    seats: list[RecordedSeat] = []

    def watch(seat: RecordedSeat) -> None:
        keep_evenings(seat)
        seats.append(seat)

    replay_round(run, number, [], watch)
    return {place: bill_of_year(played(seat)) for place, seat in enumerate(seats)}


def bill_of_year(year: BilledYear) -> Bill:
    with np.errstate(over="ignore"):  # a shelf that hardly anybody wants lasts for ever
        return bill_from((charge for trade in TRADES for charge in trade(year)), year.last_day)
