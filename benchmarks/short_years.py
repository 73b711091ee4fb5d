"""Years of the scripted agents for `short_forms.py`: what is played, and the store that keeps it."""

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import NamedTuple

from scripted_agents import Agent, agents

from ecbench import Episode, load_world
from ecbench.players.driver import play_year
from ecbench.players.merchants.protocol import Play
from ecbench.rules import rule_set
from ecbench.runs.play.gc_policy import collect_seldom

YEAR = 365
MARKS = (30, 60, 90, 120, 180)  # days after which the money of a whole year is noted too
SHORT_DAYS = (90, 180)  # of years whose agents know how short they are
SETS = ("paper", "fair")
FIRST_WORLD = 9001  # nothing was developed on it, nor on those after it


class Year(NamedTuple):
    """A year that an agent plays knowing how long it is."""

    agent: str
    world: int  # its seed
    rules: str
    days: int
    repeat: int = 0  # of the same agent on the same world, with other luck


class Played(NamedTuple):
    money: dict[int, float]  # in bank, wallet and escrow, by day
    calls: dict[int, int]


class _Watched:
    """An agent that notes its money and its calls on the mornings of the marks."""

    def __init__(self, agent: Agent, draws: Random) -> None:
        self.agent, self.draws = agent, draws
        self.played = Played({}, {})

    def play_knowing(self, year: Episode, _schemas: list[dict[str, object]]) -> Play:
        play = self.agent.play(year, self.draws)
        calls, made = next(play), 0
        while True:
            for mark in MARKS:
                if year.day >= mark and mark not in self.played.money:
                    self.played.money[mark], self.played.calls[mark] = year.account.books.purse.total, made
            made += len(calls)
            try:
                calls = play.send((yield calls))
            except StopIteration:
                return


def play(year: Year) -> Played:
    """An agent that is bankrupt keeps its last money and its last number of calls."""
    agent = next(agent for agent in agents() if agent.name == year.agent)
    episode = Episode(load_world(f"seed-{year.world}"), days=year.days, rules=rule_set(year.rules))
    watched = _Watched(agent, Random(f"{year.agent}, world {year.world}, {year.days} days, year {year.repeat}"))
    made = play_year(watched, episode)
    money, calls = watched.played
    for mark in (*MARKS, YEAR):
        if mark <= year.days and mark not in money:
            money[mark], calls[mark] = episode.account.books.purse.total, made
    money[year.days], calls[year.days] = episode.account.books.purse.total, made
    return watched.played


def read_store(store: Path) -> dict[Year, Played]:
    """What was played before; a line that a stopped process left half written is not counted."""
    found = {}
    for line in store.read_text(encoding="utf-8").splitlines() if store.exists() else ():
        try:
            year, money, calls = json.loads(line)
        except ValueError:
            continue
        by_day = {int(day): amount for day, amount in money.items()}
        found[Year(*year)] = Played(by_day, {int(day): number for day, number in calls.items()})
    return found


def play_missing(years: Iterable[Year], store: Path, jobs: int) -> None:
    """Play what the store does not have, and append each year as soon as it is there."""
    known = read_store(store)
    missing = [year for year in years if year not in known]
    with ProcessPoolExecutor(jobs, initializer=collect_seldom) as pool, store.open("a", encoding="utf-8") as lines:
        for year, played in zip(missing, pool.map(play, missing, chunksize=4), strict=True):
            lines.write(json.dumps([year, played.money, played.calls]) + "\n")
            lines.flush()


def plan(worlds: int, repeated: int) -> Iterator[Year]:
    """World by world, so that a stopped measurement is one of fewer worlds.

    A whole year and short ones on each; on the first worlds the agents with luck play a second year.
    """
    everybody = [agent.name for agent in agents()]
    lucky = [agent.name for agent in agents() if agent.noisy]
    seeds = range(FIRST_WORLD, FIRST_WORLD + worlds)
    for world in seeds:
        for rules in SETS:
            yield from (Year(name, world, rules, days) for days in (YEAR, *SHORT_DAYS) for name in everybody)
            if world in seeds[:repeated]:
                yield from (Year(name, world, rules, YEAR, 1) for name in lucky)
