"""Failed requests and refused answers of providers, as a `ModelFailure` with one line for the user.

The exceptions of some ten client libraries agree on little but an HTTP status. Some errors are not even exceptions:
Inspect returns an overlong prompt, a content filter or an error in a response body as if the model had said it. Such
an output raises `Refusal`, so that a record never holds a provider's words as the model's. What the model itself said
counts, even cut off at its length limit.
"""

import re
from collections.abc import Mapping
from json import JSONDecodeError
from typing import Any

from inspect_ai.model import ChatCompletionChoice, Model, ModelOutput, ModelUsage, RetryDecision
from tenacity import RetryError

from ecbench.harness.connection_errors import connection_problem, error_chain, is_page
from ecbench.harness.doctor.remedies import refused_tools
from ecbench.harness.doctor.window_fit import stated_limit
from ecbench.harness.inspect_internals import provider_client, uses_responses_api
from ecbench.harness.messages import FailureKind, ModelFailure
from ecbench.harness.overflow import CAUSE
from ecbench.redaction import redacted

TOO_MANY_REQUESTS = 429
SERVER_ERROR = 500
REJECTED = (400, 413, 422)  # for what a request says, which no repetition changes
LONGEST_LINE = 200  # characters of a provider's message
LONGEST_REASON = 600  # of a whole line, with the advice behind such a message

_PREFIX = re.compile(r"^Error code: \d+ - ")  # of OpenAI's and Anthropic's clients
_SHOWN_ERROR = re.compile(r"""^\w+\((['"])(.*)\1,?\)$""")  # an exception as Python shows it
_OVERFLOW = re.compile(
    r"(?:context|prompt|input)\b.*(?:exceed|too long|maximum|larger|limit)|exceed.*context", re.IGNORECASE
)
_WRONG_KEY = re.compile("API_KEY_INVALID")  # Google's name for it, under HTTP status 400
_NO_CONNECTION = re.compile(r"connect|resolve|unreachable|protocolerror|incomplete", re.IGNORECASE)
_TIMEOUT = re.compile(r"time.?d? ?out", re.IGNORECASE)
_NO_PROVIDER = re.compile(r"non-ChatCompletion", re.IGNORECASE)  # a page or a word in place of a JSON answer
_TRANSIENT = re.compile(r"rate.?limit|overload|unavailable|internal|server.?error|time.?out|capacity|busy", re.I)
# Google's stop reasons for which Inspect replaces or drops the model's own words.
_ABANDONED = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "OTHER", "LANGUAGE")


Classified = tuple[str, FailureKind, str]
"""The reason in one line, whether a retry may help, and the cause in a few words."""


class Refusal(Exception):
    """The provider answered in the model's place."""

    def __init__(self, reason: str, kind: FailureKind, *, cause: str, usage: ModelUsage | None = None) -> None:
        super().__init__(reason)
        self.kind: FailureKind = kind
        self.cause = cause
        self.usage = usage


def model_failure(error: Exception, model: Model) -> ModelFailure:
    """The failure behind an exception of Inspect's; one that Inspect would retry is never final."""
    transient = isinstance(error, RetryError)
    while isinstance(error, RetryError):
        last = error.last_attempt.exception()
        if not isinstance(last, Exception):
            break
        error = last
    refusal = next((each for each in error_chain(error) if isinstance(each, Refusal)), None)  # a client may wrap it
    if refusal is not None:
        return ModelFailure(f"{model}: {one_line(str(refusal), LONGEST_REASON)}", refusal.kind, cause=refusal.cause)
    reason, kind, cause = _classify(error, model, transient)
    decision = model.api.should_retry(error)
    asked = decision.retry_after if isinstance(decision, RetryDecision) else None
    return ModelFailure(f"{model}: {reason}", kind, cause=cause, retry_after=asked or 0.0)


def _classify(error: Exception, model: Model, transient: bool) -> Classified:
    message = _message_of(error) or type(error).__name__
    status = _status(error)
    if status in (401, 403) or _WRONG_KEY.search(str(error)):
        keys = " or ".join(model.api.api_key_vars) or "the provider's key"
        reason = f"the key was refused (HTTP {status}); set {keys} to a valid one"
        return reason, "final", f"HTTP {status}"
    if status is not None:
        return _by_status(status, message, model, transient)
    named = f"{type(error).__name__} {message}"
    if _TIMEOUT.search(named):
        return f"the provider did not answer in time ({message})", "busy", "no answer in time"
    if _NO_CONNECTION.search(named):
        where = model.api.base_url or "the provider"
        return connection_problem(error, where, message), "unreachable", "no connection"
    if _NO_PROVIDER.search(named):
        what = "a web page in place of a model's answer" if is_page(message) else message
        return f"{what}; check the base URL", "unreachable", "unreadable answer"
    return message, "busy" if transient else "final", type(error).__name__


def _by_status(status: int, message: str, model: Model, transient: bool) -> Classified:
    cause = f"HTTP {status}"
    remedy = refused_tools(message)
    if remedy:
        return f"the server takes no tools ({cause}: {message}); {remedy}", "final", cause
    if status < SERVER_ERROR and _OVERFLOW.search(message):
        return str(overflow := _overflow(message)), overflow.kind, overflow.cause
    if status in (404, 405):
        reason = f"no such model or address ({cause}: {message}); check the model's name and the base URL"
        return reason + _protocol_hint(model), "final", cause
    kind: FailureKind = "busy" if transient or status >= SERVER_ERROR else "final"
    if kind == "final" and status in REJECTED:
        reason = f"the provider rejects the request ({cause}: {message}); resume would send the same request again"
        return f"{reason}: change the server or the options, or fork the run with another model", kind, cause
    return f"the provider failed ({cause}: {message})", kind, cause


def _protocol_hint(model: Model) -> str:
    """Names of OpenAI's newer models select the Responses API, which most other servers do not have."""
    address = str(getattr(provider_client(model.api), "base_url", ""))
    if not uses_responses_api(model.api) or not address or "api.openai.com" in address:
        return ""
    _, _, name = str(model).rpartition("/")
    return (
        f"; {model} is asked through OpenAI's Responses API: for a server that has chat completions only, name it "
        f"openai-api/SERVICE/{name} or add -M responses_api=false"
    )


def _message_of(error: BaseException | None) -> str:
    """The server's own words, from the body of its response where the client keeps it; never a Python value."""
    text = _plain(one_line(str(error)))
    while error is not None:
        for body in (vars(error).get("body"), vars(error).get("details")):  # Google's client calls it details
            if words := _words(body):
                return one_line(words)
        error = error.__cause__
    return text


def _words(body: object) -> str:
    match body:
        case {"error": found} if found:
            return _words(found)
        case {"message": str(words)} | {"detail": str(words)} | {"error": str(words)}:
            return words
        case str(words):
            return words
    return ""


def _plain(line: str) -> str:
    """A line without the class and the prefix that Inspect and clients put around a server's words."""
    if shown := _SHOWN_ERROR.match(line):
        line = shown[2]
    return _PREFIX.sub("", line)


def _status(error: BaseException | None) -> int | None:
    while error is not None:
        for value in (vars(error).get("status_code"), vars(error).get("code")):
            if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()):
                return int(value)
        error = error.__cause__
    return None


def setup_problem(error: Exception) -> str:
    """Why a model could not be set up; Inspect writes some of its messages in Rich's markup."""
    return one_line(re.sub(r"\[/?[a-z ]+\]", "", str(getattr(error, "message", error)))).removeprefix("ERROR: ")


def one_line(text: str, longest: int = LONGEST_LINE) -> str:
    """A message without line breaks and secrets; Inspect puts the whole request in front of some errors."""
    message = text.rsplit("\n", 1)[-1] if text.startswith("\nRequest:\n") else text
    line = redacted(" ".join(message.split()))  # before it is cut, as a cut key is not found
    return line if len(line) <= longest else f"{line[:longest]}..."


def find_refusal(output: ModelOutput, response: Mapping[str, Any]) -> Refusal | None:
    """Why this output is not the model's answer, if it is not; `response` is the provider's JSON."""
    if not output.choices or _without_candidates(response):
        return Refusal("the provider sent a response without an answer", "busy", cause="no answer in the response")
    choice = output.choices[0]
    message, stop, usage = choice.message, choice.stop_reason, output.usage
    empty = not message.content and not message.tool_calls
    finish = _finish(response)
    if stop == "model_length" or (empty and finish == "model_context_window_exceeded"):
        return _overflow(output.error or message.text or finish)
    if stop == "content_filter":
        why = _explanation(choice) or finish or message.text or "no reason given"
        return Refusal(f"the provider's filter stopped the answer ({why})", "refused", cause="filter", usage=usage)
    if stop == "unknown" and finish in _ABANDONED:
        return Refusal(f"the provider gave the answer up ({finish})", "refused", cause=finish, usage=usage)
    if stop == "unknown" and empty:
        return Refusal("the provider sent an empty answer", "busy", cause="empty answer", usage=usage)
    return None


def _overflow(why: str) -> Refusal:
    """The limit that the server names is the true one, whatever its list of models says."""
    limit = stated_limit(why)
    size = f" of {limit:,} tokens" if limit else ""
    reason = f"the conversation does not fit the model's window{size} ({_plain(one_line(why))})"
    return Refusal(f"{reason}; serve the model with a larger window", "final", cause=CAUSE)


def unreadable_response(error: Exception, response: Mapping[str, Any]) -> Refusal:
    """For a response on which Inspect's parser failed: the error that its body holds, or the parser's own."""
    if isinstance(error, JSONDecodeError) and error.doc.lstrip().startswith(("{", "[")):
        reason = "the provider's answer could not be read (its JSON broke off); see the server's log"
    else:
        why = "it is no JSON" if isinstance(error, JSONDecodeError) else "it is not in the form of its protocol"
        reason = f"the provider's answer could not be read ({why}); check the base URL"
    return _body_error(response) or Refusal(reason, "unreachable", cause="unreadable answer")


def _body_error(response: Mapping[str, Any]) -> Refusal | None:
    """The error in a body that came with HTTP status 200."""
    if not response.get("error"):
        return None
    match response["error"]:
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
    return Refusal(reason, "busy" if transient else "final", cause=cause)


def _without_candidates(response: Mapping[str, Any]) -> bool:
    """Google's form of no answer, for which Inspect inserts its own words."""
    return "sdkHttpResponse" in response and not response.get("candidates") and "promptFeedback" not in response


def _finish(response: Mapping[str, Any]) -> str:
    """The provider's own stop reason, which is more precise than Inspect's."""
    match response:
        case {"candidates": [{"finishReason": str(finish)}, *_]} | {"stop_reason": str(finish)}:
            return finish
    return ""


def _explanation(choice: ChatCompletionChoice) -> str:
    details = choice.stop_details
    return (details.explanation or details.type or "") if details else ""
