"""The protocol of a scripted merchant: a generator that yields batches of calls and gets back decoded replies."""

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


class Idle:
    """Waits for every next day and never opens a store, so the idle charge ends it in bankruptcy."""

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        while True:
            yield [call("wait_for_next_day")]


def call(name: str, **arguments: Any) -> Call:
    """A tool call as `Episode.act` and merchants take it: `call("chatbox", supplier="...", message="...")`."""
    return {"name": name, "arguments": arguments}


def news_in(reply: Reply) -> list[dict[str, Any]]:
    """What happened since the reply before, oldest first; any reply may carry news."""
    return [item for day in reply.get("system_notifications", ()) for item in day["news"]]


def is_over(reply: Reply) -> bool:
    """Whether the call was refused because the year is over."""
    return "the year is over" in reply.get("error", "")
