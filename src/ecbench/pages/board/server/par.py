"""What a result is measured by: the bound of its world, and what merchants of the package make of the same game."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from ecbench.episode import Episode
from ecbench.metrics.solvency import daily_rows
from ecbench.players.driver import play_year
from ecbench.players.merchants.registry import get_merchant
from ecbench.rules import Rules
from ecbench.runs.folder import Run
from ecbench.runs.results.anchors_file import bound_missing, bound_of
from ecbench.runs.terms import PERSONS_BOARD, rules_of
from ecbench.world.model import World

MERCHANTS = ("steady", "haggler", "first-quote")


@dataclass(frozen=True, slots=True)
class ParYear:
    """A merchant's game: what it ended with, how, and its total assets by day."""

    name: str
    final_assets: float
    ending: str
    curve: Sequence[float]


class Scale(NamedTuple):
    """The most that could be expected, None until it is computed, and the merchants' games, richest first."""

    bound: float | None
    par: Sequence[ParYear]


def game_of(run: Run, episode: int) -> Hashable:
    """What a scale depends on."""
    return _has_par(run), run.world_of(episode).year_id, rules_of(run.terms), run.terms.days, run.terms.stake


def known_scale(run: Run, episode: int) -> Scale:
    """As much as is known at once."""
    return Scale(None if bound_missing(run, episode) else bound_of(run, episode), ())


def play_par(run: Run, episode: int) -> list[ParYear]:
    """Takes seconds; only the game of a person alone in its market has a par."""
    if not _has_par(run):
        return []
    world, terms, rules = run.load_world(episode), run.terms, rules_of(run.terms)
    games = [_year(name, world, terms.days, terms.stake, rules) for name in MERCHANTS]
    return sorted(games, key=lambda year: -year.final_assets)


def _has_par(run: Run) -> bool:
    return run.player.transport == PERSONS_BOARD and not run.terms.shared


def _year(name: str, world: World, days: int, stake: float, rules: Rules) -> ParYear:
    year = Episode(world, days=days, stake=stake, rules=rules)
    play_year(get_merchant(name, days=days, rules=rules), year)
    by_day = {row.books.day: round(row.books.total, 2) for row in daily_rows(year.account)}
    return ParYear(name, round(year.bank + year.wallet, 2), year.ending or "", list(by_day.values()))


MOST_KEPT = 64
Value = TypeVar("Value")


class SingleFlight(Generic[Value]):
    """A cache of values by key, each computed once however many threads ask. An error is not cached."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._found: OrderedDict[Hashable, Future[Value]] = OrderedDict()

    def ready(self, key: Hashable) -> bool:
        """Whether `get` would answer at once."""
        found = self._found.get(key)
        return found is not None and found.done()

    def get(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """The cached value, or what `compute` returns; every thread that waits for it gets its error."""
        with self._lock:
            found = self._found.get(key)
            own = found is None
            if found is None:
                found = self._found[key] = Future()
            self._found.move_to_end(key)
            while len(self._found) > MOST_KEPT:
                self._found.popitem(last=False)
        if own:
            try:
                found.set_result(compute())
            except BaseException as problem:
                self._found.pop(key, None)
                found.set_exception(problem)
        return found.result()
