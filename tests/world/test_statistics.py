"""The default world beside the published one, figure by figure."""

from functools import cache

import pytest
from tests.world.published_statistics import PUBLISHED, Numbers, statistics

from ecbench.world.load import load_world
from ecbench.world.model import World


@cache
def default() -> World:
    return load_world("default")


@cache
def figures() -> dict[str, Numbers]:
    return statistics(default())


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_figure_of_the_default_world_is_the_published_one(name: str) -> None:
    published = PUBLISHED[name]
    assert figures()[name] == pytest.approx(published.numbers, rel=0, abs=published.within + 1e-9)


def test_every_figure_that_is_measured_has_a_published_one_beside_it() -> None:
    assert figures().keys() == PUBLISHED.keys()
