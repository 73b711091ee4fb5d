"""Models to play with: scripted in the process, or behind a server on loopback."""

from collections.abc import Iterator

import pytest
from tests.runs.lives import end_all


@pytest.fixture(autouse=True)
def _no_life_outlives_its_test() -> Iterator[None]:
    yield
    end_all()
