"""What is taken of a provider's response: at most 16 MiB, uncompressed, counts that are numbers, calls with an id.

A response hook of the provider's HTTP client (httpx, or the fork of it that some clients use) puts `limit_response` in
front of the client's own reading.
"""

import json
from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any

from ecbench.harness.provider_errors import Refusal

LARGEST_RESPONSE = 16 << 20  # bytes; the longest answer of a model has about two million
UNCOMPRESSED = {"accept-encoding": "identity"}  # a small compressed response may hold gigabytes
_USAGE = ("usage", "usageMetadata")
_NO_TOKENS = {
    "usage": dict.fromkeys(("input_tokens", "output_tokens", "prompt_tokens", "completion_tokens", "total_tokens"), 0),
    "usageMetadata": {},
}


def add_response_limits(client: Any) -> None:
    """Limit the responses of an asynchronous HTTP client, if there is one."""
    if client is None:
        return
    client.headers.update(UNCOMPRESSED)
    client.event_hooks["response"].append(limit_response)


async def limit_response(response: Any) -> None:
    """Raises Refusal where the response is compressed; one that is too large fails while it is read."""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise Refusal("the server sent a compressed answer, which it was not asked for", "refused", cause="compressed")
    streams: Any = import_module(type(response).__module__.partition(".")[0]).AsyncByteStream
    by_line = response.headers.get("content-type", "").startswith("text/event-stream")

    class Limited(streams):  # type: ignore[misc]
        """The bytes of a response, until there are too many."""

        def __init__(self, given: Any) -> None:
            self._given = given

        def __aiter__(self) -> AsyncIterator[bytes]:
            return _limited(self._given, by_line=by_line)

        async def aclose(self) -> None:
            await self._given.aclose()

    response.stream = Limited(response.stream)


async def _limited(parts: Any, *, by_line: bool) -> AsyncIterator[bytes]:
    """The response in whole lines, or as a whole."""
    size, held = 0, bytearray()
    async for part in parts:
        size += len(part)
        if size > LARGEST_RESPONSE:
            raise Refusal(
                f"the answer has more than {LARGEST_RESPONSE:,} bytes; is this the server of a model?",
                "refused",
                cause="too large",
            )
        held += part
        if by_line and b"\n" in part:
            *lines, rest = bytes(held).split(b"\n")
            held = bytearray(rest)
            for line in lines:
                yield _mended(line) + b"\n"
    yield _mended(bytes(held))


def _mended(line: bytes) -> bytes:
    """A body, or a line of a stream of events: usage that is not a number counts as none, and each call has an id."""
    if b'"usage' not in line and b'"tool_calls"' not in line:
        return line
    start = line.find(b"{")
    try:
        body = json.loads(line[start:])
    except (ValueError, RecursionError):
        return line
    if not isinstance(body, dict):
        return line
    holders = [each for each in (body, body.get("message"), body.get("response")) if isinstance(each, dict)]
    wrong = [(each, name) for each in holders for name in _USAGE if each.get(name) is not None and _wrong(each[name])]
    for each, name in wrong:
        each[name] = _NO_TOKENS[name]
    nameless = _calls_without_id(body)
    for number, call in enumerate(nameless):
        call["id"] = f"call_{number}"
    return line[:start] + json.dumps(body).encode() if wrong or nameless else line


def _calls_without_id(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Of an answer in the form of OpenAI's chat completions, for which some small servers leave ids out."""
    match body:
        case {"choices": [{"message": {"tool_calls": [*calls]}}, *_]}:
            return [call for call in calls if isinstance(call, dict) and not call.get("id")]
    return []


def _wrong(usage: Any) -> bool:
    """Whether a count of tokens is something else than a whole number. A detail may be null."""
    if not isinstance(usage, dict):
        return True
    for name, value in usage.items():
        if isinstance(value, dict):
            if _wrong({key: each for key, each in value.items() if each is not None}):
                return True
        elif "token" in name.lower() and not isinstance(value, list) and not _is_count(value, name):
            return True
    return False


def _is_count(value: Any, name: str) -> bool:
    if value is None:
        return "cache" in name or "reasoning" in name
    return value.is_integer() if isinstance(value, float) else isinstance(value, int) and not isinstance(value, bool)
