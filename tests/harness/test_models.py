"""A model by its name, its arguments and the cost of its turns; `protocols` tests what passes between it and others."""

import json
import time
from functools import partial

import anyio
import pytest
from tests.harness.servers.conversation import KEY
from tests.harness.servers.listening import Exchange, json_reply, listen
from tests.harness.servers.openai_chat import chat_answer

from ecbench.harness.messages import Call, Message, ModelFailure
from ecbench.harness.models import ProviderModel, open_model
from ecbench.harness.settings import ModelSettings

NAME = "openai-api/loopback/scripted"


@pytest.mark.parametrize(
    ("name", "advice"),
    [("gpt-without-provider", ""), ("nosuch/model", "openai-api/SERVICE/MODEL"), ("openai-api/only-a-service", "")],
)
def test_a_name_that_no_provider_serves_is_refused(name: str, advice: str) -> None:
    with pytest.raises(ModelFailure, match=f"{name}: .*{advice}"):
        open_model(ModelSettings(name), [])


def test_an_argument_that_the_provider_does_not_have_is_refused_with_those_that_it_has() -> None:
    def options(**given: object) -> object:
        return open_model(ModelSettings(NAME, "http://127.0.0.1:9", given), []).options

    assert {"temperature": 0.5, "openai_logprobs": True}.items() <= dict(
        options(temperature=0.5, openai_logprobs=True)  # type: ignore[call-overload]
    ).items()
    with pytest.raises(ModelFailure, match=r"there is no argument 'temprature'; there are .*temperature"):
        options(temprature=0.5)


def test_a_turn_costs_little_more_processor_time_behind_a_long_conversation() -> None:
    """Plain JSON of 3,200 messages takes about 5 ms; OpenAI's own client took 400."""
    talk = [Message("system", "Trade."), Message("user", "Go.")]
    for number in range(1_600):
        call = Call(f"call_{number}", "wait_for_next_day", {"current_day": number})
        talk += [Message("assistant", "", calls=(call,)), Message("tool", "reply " * 40, answers=call)]

    async def seconds(model: ProviderModel, messages: list[Message]) -> float:
        await model.attempt(messages)  # converts each message once
        begun = time.thread_time()
        for _ in range(3):
            await model.attempt(messages)
        return (time.thread_time() - begun) / 3

    async def both(url: str) -> tuple[float, float]:
        model = open_model(ModelSettings(NAME, url, {"api_key": KEY}), [])
        try:
            return await seconds(model, talk[:12]), await seconds(model, talk)
        finally:
            await model.close()

    connections = set()

    def answers(exchange: Exchange) -> None:
        connections.add(exchange.client_address)
        exchange.asked()
        exchange.send(json_reply(200, chat_answer("1", "On.", [], "", "stop")))

    with listen(answers) as address:
        short, long = anyio.run(partial(both, f"{address}/v1"))
    plain = time.thread_time()
    json.dumps([{"role": "assistant", "content": message.text} for message in talk])
    plain = time.thread_time() - plain
    assert long - short < 40 * max(plain, 0.002)
    assert len(connections) == 1  # which is kept open between turns
