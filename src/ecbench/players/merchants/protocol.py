"""The protocol of a scripted merchant: it sees tool schemas and replies, and answers with calls.

A merchant is written as a generator, so that a strategy reads from top to bottom: it yields a batch of calls and gets
back the decoded replies, one per call.

    class Sleeper:
        def play(self, schemas):
            while True:
                replies = yield [call("wait_for_next_day")]
"""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from ecbench.episode import Episode

Call = dict[str, Any]
Reply = dict[str, Any]
Found = TypeVar("Found")
Play = Generator[list[Call], list[Reply], None]
Routine = Generator[list[Call], list[Reply], Found]  # a part of a play that returns a value


@runtime_checkable
class Merchant(Protocol):
    """A year ends for a merchant when the market closes it; a merchant that returns earlier has stopped trading."""

    def play(self, schemas: list[dict[str, Any]], /) -> Play: ...


@runtime_checkable
class Insider(Protocol):
    """A merchant that is handed the episode itself and may read what the tools hide; it still trades through calls."""

    def play_knowing(self, episode: "Episode", schemas: list[dict[str, Any]], /) -> Play: ...


def call(name: str, **arguments: Any) -> Call:
    """A tool call as `Episode.act` and merchants take it: `call("chatbox", supplier="...", message="...")`."""
    return {"name": name, "arguments": arguments}
