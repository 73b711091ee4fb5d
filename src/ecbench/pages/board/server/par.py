"""What a result is measured by: the bound of its world, and what merchants of the package make of the same game."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

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
