"""What is taken of a provider's response: at most 16 MiB, uncompressed, counts that are numbers, calls with an id.

A response hook of the HTTP client reads the whole response before the provider's own client does: nobody reads an
answer while it is written. A lone surrogate, which JSON can carry and a request cannot, becomes a question mark, since
it would break every later request.
"""

import json
from typing import Any, cast

from httpx2 import AsyncByteStream, AsyncClient, ByteStream, Response

from ecbench.gate import whole_json
from ecbench.harness.messages import ModelFailure

LARGEST_RESPONSE = 16 << 20  # bytes; the longest answer of a model has about two million
UNCOMPRESSED = {"accept-encoding": "identity"}  # a small compressed response may hold gigabytes
UNAVAILABLE = 503  # the status of an error in a successful response that states none
_USAGE = ("usage", "usageMetadata")


def add_response_limits(client: AsyncClient) -> None:
    """Limit the responses of an HTTP client."""
    client.headers.update(UNCOMPRESSED)
    client.event_hooks["response"].append(_limit_response)


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
    by_line = response.headers.get("content-type", "").startswith("text/event-stream")
    read = [_read(part) for part in (body.split(b"\n") if by_line else [body])]
    if response.is_success and not by_line and (error := read[0][1].get("error")):
        response.status_code = _stated_status(error)  # so that the provider's client sees the failure that it is
    response.stream = ByteStream(b"\n".join(part for part, _ in read))


def _stated_status(error: Any) -> int:
    """The HTTP status of an error in the body of a successful response; without one, another attempt may help."""
    code = str(error.get("code")) if isinstance(error, dict) else ""
    return int(code) if code.isdecimal() and int(code) in range(400, 600) else UNAVAILABLE


def _read(part: bytes | bytearray) -> tuple[bytes | bytearray, dict[str, Any]]:
    """A body, or a line of a stream, with what is wrong in it mended, and its JSON object, if it has one."""
    start = part.find(b"{")
    try:
        found = json.loads(part[start:])
    except (ValueError, RecursionError):
        return part, {}  # the provider's client says so
    if not isinstance(found, dict):
        return part, {}
    mended = whole_json(_with_ids(found)) | _counted(found)
    if isinstance(found.get("message"), dict):  # of Anthropic's streams
        mended["message"] |= _counted(found["message"])
    return (part, found) if mended == found else (part[:start] + json.dumps(mended).encode(), mended)


def _with_ids(body: dict[str, Any]) -> dict[str, Any]:
    """An answer in the form of OpenAI's chat completions, for which some small servers leave the ids of calls out."""
    match body:
        case {"choices": [{"message": {"tool_calls": [*calls]} as message} as choice, *others]}:
            given = [
                {**call, "id": call.get("id") or f"call_{number}"} if isinstance(call, dict) else call
                for number, call in enumerate(calls)
            ]
            return body | {"choices": [choice | {"message": message | {"tool_calls": given}}, *others]}
    return body


def _counted(body: dict[str, Any]) -> dict[str, Any]:
    """The usage that a body reports, with 0 for each count of tokens that is not a whole number."""
    return {name: _counts(body[name]) for name in _USAGE if isinstance(body.get(name), dict)}


def _counts(usage: dict[str, Any]) -> dict[str, Any]:
    return {
        name: _counts(value) if isinstance(value, dict) else value if _is_count(name, value) else 0
        for name, value in usage.items()
    }


def _is_count(name: str, value: Any) -> bool:
    """A field of another name is no count, and the details of one may be null or a list."""
    if "token" not in name.lower() or isinstance(value, list):
        return True
    if value is None:
        return name.lower().endswith("details")
    return value.is_integer() if isinstance(value, float) else isinstance(value, int) and not isinstance(value, bool)
