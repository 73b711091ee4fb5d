"""The par of a game: what merchants of the package make of the same world, days, stake and rules."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from threading import Thread

from ecbench.episode import Episode
from ecbench.metrics.solvency import daily_rows
from ecbench.pages.board.server.single_flight import SingleFlight
from ecbench.players.driver import play_year
from ecbench.players.merchants.registry import get_merchant
from ecbench.rules import Rules
from ecbench.runs.folder import Run
from ecbench.runs.terms import rules_of
from ecbench.world.model import World

MERCHANTS = ("steady", "haggler", "first-quote")


@dataclass(frozen=True, slots=True)
class ParYear:
    """A merchant's game: what it ended with, how, and its total assets by day."""

    name: str
    final_assets: float
    ending: str
    curve: Sequence[float]


class Par:
    """Played once for each game, in threads of their own."""

    def __init__(self) -> None:
        self._played = SingleFlight[list[ParYear]]()

    def begin(self, run: Run, episode: int) -> None:
        """Play in the background, so that the result need not wait."""
        if not self.ready(run, episode):
            Thread(target=self.of, args=(run, episode), daemon=True).start()

    def ready(self, run: Run, episode: int) -> bool:
        """Whether `of` would answer at once."""
        return run.terms.shared or self._played.ready(_game(run, episode))

    def of(self, run: Run, episode: int) -> list[ParYear]:
        """The merchants' games, richest first; none where rivals share the market."""
        if run.terms.shared:
            return []
        return self._played.get(_game(run, episode), lambda: _played(run, run.load_world(episode)))


def _game(run: Run, episode: int) -> Hashable:
    return run.world_of(episode).year_id, rules_of(run.terms), run.terms.days, run.terms.stake


def _played(run: Run, world: World) -> list[ParYear]:
    terms, rules = run.terms, rules_of(run.terms)
    found = [_year(name, world, terms.days, terms.stake, rules) for name in MERCHANTS]
    return sorted(found, key=lambda year: -year.final_assets)


def _year(name: str, world: World, days: int, stake: float, rules: Rules) -> ParYear:
    year = Episode(world, days=days, stake=stake, rules=rules)
    play_year(get_merchant(name, days=days, rules=rules), year)
    by_day = {row.books.day: round(row.books.total, 2) for row in daily_rows(year.account)}
    return ParYear(name, round(year.bank + year.wallet, 2), year.ending or "", list(by_day.values()))
