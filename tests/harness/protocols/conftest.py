"""Every test here runs once for each provider's protocol, unless it names its own."""

from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.harness.protocols.playing import DIALECTS, Played, settings
from tests.harness.scripts import Diary, YearPlayed, converse_with
from tests.harness.servers.conversation import Script
from tests.harness.servers.wire import Dialect, Server, serve

import ecbench
from ecbench.harness.brief import Brief


@pytest.fixture(params=DIALECTS, ids=lambda each: each.__name__)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    made: Dialect = request.param()
    return made


@pytest.fixture
def run(dialect: Dialect, small_world: Path) -> Played:
    world = ecbench.load_world(str(small_world))

    def played(script: Script, days: int = 3, **more: Any) -> tuple[YearPlayed, Diary, Server]:
        episode, diary = ecbench.Episode(world, days=days), Diary()
        with serve(dialect, script) as server:
            outcome = anyio.run(converse_with, settings(dialect, server.url, **more), episode, Brief(), diary)
        assert server.refusals == []
        return outcome, diary, server

    return played
