"""Positions of a recorded year: its table on the first morning of each week, found by replaying the record."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ecbench.episode import Episode
from ecbench.market.calendar import WEEK
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.recorded_table import open_table, replay_entry
from ecbench.runs.record.lines import is_over
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.recorded_voice import recorded_voice

OPENING = "start"  # in place of a head: nothing has been played yet


@dataclass(frozen=True, slots=True)
class YearPosition:
    """The year at a seat after a given number of entries of its record."""

    day: int
    entries: int
    assets: float  # bank, wallet and escrow
    check: str  # of the record so far: equal checks are equal positions of years under the same terms


def positions_of(recording: Recording, stake: float, step: int = WEEK, seat: int = 0) -> list[YearPosition]:
    """One for every `step` days that the record reaches, and one at the end of the record while the year continues.

    A position belongs to the first turn of the seat that reached its day. The end of a year is none: nothing can be
    made of it.
    """
    turns = [
        YearPosition(entry.state.day, count, entry.state.total, entry.head)
        for count, entry in enumerate(recording.entries, start=1)
        if entry.kind in ("turn", "morning") and entry.seat == seat and entry.state is not None
    ]
    over, last = is_over(recording.end(seat)), turns[-1].day if turns else 0
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
    """The year at the run's seat at each of the positions, in the order of the year, for copying only.

    Raises Divergence if the replay differs from the record.
    """
    recording, terms, done = read_episode(run, episode), run.terms_of(episode), 0
    table = open_table(terms, run.load_world(episode), recorded_voice(terms, ()))
    for position in positions:
        for entry in recording.entries[done : position.entries]:
            replay_entry(table, entry)
        done = position.entries
        yield Episode.at(table, run.seat(episode))
