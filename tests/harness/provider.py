"""A small OpenAI-compatible server on loopback, whose model is a function of the request."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.harness.servers.conversation import KEY, Refused
from tests.harness.servers.listening import Exchange, Reply, json_reply, listen
from tests.harness.servers.openai_chat import CODES, MODEL, OpenAIChat, admit, chat_answer, error

from ecbench.harness.settings import ModelSettings

__all__ = ["KEY", "MODEL"]  # imported here for the tests that use this server

MEETING_SECONDS = 180  # for requests that wait for each other: who has not come by then will not come


@dataclass(frozen=True)
class Turn:
    """What the model says: text, calls as (name, arguments), where arguments may be any text, and reasoning."""

    text: str = ""
    calls: tuple[tuple[str, dict[str, Any] | str], ...] = ()
    reasoning: str = ""
    finish: str = ""
    delay: float = 0.0


@dataclass(frozen=True)
class Fault:
    """What a bad day looks like: an HTTP status, a body, a dropped connection, or an answer that comes too late."""

    status: int = 0
    drop: bool = False
    delay: float = 0.0
    body: dict[str, Any] | None = None
    retry_after: float = 0.0


FIGURE = re.compile(r"\d[\d,]*\.?\d*")
Script = Callable[[dict[str, Any]], Turn | Fault]


@dataclass
class Provider:
    """The server's address and everything it was asked."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    answered: int = 0
    waited_together: int = 0


@contextmanager
def serve(script: Script, window: int | None = None, together: int = 0) -> Iterator[Provider]:
    """Serve the script until the block ends; requests are answered in the order in which they arrive.

    With `window` the list of models says how many tokens the model holds, as some servers do. The first `together`
    requests get no answer before all of them are waiting for one.
    """
    provider = Provider("")
    turn = threading.Lock()
    everybody = threading.Barrier(max(together, 1), timeout=MEETING_SECONDS)

    def hear(request: dict[str, Any]) -> tuple[Turn | Fault, int]:
        with turn:
            provider.requests.append(request)
            awaited = len(provider.requests) <= together
            said = script(request)
            provider.answered += isinstance(said, Turn)
            number = provider.answered
        if awaited:
            everybody.wait()
            provider.waited_together = together
        time.sleep(said.delay)
        return said, number

    def reply(exchange: Exchange) -> None:
        if exchange.command == "GET":
            exchange.send(models(window))
            return
        request = exchange.asked()
        try:
            admit("/v1/chat/completions", MODEL, exchange.path, exchange.lower_headers(), request)
        except Refused as refused:
            exchange.send(json_reply(refused.status, error(str(refused), CODES.get(refused.status))))
            return
        said, number = hear(request)
        if isinstance(said, Turn):
            exchange.send(json_reply(200, completion(said, number)))
        elif said.status or said.body is not None:
            exchange.send(failure(said))
        else:
            exchange.drop()

    with listen(reply) as address:
        provider.url = f"{address}/v1"
        yield provider


def quoting(words: str) -> Script:
    """A supplier's model that writes the words and every figure of its instructions, decided prices included."""
    return lambda request: Turn(
        f"{words} {' '.join(FIGURE.findall(json.dumps(request['messages'], ensure_ascii=False)))}"
    )


def models(window: int | None) -> Reply:
    listed = {"id": MODEL, "object": "model", "created": 0, "owned_by": "us", "max_model_len": window}
    return json_reply(200, {"object": "list", "data": [listed]}) if window else json_reply(404, {})


def failure(fault: Fault) -> Reply:
    injected = {"error": {"message": f"injected {fault.status}", "type": "injected"}}
    return json_reply(fault.status or 200, injected if fault.body is None else fault.body, fault.retry_after)


def completion(turn: Turn, number: int) -> dict[str, Any]:
    calls = [
        {
            "id": f"call_{number}_{index}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for index, (name, given) in enumerate(turn.calls)
    ]
    finish = turn.finish or ("tool_calls" if calls else "stop")
    return chat_answer(f"chatcmpl-{number}", turn.text, calls, turn.reasoning, finish)


def settings(provider: Provider, **more: Any) -> ModelSettings:
    return ModelSettings(OpenAIChat.agent, base_url=provider.url, model_args={"api_key": KEY}, **more)
