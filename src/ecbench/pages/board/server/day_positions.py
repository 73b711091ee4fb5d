"""The position of the day: a marked moment of a recorded year, which a visitor plays for one day.

What the visitor, the player and the engine did with the day is judged by what the engine would end the year with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.analysis.review.engine import VARIANTS, final_assets
from ecbench.analysis.review.marks import WeekMark
from ecbench.analysis.review.stored_review import REVIEW, review_of_record
from ecbench.episode import Episode
from ecbench.pages.board.run_index import FileStamp, Library, file_stamp
from ecbench.pages.board.server.single_flight import SingleFlight
from ecbench.pages.board.server.visibility import Shown, Visibility
from ecbench.pages.board.snapshots import SeatSnapshots
from ecbench.pages.board.views.turn_view import turn_view
from ecbench.pages.report.templates_env import board_part
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import short_name

JUDGES = VARIANTS[:2]  # of the engine: each plays the rest of the year
MOST_SENTENCES = 12


@dataclass(frozen=True, slots=True)
class DayPosition:
    """A position that is offered."""

    id: str
    episode: int
    day: int
    agent: str
    world: str
    cost: float  # what the player lost in the days from here on, beyond its usual


@dataclass(frozen=True, slots=True)
class DayMove:
    """What somebody did on a day, and what the engine would end the year with after it."""

    who: str
    value: float
    did: list[str]


class DayPositions:
    """The marked moments of the reviewed years of a folder."""

    def __init__(self, library: Library, visibility: Visibility) -> None:
        self._library = library
        self._visibility = visibility
        self._marks: dict[tuple[str, int], tuple[FileStamp, Sequence[WeekMark]]] = {}
        self._values = SingleFlight[float]()

    def of_the_day(self, date: str) -> DayPosition | None:
        """One of all that may be shown, another each day; None without a review."""
        found = []
        for run, episode in self._library.years():
            marks = self._marks_of(run, episode)
            if marks and self._visibility.of(run, episode).shown is Shown.ALL:
                names = short_name(run.player.agent), run.terms_of(episode).world.name
                key = self._library.key_of(run)
                found += [DayPosition(key, episode, mark.first_day, *names, round(mark.cost, 2)) for mark in marks]
        found.sort(key=lambda moment: (-moment.cost, moment.id, moment.day))
        return found[int(date) % len(found)] if found else None

    def compared(self, run: str, episode: int, day: int, other: str, number: int) -> dict[str, Any]:
        """What a visitor's branch, the player of the year and the engine made of a day, best first."""
        year, own = self._library.year(run, episode), self._library.year(other, number)
        fork = own.terms.fork
        if fork is None or (fork.run, fork.episode, fork.day) != (self._library.run(run).folder.name, episode, day):
            raise RequestRefused(409, f"that game does not continue this year from day {day}")
        if own.latest.day <= day or year.latest.day <= day:
            raise RequestRefused(409, f"day {day} has not been played to its end")
        before, after, own_after = _turns_to_end(year, day - 1), _turns_to_end(year, day), _turns_to_end(own, day)
        moves = [
            DayMove("you", self._value(other, number, own, own_after), _done(own, before, own_after)),
            DayMove(
                short_name(self._library.run_of(run, episode).player.agent),
                self._value(run, episode, year, after),
                _done(year, before, after),
            ),
            DayMove("the engine", self._value(run, episode, year, before), []),
        ]
        moves.sort(key=lambda move: -move.value)
        return {"moves": moves, "html": board_part("moves", moves=moves)}

    def _value(self, run: str, episode: int, year: SeatSnapshots, turns: int) -> float:
        return self._values.get((run, episode, turns), lambda: _judged(year.at(turns)))

    def _marks_of(self, run: Run, episode: int) -> Sequence[WeekMark]:
        """Read again only if the review has been written to since."""
        key, stamp = (self._library.key_of(run), episode), file_stamp(run.episode_folder(episode) / REVIEW)
        known = self._marks.get(key)
        if known is None or known[0] != stamp:
            review = review_of_record(run, episode) if stamp[1] else None
            known = self._marks[key] = stamp, review.marks if review else ()
        return known[1]


def _judged(position: Episode) -> float:
    return round(fmean(final_assets(position, variant) for variant in JUDGES), 2)


def _turns_to_end(year: SeatSnapshots, day: int) -> int:
    """How many turns it took to end a day that is over: the one that ends it belongs to it."""
    return year.last_turn_of(day) + 1 if day >= 0 else 0


def _done(year: SeatSnapshots, before: int, after: int) -> list[str]:
    """What the calls of the turns between did, a sentence each."""
    turns = [turn_view(year, number) for number in range(before + 1, after + 1)]
    said = [card.view.sentence for turn in turns for card in turn.cards]
    rest = len(said) - MOST_SENTENCES
    return [*said[:MOST_SENTENCES], *([f"{rest:,} more"] if rest > 0 else [])]
