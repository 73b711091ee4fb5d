"""What a call did, as a value: its reply, its error, when it acted and the time it took."""

import json
from collections.abc import Mapping
from typing import Any, Final, Literal

import orjson
from msgspec import Struct

from ecbench.tools.office import Reply

ErrorKind = Literal[
    "unknown_tool",  # there is no tool of that name
    "unreadable",  # the call could not be read as JSON; it took no time
    "bad_arguments",  # missing, mistyped or unknown arguments
    "refused",  # nothing of what was asked was carried out
    "partial",  # some items of the call were carried out, others were not
    "repeated_wait",  # only the first wait of a turn counts
    "over_budget",  # the replies before it used up the reply budget of the turn
    "year_over",  # the year had ended before the turn
]

SUPPLIER_CLOSED = "supplier_bankrupt"
"""The one failure that a reply reports as a message and not as an error."""

REPLY_BUDGET: Final = 32 << 20  # characters of all replies to one turn; an honest turn stays far below
LONGEST_ERROR = 200  # characters of an error that a table holds


class CallError(Struct, frozen=True, omit_defaults=True, gc=False):
    """Why a call, or an item of it, was not carried out."""

    kind: ErrorKind
    message: str
    missing: float = 0.0  # yuan that the bank lacked for what was asked, at most


class Outcome(Struct, frozen=True, gc=False):
    """One call of a turn after it was run."""

    call: Mapping[str, Any]  # name and arguments
    text: str  # the reply as JSON, which the agent receives
    error: CallError | None  # None: the tool did what it was asked
    day: int  # on which it acted
    minute: int  # of that day, at which it acted
    minutes: int  # of simulated time that it took
    mornings: int  # that came while it took them

    @property
    def ok(self) -> bool:
        """Whether all of the call was carried out."""
        return self.error is None

    @property
    def failed(self) -> bool:
        """Whether nothing of the call was carried out."""
        return self.error is not None and self.error.kind != "partial"

    @property
    def reply(self) -> Any:
        """The reply as data."""
        return decode_reply(self.text)


def decode_reply(text: str) -> Any:
    """The data of a reply's JSON text."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:  # half of a surrogate pair or a number above 64 bits, which an agent may send
        return json.loads(text)


def item_error(reply: Reply, missing: float) -> CallError:
    """The error of a reply in which the tool reported at least one item as not carried out."""
    return CallError("refused" if _is_refused(reply) else "partial", summary(_first_error(reply)), missing)


def summary(message: str) -> str:
    """An error on one line, as long as a table may hold it."""
    return " ".join(message.split())[:LONGEST_ERROR]


def _first_error(part: object) -> str:
    if isinstance(part, list):
        return next(filter(None, map(_first_error, part)), "")
    if not isinstance(part, dict):
        return ""
    if part.get("message") == SUPPLIER_CLOSED:
        return SUPPLIER_CLOSED
    if isinstance(part.get("error"), str):
        return str(part["error"]) or "refused"
    if part.get("success") is False:
        return "refused"
    return _first_error(list(part.values()))


def _is_refused(reply: Reply) -> bool:
    """Whether no item of the reply was carried out."""
    items = reply.get("results") or reply.get("responses")
    if isinstance(items, list) and items and not _has_failed(reply):
        return all(_has_failed(item) for item in items)
    return _has_failed(reply)


def _has_failed(part: dict[str, object]) -> bool:
    return bool(part.get("error")) or part.get("success") is False or part.get("message") == SUPPLIER_CLOSED
