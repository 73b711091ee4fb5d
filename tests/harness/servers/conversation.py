"""What a scripted model hears and says, whatever protocol carries it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

KEY = "loopback-key-7f3a91c25e08"


@dataclass(frozen=True)
class Think:
    """Reasoning; what is redacted comes and goes as an opaque text."""

    text: str
    redacted: bool = False


@dataclass(frozen=True)
class Say:
    text: str


@dataclass(frozen=True)
class Use:
    """A tool call. Arguments given as a text are sent as they stand, and need not be JSON."""

    name: str
    arguments: dict[str, Any] | str


Block = Think | Say | Use


@dataclass(frozen=True)
class Turn:
    """One answer, its blocks in the order in which the model made them."""

    blocks: tuple[Block, ...] = ()
    stop: Literal["", "length", "refusal"] = ""

    @property
    def uses(self) -> list[Use]:
        return [block for block in self.blocks if isinstance(block, Use)]

    @property
    def said(self) -> str:
        return "\n".join(block.text for block in self.blocks if isinstance(block, Say))

    @property
    def thought(self) -> str:
        return "\n".join(block.text for block in self.blocks if isinstance(block, Think))


def turn(*blocks: Block) -> Turn:
    return Turn(blocks)


Trouble = Literal[
    "bad_request",  # a request that no repetition mends
    "rate_limit",
    "server_error",
    "unavailable",
    "drop",  # the connection ends without an answer
    "cut",  # the connection ends in the middle of the answer
    "hang",  # no answer, ever
    "overflow",  # the conversation is longer than the model's window
    "filtered",  # the provider will not let the model see or say this
    "error_body",  # HTTP 200, and the body tells of an error
    "no_json",  # HTTP 200, and the body is a page for people
    "endless",  # HTTP 200, and the body has no end
    "compressed",  # HTTP 200, and a small body that is large once it is decompressed
]


@dataclass(frozen=True)
class Fault:
    """What a bad day looks like."""

    trouble: Trouble


@dataclass(frozen=True)
class Heard:
    """One entry of the conversation: words of a user, a turn of the model, or the results of the calls in it."""

    role: Literal["user", "model", "results"]
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Talk:
    """A request, as far as a model sees it. `displaced` counts turns that now stand behind another beginning."""

    system: str
    heard: tuple[Heard, ...]
    displaced: int
    digest: str  # of the whole request, as an answer to it names it

    @property
    def results(self) -> tuple[str, ...]:
        """Those of the newest turn; none, when it called nothing."""
        behind = self.heard[::-1]
        newest = next((index for index, entry in enumerate(behind) if entry.role == "model"), len(behind))
        return tuple(text for entry in behind[:newest][::-1] if entry.role == "results" for text in entry.texts)


Script = Callable[[Talk], Turn | Fault]


class Refused(Exception):
    """The server will not have this request; `where` names the part of it."""

    def __init__(self, where: str, message: str, status: int = 400) -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.status = status


def require(holds: object, where: str, message: str) -> None:
    if not holds:
        raise Refused(where, message)
