"""Short forms: agents whose slips act, years that can be repeated, and rank errors that are known beforehand."""

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from scripted_agents import Agent, Slips, agents
from short_forms import information, rank_correlation, rank_error
from short_years import Year, play, play_missing, read_store

from ecbench import Episode, load_world
from ecbench.market.price_columns import Column
from ecbench.players.driver import play_year
from ecbench.players.merchants.protocol import Play

HAGGLER = next(agent for agent in agents() if agent.name == "haggler")


def test_there_are_sixty_agents_of_five_families_with_names_of_their_own() -> None:
    assert len(agents()) == len({agent.name for agent in agents()}) == 60
    assert len({agent.family for agent in agents()}) == 5


class Watched:
    """Counts the calls that an agent makes by tool."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.made = agent, list[str]()

    def play_knowing(self, year: Episode, _schemas: list[dict[str, object]]) -> Play:
        play = self.agent.play(year, Random("test"))
        calls = next(play)
        while True:
            self.made += [str(call["name"]) for call in calls]
            try:
                calls = play.send((yield calls))
            except StopIteration:
                return


def made(slips: Slips) -> list[str]:
    watched = Watched(replace(HAGGLER, slips=slips))
    play_year(watched, Episode(load_world("seed-102"), days=30))
    return watched.made


@pytest.mark.parametrize(
    ("slips", "tool"),
    [
        (Slips(stores=1), "open_store"),
        (Slips(ship_every=3), "ship_orders"),
        (Slips(withdraw_every=7), "withdraw"),
        (Slips(skipped=0.5), "check_warehouse"),
        (Slips(forgotten=0.4), "chatbox"),
    ],
)
def test_a_slip_leaves_calls_out(slips: Slips, tool: str) -> None:
    assert made(slips).count(tool) < made(Slips()).count(tool)


def test_years_are_kept_and_not_played_twice(tmp_path: Path) -> None:
    year, store = Year("model-like 1", 102, "paper", 40), tmp_path / "store"
    assert play(year) == play(year) != play(year._replace(repeat=1))
    play_missing([year], store, jobs=1)
    store.write_text(store.read_text() + '[["cut')
    assert read_store(store) == {year: play(year)}


def scores(noise: float) -> Column:
    found: Column = np.arange(8.0) + noise * np.random.default_rng(1).normal(size=(6, 8))
    return found


def test_the_rank_error_is_none_without_noise_and_falls_with_the_number_of_worlds() -> None:
    exact, noisy = scores(0.0), scores(2.0)
    assert rank_error(exact, exact, 1) == (0.0, 0.0)
    assert rank_error(-exact, exact, 1) == (4.0, 1.0)  # no number of worlds helps against a bias
    few, many = (rank_error(noisy, noisy, count) for count in (1, 20))
    assert few[0] > many[0] > 0 and few[1] > many[1] > 0
    assert information(scores(0.5), 1_000) > information(noisy, 1_000)


def test_agents_with_the_same_money_share_a_place() -> None:
    assert rank_correlation(np.array([1.0, 1.0, 2.0]), np.array([1.0, 1.0, 2.0])) == pytest.approx(1.0)
    assert rank_correlation(np.array([1.0, 1.0, 2.0, 2.0]), np.array([1.0, 2.0, 1.0, 2.0])) == pytest.approx(0.0)
