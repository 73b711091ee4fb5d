"""Years played once and read by several tests."""

import pytest

from ecbench import load_world
from ecbench.world.model import World


@pytest.fixture(scope="session")
def default_world() -> World:
    return load_world("default")
