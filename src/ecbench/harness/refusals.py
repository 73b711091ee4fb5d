"""An answer that is the provider's and not the model's."""

import re

from ecbench.harness.messages import FailureKind

TOO_MANY_REQUESTS = 429
SERVER_ERROR = 500

_TRANSIENT = re.compile(r"rate.?limit|overload|unavailable|internal|server.?error|time.?out|capacity|busy", re.I)


class Refusal(Exception):
    """The provider answered in the model's place."""

    def __init__(self, reason: str, kind: FailureKind, *, cause: str) -> None:
        super().__init__(reason)
        self.kind: FailureKind = kind
        self.cause = cause


def body_error(found: object) -> Refusal:
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
    return Refusal(reason, "busy" if transient else "final", cause=cause)
