"""Years played once and read by several tests."""

import json
from collections.abc import Callable
from functools import lru_cache

import pytest

from ecbench import Episode, load_world
from ecbench.players.driver import play_year
from ecbench.players.merchants.protocol import Call, Play
from ecbench.players.merchants.registry import get_merchant
from ecbench.world.generate import generate_world
from ecbench.world.model import World


def batches_until(play: Play, episode: Episode, day: int) -> list[list[Call]]:
    """The batches of a play by the morning of a day, or by the end of the year. It gets decoded replies alone."""
    calls, made = next(play), []
    while episode.day < day and not episode.done:
        made.append(calls)
        replies = [json.loads(reply) for reply in episode.act(calls)]
        if not episode.done:
            calls = play.send(replies)
    return made


@pytest.fixture(scope="session")
def default_world() -> World:
    return load_world("default")


@pytest.fixture(scope="session")
def small_world() -> World:
    """A fresh world with a tenth of the goods, where even the insider's year is short to play."""
    return generate_world(seed=21, name="small", products=600, suppliers=160)


@pytest.fixture(scope="session")
def year_of(small_world: World) -> Callable[[str], Episode]:
    """A whole year of a merchant on the small world, by the merchant's name."""

    @lru_cache(maxsize=8)
    def played(name: str) -> Episode:
        episode = Episode(small_world)
        play_year(get_merchant(name), episode)
        return episode

    return played
