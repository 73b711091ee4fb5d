"""What passes between the loop and a model: messages, tool calls, answers and their usage.

Plain data, readable without any model library, and written to and read from JSON so that a recorded turn can be
played again.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call. `problem` says why its arguments could not be read, and then they are empty."""

    id: str
    name: str
    arguments: dict[str, Any]
    problem: str = ""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Message:
    """One message of the transcript. Identity counts: a model layer may keep its own form beside it."""

    role: Role
    text: str
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    answers: Call | None = None  # the call that a tool message replies to
    native: Mapping[str, Any] | None = None  # the provider's own form, where text and calls do not hold it all


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider reports them, and what they cost in dollars where that is known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    cost: float | None = None

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


@dataclass(frozen=True, slots=True)
class Answer:
    """One model turn: what it said and called, what it used, how long it took."""

    message: Message
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    stop_reason: str = ""


class ModelFailure(Exception):
    """A model could not answer; the message is one line for a person.

    A `busy` provider is there and knows us, but has too much to do or an error of its own.
    """

    def __init__(self, message: str, *, busy: bool = False) -> None:
        super().__init__(message)
        self.busy = busy


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """A recordable form of one model turn; `answer_from_json` gives the turn back."""
    message = answer.message
    record: dict[str, Any] = {
        "text": message.text,
        "calls": [_call_to_json(call) for call in message.calls],
        "usage": {name: value for name, value in asdict(answer.usage).items() if value},
        "seconds": round(answer.seconds, 3),
    }
    optional = {"reasoning": message.reasoning, "native": message.native, "stop_reason": answer.stop_reason}
    return record | {name: value for name, value in optional.items() if value}


def answer_from_json(record: Mapping[str, Any]) -> Answer:
    known = {each.name for each in fields(Usage)}
    return Answer(
        message=Message(
            role="assistant",
            text=record["text"],
            reasoning=record.get("reasoning", ""),
            calls=tuple(
                Call(call["id"], call["name"], call["arguments"], call.get("problem", "")) for call in record["calls"]
            ),
            native=record.get("native"),
        ),
        usage=Usage(**{name: value for name, value in record["usage"].items() if name in known}),
        seconds=record["seconds"],
        stop_reason=record.get("stop_reason", ""),
    )


def _call_to_json(call: Call) -> dict[str, Any]:
    record: dict[str, Any] = {"id": call.id, "name": call.name, "arguments": call.arguments}
    return record | {"problem": call.problem} if call.problem else record
