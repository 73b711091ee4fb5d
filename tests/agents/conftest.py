"""Years played once and read by several tests."""

from collections.abc import Callable
from functools import lru_cache

import pytest

from ecbench import Episode, load_world
from ecbench.agents.driver import play_year
from ecbench.agents.registry import get_merchant
from ecbench.world.model import World


@pytest.fixture(scope="session")
def default_world() -> World:
    return load_world("default")


@pytest.fixture(scope="session")
def year_of(default_world: World) -> Callable[[str], Episode]:
    """A whole year of a merchant on the default world, by the merchant's name."""

    @lru_cache(maxsize=8)
    def played(name: str) -> Episode:
        episode = Episode(default_world)
        play_year(get_merchant(name), episode)
        return episode

    return played
