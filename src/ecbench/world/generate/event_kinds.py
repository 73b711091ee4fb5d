"""What can happen in a fresh year: which stores sell more or less, which deliveries slow, and what the news says.

As in the published calendar (tab:asymmetry), the news quotes the delay of an event that slows deliveries and nothing
else, and leaves it open if the event moves demand too. It never quotes how much demand moves.
"""

from functools import cache
from typing import NamedTuple

from ecbench.world.generate.word_files import rows, words


class EventKind(NamedTuple):
    """A kind of event that fresh worlds draw from."""

    name: str
    months: tuple[int, ...]
    more: tuple[str, ...]
    less: tuple[str, ...]
    delayed: frozenset[str] | None  # store types; None: all of them
    news: str


@cache
def event_kinds() -> tuple[EventKind, ...]:
    """Every kind, in the order of `data/event_kinds.csv`. There, `all` means that every store type is delayed."""
    return tuple(
        EventKind(
            name,
            tuple(map(int, words(months))),
            words(more),
            words(less),
            None if delayed == "all" else frozenset(words(delayed)),
            news,
        )
        for name, months, more, less, delayed, news in rows("event_kinds.csv")
    )
