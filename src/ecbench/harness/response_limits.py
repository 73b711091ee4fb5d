"""What is taken of a provider's response: at most 16 MiB, uncompressed, counts that are numbers, calls with an id.

A response hook of the HTTP client puts `limit_response` in front of the provider's own reading. A lone surrogate, which
JSON can carry and a request cannot, becomes a question mark, since it would break every later request.
"""

import json
import re
from collections.abc import AsyncIterator
from typing import Any

from httpx2 import AsyncByteStream, AsyncClient, Response

from ecbench.gate import whole_json
from ecbench.harness.messages import ModelFailure

TOO_MANY_REQUESTS = 429
SERVER_ERROR = 500
LARGEST_RESPONSE = 16 << 20  # bytes; the longest answer of a model has about two million
UNCOMPRESSED = {"accept-encoding": "identity"}  # a small compressed response may hold gigabytes
LONGEST_HEAD = 1_000  # bytes of a web page before its first tags
_PAGE = re.compile(rb"<(?:!doctype|html|head|body)\b", re.IGNORECASE)  # which some servers and proxies send for JSON
_TRANSIENT = re.compile(r"rate.?limit|overload|unavailable|internal|server.?error|time.?out|capacity|busy", re.I)
_USAGE = ("usage", "usageMetadata")
_NO_TOKENS = {
    "usage": dict.fromkeys(("input_tokens", "output_tokens", "prompt_tokens", "completion_tokens", "total_tokens"), 0),
    "usageMetadata": {},
}


def add_response_limits(client: AsyncClient) -> None:
    """Limit the responses of an HTTP client."""
    client.headers.update(UNCOMPRESSED)
    client.event_hooks["response"].append(_limit_response)


async def _limit_response(response: Response) -> None:
    """Raises ModelFailure if the response is compressed; one that is too large fails while it is read."""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise ModelFailure(
            "the server sent a compressed answer, which it was not asked for", "refused", cause="compressed"
        )
    by_line = response.headers.get("content-type", "").startswith("text/event-stream")
    response.stream = _Limited(response.stream, by_line=by_line, successful=response.is_success)


class _Limited(AsyncByteStream):
    """The bytes of a response as a whole, unless there are too many; nobody reads an answer while it is written."""

    def __init__(self, given: Any, *, by_line: bool, successful: bool) -> None:
        self._given, self._by_line, self._successful = given, by_line, successful

    async def __aiter__(self) -> AsyncIterator[bytes]:
        body = bytearray()
        async for part in self._given:
            body += part
            if len(body) > LARGEST_RESPONSE:
                reason = f"the answer has more than {LARGEST_RESPONSE:,} bytes; is this the server of a model?"
                raise ModelFailure(reason, "refused", cause="too large")
        if self._successful and not self._by_line:
            _refuse_other_bodies(bytes(body))
        yield b"\n".join(map(_mended, body.split(b"\n") if self._by_line else [body]))

    async def aclose(self) -> None:
        await self._given.aclose()


def _refuse_other_bodies(body: bytes) -> None:
    """Raise ModelFailure for a successful response that is a web page, tells of an error, or has no answer."""
    if _PAGE.search(body[:LONGEST_HEAD]):
        reason = "a web page in place of a model's answer; check the base URL"
        raise ModelFailure(reason, "unreachable", cause="unreadable answer")
    if b'"error"' not in body and b'"choices"' not in body:
        return
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return  # the provider's client says so
    if isinstance(found, dict) and found.get("error"):
        raise _body_error(found["error"])
    if isinstance(found, dict) and found.get("choices") == []:
        raise ModelFailure("the provider sent a response without an answer", "busy", cause="no answer in the response")


def _body_error(found: object) -> ModelFailure:
    """For an error in the body of a successful response."""
    match found:
        case {"message": message, **rest}:
            text, code, names = str(message), rest.get("code"), f"{rest.get('type')} {rest.get('code')}"
        case error:
            text, code, names = str(error), None, ""
    if str(code).isdecimal():
        transient = int(str(code)) == TOO_MANY_REQUESTS or int(str(code)) >= SERVER_ERROR
    else:
        transient = bool(_TRANSIENT.search(f"{names} {text}"))
    cause = f"error {code} in the response" if code else "error in the response"
    reason = f"the provider sent an error in place of an answer ({text})"
    return ModelFailure(reason, "busy" if transient else "final", cause=cause)


def _mended(line: bytes | bytearray) -> bytes | bytearray:
    """A body or a line of a stream: usage that is not a number counts as none, and each call has an id."""
    surrogates = b"\\ud" in line.lower()
    if not surrogates and b'"usage' not in line and b'"tool_calls"' not in line:
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
    if not (wrong or nameless or surrogates):
        return line
    return line[:start] + json.dumps(whole_json(body) if surrogates else body).encode()


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
