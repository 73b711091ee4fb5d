"""What went wrong with a provider, in the one line that a person needs.

The exceptions of some ten client libraries agree on little but an HTTP status.
"""

import re
from dataclasses import dataclass

from inspect_ai._util.http import parse_retry_after_from_exception
from inspect_ai.model import Model
from inspect_ai.model._model import AttemptTimeoutError
from tenacity import RetryError

from ecbench.harness.messages import FailureKind, ModelFailure
from ecbench.harness.refusals import SERVER_ERROR, Refusal

_PREFIX = re.compile(r"^Error code: \d+ - ")  # of OpenAI's and Anthropic's clients
LONGEST_LINE = 200  # characters of what a provider said
_WRONG_KEY = re.compile("API_KEY_INVALID")  # Google's name for it, under HTTP status 400
_NO_LINE = re.compile(r"connect|resolve|unreachable", re.IGNORECASE)
_NO_ANSWER = re.compile(r"time.?d? ?out", re.IGNORECASE)
_NO_PROVIDER = re.compile(r"non-ChatCompletion", re.IGNORECASE)  # a page or a word where an answer should be


@dataclass(frozen=True, slots=True)
class Trouble:
    """A kind of failure, and what asking again may bring."""

    reason: str
    kind: FailureKind
    cause: str


def failure(problem: Exception, model: Model, attempt_seconds: int) -> ModelFailure:
    """The failure behind an exception of Inspect's; one that Inspect would retry is never final."""
    passing = isinstance(problem, RetryError)
    while isinstance(problem, RetryError):
        last = problem.last_attempt.exception()
        if not isinstance(last, Exception):
            break
        problem = last
    if isinstance(problem, Refusal):
        trouble = Trouble(one_line(str(problem)), problem.kind, problem.cause)
    elif isinstance(problem, AttemptTimeoutError):
        trouble = Trouble(f"no answer within {attempt_seconds:,} s", "busy", "no answer in time")
    else:
        trouble = _trouble(problem, model, passing)
    return ModelFailure(
        f"{model}: {trouble.reason}",
        trouble.kind,
        cause=trouble.cause,
        retry_after=parse_retry_after_from_exception(problem) or 0.0,
    )


def _trouble(problem: Exception, model: Model, passing: bool) -> Trouble:
    said = _PREFIX.sub("", one_line(str(problem))) or type(problem).__name__
    status = _status(problem)
    if status in (401, 403) or _WRONG_KEY.search(str(problem)):
        keys = " or ".join(model.api.api_key_vars) or "the provider's key"
        reason = f"the key was refused (HTTP {status}); set {keys} to a valid one"
        return Trouble(reason, "final", f"HTTP {status}")
    if status is not None:
        return _by_status(status, said, model, passing)
    told = f"{type(problem).__name__} {said}"
    if _NO_ANSWER.search(told):
        return Trouble(f"the provider did not answer in time ({said})", "busy", "no answer in time")
    if _NO_LINE.search(told):
        where = model.api.base_url or "the provider"
        reason = f"no connection to {where} ({said}); check the network and the base URL"
        return Trouble(reason, "unreachable", "no connection")
    if _NO_PROVIDER.search(told):
        return Trouble(f"{said}; check the base URL", "unreachable", "unreadable answer")
    return Trouble(said, "busy" if passing else "final", type(problem).__name__)


def _by_status(status: int, said: str, model: Model, passing: bool) -> Trouble:
    cause = f"HTTP {status}"
    if status in (404, 405):
        reason = f"no such model or address ({cause}: {said}); check the model's name and the base URL"
        return Trouble(reason + _other_protocol(model), "final", cause)
    kind: FailureKind = "busy" if passing or status >= SERVER_ERROR else "final"
    return Trouble(f"the provider failed ({cause}: {said})", kind, cause)


def _other_protocol(model: Model) -> str:
    """A name of OpenAI's newer models is asked in a protocol that most other servers do not have."""
    options = vars(model.api)
    address = str(vars(options.get("client") or model.api).get("_base_url", ""))
    if not options.get("responses_api") or not address or "api.openai.com" in address:
        return ""
    _, _, name = str(model).rpartition("/")
    return (
        f"; {model} is asked through OpenAI's Responses API: for a server that has chat completions only, name it "
        f"openai-api/SERVICE/{name} or add --model-arg responses_api=false"
    )


def _status(problem: BaseException | None) -> int | None:
    while problem is not None:
        for value in (vars(problem).get("status_code"), vars(problem).get("code")):
            if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()):
                return int(value)
        problem = problem.__cause__
    return None


def one_line(text: str, longest: int = LONGEST_LINE) -> str:
    """A message without line breaks; Inspect prints a whole request before the error itself."""
    told = text.rsplit("\n", 1)[-1] if text.startswith("\nRequest:\n") else text
    line = " ".join(told.split())
    return line if len(line) <= longest else f"{line[:longest]}..."


def prerequisite(text: str) -> str:
    """What Inspect lacks to begin with, which it writes for a terminal of Rich's."""
    return one_line(re.sub(r"\[/?[a-z ]+\]", "", text)).removeprefix("ERROR: ")
