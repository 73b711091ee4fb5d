"""The data between the loop and a model: messages, tool calls, answers, usage, retries and failures."""

import re
from collections.abc import Callable, Collection, Mapping
from copy import copy
from itertools import chain, count
from typing import Any, Literal

from msgspec import Struct, convert, to_builtins

from ecbench.errors import PlayerFailure
from ecbench.redaction import redacted

Role = Literal["system", "user", "assistant", "tool"]

FailureKind = Literal["final", "unreachable", "busy", "refused"]
"""Whether a retry helps: never; once the connection is back; after a while; by chance, since answers vary."""

LONGEST_NAME = 64  # characters of a tool's name that every provider takes
_ILLEGAL = re.compile(r"[^a-zA-Z0-9_-]")


class Call(Struct, frozen=True, omit_defaults=True):
    """One tool call. `problem` says why its arguments could not be read; they are then empty, and `written` has their
    text as the model wrote it, where the provider passes that on."""

    id: str
    name: str
    arguments: Any  # an object, unless an agent that is not a model wrote something else
    problem: str = ""
    written: str = ""


class Message(Struct, frozen=True, eq=False, weakref=True, omit_defaults=True):
    """One message of the transcript. Compared by identity: a model layer may cache its own form of it."""

    role: Role
    text: str
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    answers: Call | None = None  # the call that a tool message replies to
    native: Mapping[str, Any] | None = None  # the provider's own form, where it holds more than text and calls


class Usage(Struct, frozen=True, omit_defaults=True):
    """Tokens as the provider reports them, and what they cost in dollars where that is known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    cost: float | None = None

    @property
    def tokens(self) -> int:
        """All of them; reasoning is part of the output."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens + self.output_tokens

    @property
    def read_tokens(self) -> int:
        """All that the model read; providers report cached input apart from the rest."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens

    def __add__(self, other: "Usage") -> "Usage":
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            sum(costs) if costs else None,
        )


NO_USAGE = Usage()


class Retry(Struct, frozen=True, omit_defaults=True):
    """A retry of a failed request."""

    cause: str  # in a few words, the same for all failures of a kind
    seconds: float  # from this request to the next one
    usage: Usage = NO_USAGE  # a refused answer is billed too


OnRetry = Callable[[str], None]
"""Called with a line on each retry as it happens."""
OnUsage = Callable[[Usage], None]
"""Called with what each answer used, refused ones before it included."""


def ignore(_: object) -> None:
    """The default listener: nothing is displayed or counted."""


class Answer(Struct, frozen=True, omit_defaults=True):
    """One model turn: its words and calls, its usage, its duration, and the requests that failed before it."""

    message: Message
    usage: Usage = NO_USAGE
    seconds: float = 0.0
    stop_reason: str = ""
    retries: tuple[Retry, ...] = ()
    context: int = 0  # tokens of the transcript that it answers; 0: not counted
    model: str = ""  # that answered, by the id that the provider reports
    window: Mapping[str, int] | None = None  # the context policy, where it changed before this turn
    as_text: bool = False  # the server takes no tools, so `calls=auto` goes on with calls as text


class ModelFailure(PlayerFailure):
    """A model could not answer; the message is one line for the user, `cause` the kind of failure in a few words."""

    def __init__(self, message: str, kind: FailureKind = "final", *, cause: str = "failed") -> None:
        super().__init__(redacted(message))
        self.kind: FailureKind = kind
        self.cause = redacted(cause)
        self.usage = NO_USAGE
        self.retry_after = 0.0  # seconds to wait, as the provider asks
        self.retries: tuple[Retry, ...] = ()  # before it was given up

    def reworded(self, line: str) -> "ModelFailure":
        """The same failure with another line."""
        changed = copy(self)
        changed.args = (redacted(line),)
        return changed

    def describe(self) -> str:
        """The line with the retries so far and the wait that the provider asks for."""
        waited = sum(retry.seconds for retry in self.retries)
        retried = f"; given up after {waited:,.0f} s, retries: {len(self.retries)}" if self.retries else ""
        asked = f"; the provider asks for {self.retry_after:,.0f} s of patience" if self.retry_after else ""
        return f"{self}{retried}{asked}"


def legal_name(name: str) -> str:
    """The name of a tool as every provider takes it back, whatever the model wrote."""
    return _ILLEGAL.sub("_", name.strip())[:LONGEST_NAME] or "unnamed"


def legal_id(given: str, taken: Collection[str]) -> str:
    """An id of a call as every provider takes it back, which no other call has."""
    legal = _ILLEGAL.sub("_", given.strip()) or "call"
    return next(each for each in chain((legal,), (f"{legal}_{number}" for number in count(2))) if each not in taken)


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """One model turn as JSON; `answer_from_json` is its inverse."""
    said: dict[str, Any] = to_builtins(answer)
    message: dict[str, Any] = said.pop("message")
    del message["role"]
    merged = {"text": "", "calls": (), "usage": {}, "seconds": 0.0} | message | said
    return {name: list(value) if isinstance(value, tuple) else value for name, value in merged.items()}


def answer_from_json(record: Mapping[str, Any]) -> Answer:
    """Raises ValueError for a record that is not one of a model's turn."""
    return convert({**record, "message": {"role": "assistant", **record}}, Answer)
