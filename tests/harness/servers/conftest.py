"""One client of a provider, and a server for it to talk to."""

from collections.abc import Iterator

import pytest
from tests.harness.servers.clients import Client
from tests.harness.servers.talks import looking
from tests.harness.servers.wire import Server, serve


@pytest.fixture(scope="module")
def client(request: pytest.FixtureRequest) -> Client:
    made: Client = request.param()
    return made


@pytest.fixture(scope="module")
def serving(client: Client) -> Iterator[Server]:
    with serve(client.dialect, looking) as server:
        yield server


@pytest.fixture
def server(serving: Server) -> Server:
    """One for all tests of a client, with nothing heard yet."""
    for heard in (serving.requests, serving.talks, serving.refusals):
        heard.clear()
    return serving
