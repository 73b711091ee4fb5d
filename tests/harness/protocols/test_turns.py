"""A turn at each provider: what is asked, what is answered, and what of it is written down and sent back."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.harness.protocols.playing import Played, once, settings, years
from tests.harness.scripts import Diary, converse_with
from tests.harness.servers.anthropic_messages import AnthropicMessages
from tests.harness.servers.conversation import KEY, Say, Think, Use, turn
from tests.harness.servers.openai_chat import OpenAIChat
from tests.harness.servers.openai_responses import OpenAIResponses
from tests.harness.servers.wire import Dialect, serve

import ecbench
from ecbench.harness.brief import FIRST_USER_MESSAGE, Brief, system_message
from ecbench.harness.messages import Message, Usage, answer_from_json, answer_to_json
from ecbench.harness.models import open_model
from ecbench.harness.settings import Price

LOOK = turn(
    Think("Cash comes first."),
    Use("check_balance", {}),
    Think("sealed", redacted=True),
    Say("A look."),
    Use("check_warehouse", {}),
)


def test_a_request_carries_the_tools_the_brief_and_the_results_in_order(run: Played) -> None:
    outcome, diary, server = run(once(LOOK))
    assert outcome.ending == "year_end"
    first, second = [talk for talk in server.talks if talk.system][:2]
    assert first.system == second.system == system_message(Brief())
    assert [entry.texts for entry in first.heard] == [(FIRST_USER_MESSAGE,)]
    assert [entry.role for entry in second.heard] == ["user", "model", "results"]
    assert second.heard[1].texts[0].strip() == "A look."
    for result, reply in zip(second.results, diary.replies[0], strict=True):
        assert result.startswith(reply + "\n<system_warning>Token usage: ")
    sent = json.dumps(years(server)[0]["tools"])
    assert all(schema["function"]["name"] in sent for schema in ecbench.tool_schemas())


def test_usage_is_reported_and_priced(run: Played) -> None:
    outcome, diary, _ = run(once(), days=2, price=Price(input=2.0, output=10.0, cached=0.5))
    one = Usage(600, 50, 400, 0, 20, cost=(600 * 2.0 + 400 * 0.5 + 50 * 10.0) / 1e6)
    assert diary.answers[0].usage == one
    assert outcome.usage == one + one


@pytest.mark.parametrize("dialect", [AnthropicMessages()], ids=["AnthropicMessages"])
@pytest.mark.parametrize("ttl", [None, "1h"])
def test_what_is_written_to_a_cache_is_counted_and_priced(
    dialect: AnthropicMessages, small_world: Path, ttl: str | None
) -> None:
    dialect.written = 200
    given = {"api_key": KEY} | ({"cache": ttl} if ttl else {})
    own = partial(settings, dialect, model_args=given, price=Price(2.0, 10.0, 0.5, 2.5))
    episode, diary = ecbench.Episode(ecbench.load_world(str(small_world)), days=1), Diary()
    with serve(dialect, once()) as server:
        anyio.run(converse_with, own(server.url), episode, Brief(), diary)
    assert server.refusals == []
    assert {mark.get("ttl") for mark in cache_marks(years(server))} == {ttl or "5m"}
    dollars = (600 * 2.0 + 400 * 0.5 + 200 * 2.5 + 50 * 10.0) / 1e6
    assert diary.answers[0].usage == Usage(600, 50, 400, 200, 20, cost=dollars)


def cache_marks(value: Any) -> list[dict[str, Any]]:
    """All cache marks in a request, wherever they stand."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [mark for key, each in inner for mark in ([each] if key == "cache_control" else cache_marks(each))]


def test_a_turn_read_from_its_record_is_sent_back_in_the_same_blocks(run: Played, dialect: Dialect) -> None:
    """By another process, as far as the record can tell: nothing but what was written down goes into the request."""
    _, diary, server = run(once(LOOK), days=1)
    answer = diary.answers[0]
    assert "Cash comes first." in answer.message.reasoning
    recorded = answer_from_json(json.loads(json.dumps(answer_to_json(answer)))).message
    first, told = years(server)[:2], server.talks[-1].results
    talk = [Message("system", system_message(Brief())), Message("user", FIRST_USER_MESSAGE), recorded]
    talk += [Message("tool", text, answers=call) for call, text in zip(recorded.calls, told, strict=True)]

    async def ask(url: str) -> None:
        model = open_model(settings(dialect, url), ecbench.tool_schemas())
        await model.answer(talk)
        await model.close()

    with serve(dialect, once()) as other:
        anyio.run(ask, other.url)
    assert other.refusals == []
    assert years(other)[-1] == first[1]


@pytest.mark.parametrize("dialect", [OpenAIResponses(), OpenAIChat()], ids=lambda each: type(each).__name__)
def test_empty_arguments_are_no_arguments(run: Played) -> None:
    _, diary, _ = run(once(turn(Use("check_balance", ""))), days=1)
    assert json.loads(diary.replies[0][0])["bank_balance"] == 100_000
