"""Failed requests and refused answers of providers, as a `ModelFailure` with one line for the user."""

import re
from collections.abc import Iterator
from typing import Any

from httpx2 import HTTPError
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelTimeoutError,
    UnexpectedModelBehavior,
)
from pydantic_ai.messages import ModelResponse

from ecbench.harness.context import OVERFLOW, stated_limit
from ecbench.harness.messages import ModelFailure
from ecbench.harness.providers import key_variable
from ecbench.harness.servers import refused_tools
from ecbench.redaction import redacted

NO_TOOLS = "no tools"  # the cause of a failure
PASSING = (408, 409, 429)  # beside the failures of a server
SERVER_ERROR = 500
LONGEST_LINE = 200  # characters of a provider's message
LONGEST_REASON = 600  # of a whole line, with the advice behind such a message

_PREFIX = re.compile(r"^Error code: \d+ - |^\[Errno -?\d+\] ")  # of the clients, and of the system
_OVERFLOW = re.compile(
    r"(?:context|prompt|input)\b.*(?:exceed|too long|maximum|larger|limit)|exceed.*context|maximum context",
    re.IGNORECASE,
)
_ABANDONED = ("OTHER", "TOO_MANY_TOOL_CALLS")  # Google's names for it


def model_failure(error: Exception, name: str, address: str) -> ModelFailure:
    """The failure behind an exception of a model's client, which may wrap one of ours, with the model's name."""
    own = next((each for each in _chain(error) if isinstance(each, ModelFailure)), None)
    if own is not None:
        return own.reworded(f"{name}: {one_line(str(own), LONGEST_REASON)}")
    found = _classify(error, name, address)
    found.retry_after = (error.retry_after if isinstance(error, ModelAPIError) else None) or 0.0
    return found.reworded(f"{name}: {found}")


def _classify(error: Exception, name: str, address: str) -> ModelFailure:
    message = _message_of(error) or type(error).__name__
    if isinstance(error, ModelHTTPError):
        return _by_status(error, message, name)
    if isinstance(error, ModelTimeoutError):
        return ModelFailure(f"the provider did not answer in time ({message})", "busy", cause="no answer in time")
    if isinstance(error, ModelConnectionError) or any(isinstance(each, OSError) for each in _chain(error)):
        words = next((str(each) for each in _chain(error) if isinstance(each, HTTPError)), message)
        reason = f"no connection to {address} ({_PREFIX.sub('', words)}); check that the server runs, the network and "
        return ModelFailure(f"{reason}the base URL (http or https)", "unreachable", cause="no connection")
    if isinstance(error, ModelAPIError | UnexpectedModelBehavior):
        return _unreadable(error)
    return ModelFailure(message, cause=type(error).__name__)


def _by_status(error: ModelHTTPError, message: str, name: str) -> ModelFailure:
    status = error.status_code
    cause = f"HTTP {status}"
    if isinstance(error, ModelAuthenticationError):
        reason = f"the key was refused ({cause}); set {key_variable(name)} to a valid one"
        return ModelFailure(reason, cause=cause)
    if remedy := refused_tools(message):
        reason = f"the server takes no tools ({cause}: {message}); {remedy}, or add -M calls=text"
        return ModelFailure(reason, cause=NO_TOOLS)
    overflown = isinstance(error, ModelContextWindowExceededError)
    if overflown or (status < SERVER_ERROR and _OVERFLOW.search(message)):
        return _overflow(message)
    if status in (404, 405):
        reason = f"no such model or address ({cause}: {message}); check the model's name and the base URL"
        return ModelFailure(reason, cause=cause)
    used_up = isinstance(error, ModelQuotaExceededError)
    if used_up or status >= SERVER_ERROR or isinstance(error, ModelRateLimitError) or status in PASSING:
        return ModelFailure(f"the provider failed ({cause}: {message})", "final" if used_up else "busy", cause=cause)
    reason = f"the provider rejects the request ({cause}: {message}); resume would send the same request again"
    return ModelFailure(f"{reason}: change the server or the options, or fork the run with another model", cause=cause)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and those that it was raised from."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _unreadable(error: Exception) -> ModelFailure:
    """For a successful response that is no answer of the protocol."""
    document = next((str(doc) for each in _chain(error) if (doc := getattr(each, "doc", None))), "")
    if document.lstrip().startswith(("{", "[")):
        why = "its JSON broke off); see the server's log"
    else:
        why = f"{'it is no JSON' if document else 'it is not in the form of its protocol'}); check the base URL"
    return ModelFailure(f"the provider's answer could not be read ({why}", "unreachable", cause="unreadable answer")


def find_refusal(response: ModelResponse) -> ModelFailure | None:
    """Why this response is not the model's answer, if it is not."""
    details = response.provider_details or {}
    finish = str(details.get("finish_reason") or "")
    empty = not response.parts
    if finish == "model_context_window_exceeded" and empty:
        return _overflow(finish)
    if response.finish_reason == "content_filter":
        why = one_line(str(details.get("refusal") or details.get("block_reason") or finish or "no reason given"))
        return ModelFailure(f"the provider's filter stopped the answer ({why})", "refused", cause="filter")
    if response.finish_reason == "error" or finish in _ABANDONED:
        return ModelFailure(f"the provider gave the answer up ({finish})", "refused", cause=finish or "error")
    if empty and response.finish_reason is None:
        return ModelFailure("the provider sent an empty answer", "busy", cause="empty answer")
    return None


def _overflow(why: str) -> ModelFailure:
    """The limit that the server names is the true one, whatever its list of models says."""
    limit = stated_limit(why)
    size = f" of {limit:,} tokens" if limit else ""
    reason = f"the conversation does not fit the model's window{size} ({why})"
    return ModelFailure(f"{reason}; serve the model with a larger window", cause=OVERFLOW)


def _message_of(error: BaseException) -> str:
    """The server's own words, from the body of its response; never a Python value."""
    body = next((found for each in _chain(error) if (found := getattr(each, "body", None))), None)
    if body is not None:
        return one_line(_words(body)) or "no reason given"
    last = error if error.__cause__ is None or isinstance(error, UnexpectedModelBehavior) else error.__cause__
    return _PREFIX.sub("", one_line(str(last)))


def _words(body: Any) -> str:
    match body:
        case {"message": str(words)} | {"detail": str(words)} | str(words):
            return words
        case {"error": found}:
            return _words(found)
    return ""


def one_line(text: str, longest: int = LONGEST_LINE) -> str:
    """A message without line breaks and secrets."""
    line = redacted(" ".join(text.split()))  # before it is cut, as a cut key is not found
    return line if len(line) <= longest else f"{line[:longest]}..."
