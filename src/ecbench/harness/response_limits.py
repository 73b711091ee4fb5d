"""What is taken of a provider's response: at most 16 MiB, uncompressed, counts that are numbers, calls with an id.

A hook reads the whole response before the provider's own client does. A lone surrogate becomes a question mark, since
it would break every later request. An error under a successful status gets the status of an error.
"""

import json
import re
from typing import Any, cast

from httpx2 import AsyncByteStream, AsyncClient, ByteStream, Limits, Response, Timeout

from ecbench.gate import whole_json
from ecbench.harness.messages import ModelFailure

CONNECT_SECONDS = 20.0
CONNECTIONS = 1_000
LARGEST_RESPONSE = 16 << 20  # bytes; the longest answer of a model has about two million
UNCOMPRESSED = {"accept-encoding": "identity"}  # a small compressed response may hold gigabytes
NO_TOKENS: dict[str, dict[str, int]] = {  # by the name of the usage, in the forms that clients accept
    "usage": dict.fromkeys(("input_tokens", "output_tokens", "prompt_tokens", "completion_tokens", "total_tokens"), 0),
    "usageMetadata": {},
}
ERROR_STATUSES = range(400, 600)
BAD_REQUEST, UNAVAILABLE = 400, 503
NO_ANSWER = {"message": "there is no answer in it", "code": UNAVAILABLE}

_TRANSIENT = re.compile(r"rate.?limit|overload|unavailable|internal|server.?error|time.?out|capacity|busy", re.I)


def http_client(seconds: float) -> AsyncClient:
    """The HTTP client of a model, which limits what is read of a response."""
    return AsyncClient(
        timeout=Timeout(seconds, connect=CONNECT_SECONDS),
        limits=Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS),
        headers=UNCOMPRESSED,
        event_hooks={"response": [_limit_response]},
        follow_redirects=True,
    )


async def _limit_response(response: Response) -> None:
    """Raises ModelFailure if the response is compressed or too large."""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise ModelFailure(
            "the server sent a compressed answer, which it was not asked for", "refused", cause="compressed"
        )
    body, stream = bytearray(), cast(AsyncByteStream, response.stream)
    async for part in stream:
        body += part
        if len(body) > LARGEST_RESPONSE:
            reason = f"the answer has more than {LARGEST_RESPONSE:,} bytes; is this the server of a model?"
            raise ModelFailure(reason, "refused", cause="too large")
    await stream.aclose()  # the connection is free for the next request
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        sent = b"\n".join(_mended(line, line.find(b"{")) for line in body.split(b"\n"))
    else:
        sent = _mended(body, 0, response if response.is_success else None)
    response.stream = ByteStream(sent)


def _mended(part: bytearray, start: int, whole: Response | None = None) -> bytes:
    """The `whole` body, or a line of a stream, whose JSON object begins at `start`, with what is wrong in it mended."""
    try:
        found = json.loads(part[start:])
        mended = whole_json(found)
    except (ValueError, RecursionError):
        return bytes(part)  # the provider's client says so
    if not isinstance(mended, dict):
        return bytes(part)
    if whole is not None:
        if error := mended.get("error") or (NO_ANSWER if mended.get("choices") == [] else None):
            whole.status_code, mended = _status_of(error), {"error": error}
        _add_ids(mended)
    for holder in (mended, mended.get("message")):  # the latter in Anthropic's streams
        if isinstance(holder, dict):
            bad = [name for name in NO_TOKENS if holder.get(name) is not None and not _is_counted(holder[name])]
            holder |= {name: NO_TOKENS[name] for name in bad}
    return bytes(part) if mended == found else bytes(part[:start]) + json.dumps(mended).encode()


def _status_of(error: Any) -> int:
    """The code of an error in a successful response; without one it is final unless it looks transient."""
    code = str(error.get("code")) if isinstance(error, dict) else ""
    if code.isdecimal() and int(code) in ERROR_STATUSES:
        return int(code)
    return UNAVAILABLE if _TRANSIENT.search(f"{error}") else BAD_REQUEST


def _add_ids(body: dict[str, Any]) -> None:
    """Some small servers with OpenAI's chat completions leave the ids of calls out."""
    match body:
        case {"choices": [{"message": {"tool_calls": [*calls]}}, *_]}:
            for number, call in enumerate(calls):
                if isinstance(call, dict):
                    call["id"] = call.get("id") or f"call_{number}"


def _is_counted(usage: Any) -> bool:
    """Whether a usage is an object whose counts of tokens, and those of their details, are numbers."""
    if not isinstance(usage, dict):
        return False
    for name, value in usage.items():
        if "token" not in name.lower():
            continue
        if name.lower().endswith("details"):
            good = value is None or isinstance(value, list) or _is_counted(value)
        else:
            good = type(value) in (int, float)
        if not good:
            return False
    return True
