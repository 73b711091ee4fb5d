"""The host keeps to its own OpenAPI document, whatever is sent: requests are made up from it by Schemathesis."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from tests.adapters.hosting import Client, begin, hosted
from tests.conftest import write_little_world

from ecbench.adapters.http.app import document
from ecbench.world.load import load_world

schema = schemathesis.openapi.from_dict(document())
EXAMPLES = 25  # of each request


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    place = tmp_path_factory.mktemp("host")
    source = write_little_world(place)
    world = load_world(source)
    with hosted(begin(place / "run", world, source, days=365), most=3) as guest:
        yield guest


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_one_that_the_document_describes(case: Any, client: Client) -> None:
    shown = {"Authorization": f"Bearer {client.token}"}
    # A schema cannot say that a text is JSON, nor that ids differ: what it allows may still be refused.
    case.call_and_validate(base_url=client.url, headers=shown, excluded_checks=[positive_data_acceptance])
