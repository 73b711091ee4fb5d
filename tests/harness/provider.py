"""A small OpenAI-compatible server on loopback, whose model is a function of the request."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.harness.servers.conversation import KEY, Refused, Use
from tests.harness.servers.listening import Exchange, Reply, json_reply, listen
from tests.harness.servers.openai_chat import CODES, MODEL, OpenAIChat, admit, call_form, chat_answer, error

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
    read: int = 1_000  # tokens, of them from the cache:
    cached: int = 400
    cut: bool = False  # the connection ends in the middle


@dataclass(frozen=True)
class Fault:
    """What a bad day looks like: an HTTP status, a body, a dropped connection, or an answer that comes too late."""

    status: int = 0
    drop: bool = False
    delay: float = 0.0
    body: dict[str, Any] | bytes | None = None
    retry_after: int = 0


FIGURE = re.compile(r"\d[\d,]*\.?\d*")
Script = Callable[[dict[str, Any]], Turn | Fault]
"""What the model answers to a request."""


@dataclass
class Provider:
    """The server's address and everything it was asked."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    answered: int = 0
    waited_together: int = 0


@contextmanager
def serve(script: Script, pages: Mapping[str, Any] = {}, together: int = 0) -> Iterator[Provider]:
    """Serve the script until the block ends; requests are answered in the order in which they arrive.

    `pages` are what else the server has, such as its list of models. The first `together` requests get no answer before
    all of them are waiting for one.
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
            page = (pages or {}).get(exchange.path)
            exchange.send(json_reply(200, page) if page else json_reply(404, {"error": "no such page"}))
            return
        request = exchange.asked()
        try:
            admit("/v1/chat/completions", MODEL, exchange.path, exchange.lower_headers(), request)
        except Refused as refused:
            exchange.send(json_reply(refused.status, error(str(refused), CODES.get(refused.status))))
            return
        said, number = hear(request)
        if isinstance(said, Turn):
            exchange.send(json_reply(200, completion(said, number)), cut=said.cut)
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


def listed(**entry: Any) -> dict[str, Any]:
    """The list of models, with what a server tells in it of the one that it serves."""
    return {"/v1/models": {"object": "list", "data": [{"id": MODEL, "object": "model", **entry}]}}


def failure(fault: Fault) -> Reply:
    injected = {"error": {"message": f"injected {fault.status}", "type": "injected"}}
    if isinstance(fault.body, bytes):
        return Reply(200, fault.body, "text/html" if fault.body.startswith(b"<") else "application/json")
    return json_reply(fault.status or 200, injected if fault.body is None else fault.body, fault.retry_after)


def completion(turn: Turn, number: int) -> dict[str, Any]:
    calls = [call_form(Use(*call), f"{number}_{index}") for index, call in enumerate(turn.calls)]
    finish = turn.finish or ("tool_calls" if calls else "stop")
    answer = chat_answer(f"chatcmpl-{number}", turn.text, calls, turn.reasoning, finish)
    answer["usage"]["prompt_tokens"] = turn.read
    answer["usage"]["prompt_tokens_details"]["cached_tokens"] = turn.cached
    return answer


def settings(provider: Provider, **more: Any) -> ModelSettings:
    return ModelSettings(OpenAIChat.agent, base_url=provider.url, model_args={"api_key": KEY}, **more)
