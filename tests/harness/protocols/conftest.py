"""Every test here runs once for each provider's protocol, unless it names its own."""

from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.harness.protocols.playing import DIALECTS, Played, settings
from tests.harness.scripts import Diary, YearPlayed, converse
from tests.harness.servers.conversation import Script
from tests.harness.servers.wire import Dialect, Server, serve

import ecbench
from ecbench.harness.brief import Brief
from ecbench.harness.models import open_model


@pytest.fixture(params=DIALECTS, ids=lambda each: each.__name__)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    made: Dialect = request.param()
    return made


@pytest.fixture
def run(dialect: Dialect, small_world: Path) -> Played:
    world = ecbench.load_world(str(small_world))

    def played(script: Script, days: int = 3, **more: Any) -> tuple[YearPlayed, Diary, Server]:
        async def year(server: Server) -> YearPlayed:
            model = open_model(settings(dialect, server.url, **more), ecbench.tool_schemas())
            try:
                return await converse(ecbench.Episode(world, days=days), model, Brief(), diary)
            finally:
                await model.close()

        diary = Diary()
        with serve(dialect, script) as server:
            outcome = anyio.run(year, server)
        assert server.refusals == []
        return outcome, diary, server

    return played
