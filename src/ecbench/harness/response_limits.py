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
_NO_TOKENS: dict[str, dict[str, int]] = {  # by the name of the usage, in the forms that clients accept
    "usage": dict.fromkeys(("input_tokens", "output_tokens", "prompt_tokens", "completion_tokens", "total_tokens"), 0),
    "usageMetadata": {},
}


class ErrorInAnswer(Exception):
    """A successful response has an error in place of an answer."""

    def __init__(self, error: Any) -> None:
        super().__init__("the provider sent an error in place of an answer")
        self.error = error


def add_response_limits(client: AsyncClient) -> None:
    """Limit the responses of an HTTP client."""
    client.headers.update(UNCOMPRESSED)
    client.event_hooks["response"].append(_limit_response)


async def _limit_response(response: Response) -> None:
    """Raises ModelFailure if the response is compressed, too large or without an answer, and ErrorInAnswer."""
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
    if response.is_success and not by_line:
        _refuse_no_answer(read[0][1])
    response.stream = ByteStream(b"\n".join(part for part, _ in read))


def _refuse_no_answer(body: dict[str, Any]) -> None:
    if error := body.get("error"):
        raise ErrorInAnswer(error)
    if body.get("choices") == []:
        reason = "the provider sent a response without an answer"
        raise ModelFailure(reason, "busy", cause="no answer in the response")


def _read(part: bytes | bytearray) -> tuple[bytes | bytearray, dict[str, Any]]:
    """A body, or a line of a stream, with what is wrong in it mended, and its JSON object, if it has one."""
    start = part.find(b"{")
    try:
        found = json.loads(part[start:])
    except (ValueError, RecursionError):
        return part, {}  # the provider's client says so
    if not isinstance(found, dict):
        return part, {}
    try:
        mended = whole_json(_with_ids(found)) | _counted(found)
        if isinstance(found.get("message"), dict):  # of Anthropic's streams
            mended["message"] |= _counted(found["message"])
        return (part, found) if mended == found else (part[:start] + json.dumps(mended).encode(), mended)
    except RecursionError:
        return part, {}  # nested too deep to mend; the provider's client may still find the answer


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
    reported = {name: body[name] for name in _NO_TOKENS if body.get(name) is not None}
    return {name: _counts(usage) if isinstance(usage, dict) else _NO_TOKENS[name] for name, usage in reported.items()}


def _counts(usage: dict[str, Any]) -> dict[str, Any]:
    return {
        name: _counts(value) if isinstance(value, dict) else _count(name, value) if "token" in name.lower() else value
        for name, value in usage.items()
    }


def _count(name: str, value: Any) -> Any:
    """A count of tokens, or what stands in place of the details of one, in a form that the clients accept."""
    if name.lower().endswith("details"):
        return value if isinstance(value, list) and not name.endswith("_details") else None  # Google's are lists
    whole = value.is_integer() if isinstance(value, float) else isinstance(value, int) and not isinstance(value, bool)
    return value if whole else 0
