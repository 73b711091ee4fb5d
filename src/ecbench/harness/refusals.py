"""Answers that are the provider's and not the model's.

Inspect hands some of a provider's errors on as if the model had said them: a prompt that is too long, a filter that
stepped in, an error in the body of a successful response. None of that may stand in a record as the model's words or
count as a turn without a call. What the model did say counts as it stands, even cut off at its length limit.
"""

import re
from collections.abc import Mapping
from typing import Any

from inspect_ai.model import ChatCompletionChoice, ModelOutput, ModelUsage

from ecbench.harness.messages import FailureKind

TOO_MANY_REQUESTS = 429
SERVER_ERROR = 500

# Ends of Google's in whose place Inspect puts words of its own, or nothing; the model's are lost.
_GIVEN_UP = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "OTHER", "LANGUAGE")
_PASSING = re.compile(r"rate.?limit|overload|unavailable|internal|server.?error|time.?out|capacity|busy", re.IGNORECASE)


class Refusal(Exception):
    """The provider answered in the model's place."""

    def __init__(self, reason: str, kind: FailureKind, *, cause: str, usage: ModelUsage | None = None) -> None:
        super().__init__(reason)
        self.kind: FailureKind = kind
        self.cause = cause
        self.usage = usage


def refusal(output: ModelOutput, response: Mapping[str, Any]) -> Refusal | None:
    """Why this output is no answer of the model's; `response` is what the provider sent with it."""
    if not output.choices or _without_candidates(response):
        return Refusal("the provider sent a response without an answer", "busy", cause="no answer in the response")
    choice = output.choices[0]
    message, stop, usage = choice.message, choice.stop_reason, output.usage
    silent = not message.content and not message.tool_calls
    finish = _finish(response)
    if stop == "model_length" or (silent and finish == "model_context_window_exceeded"):
        told = output.error or message.text or finish
        advice = "serve the model with a larger window, or run it with a smaller --window"
        return Refusal(f"the conversation does not fit the model's window ({told}); {advice}", "final", cause="window")
    if stop == "content_filter":
        told = _explanation(choice) or finish or message.text or "no reason given"
        return Refusal(f"the provider's filter stopped the answer ({told})", "refused", cause="filter", usage=usage)
    if stop == "unknown" and finish in _GIVEN_UP:
        return Refusal(f"the provider gave the answer up ({finish})", "refused", cause=finish, usage=usage)
    if stop == "unknown" and silent:
        return Refusal("the provider sent an empty answer", "busy", cause="empty answer", usage=usage)
    return None


def body_error(response: Mapping[str, Any]) -> Refusal | None:
    """The error in a body that came with HTTP status 200."""
    if not response.get("error"):
        return None
    match response["error"]:
        case {"message": message, **rest}:
            told, code, names = str(message), rest.get("code"), f"{rest.get('type')} {rest.get('code')}"
        case error:
            told, code, names = str(error), None, ""
    if str(code).isdecimal():
        passing = int(str(code)) == TOO_MANY_REQUESTS or int(str(code)) >= SERVER_ERROR
    else:
        passing = bool(_PASSING.search(f"{names} {told}"))
    cause = f"error {code} in the response" if code else "error in the response"
    reason = f"the provider sent an error in place of an answer ({told})"
    return Refusal(reason, "busy" if passing else "final", cause=cause)


def _without_candidates(response: Mapping[str, Any]) -> bool:
    """Google's form of no answer, for which Inspect puts words of its own."""
    return "sdkHttpResponse" in response and not response.get("candidates") and "promptFeedback" not in response


def _finish(response: Mapping[str, Any]) -> str:
    """How the provider says that the answer ended, where Inspect's stop reasons are too few to tell."""
    match response:
        case {"candidates": [{"finishReason": str(finish)}, *_]} | {"stop_reason": str(finish)}:
            return finish
    return ""


def _explanation(choice: ChatCompletionChoice) -> str:
    details = choice.stop_details
    return (details.explanation or details.type or "") if details else ""
