"""Playing a year: the one loop between a merchant and its seat."""

from orjson import loads

from ecbench.agents.protocol import Insider, Merchant, Play
from ecbench.episode import Episode
from ecbench.seat import Seat
from ecbench.tools import tool_schemas


def begin_play(merchant: Merchant | Insider, episode: Episode) -> Play:
    """A play at its start. Only an insider is shown the episode."""
    schemas = tool_schemas(episode.account.rules)
    if isinstance(merchant, Insider):
        return merchant.play_knowing(episode, schemas)
    return merchant.play(schemas)


def play_year(merchant: Merchant | Insider, episode: Episode) -> int:
    """Play until the year is over or the merchant stops, settle what is outstanding, and return the number of calls."""
    play = begin_play(merchant, episode)
    seat = Seat(episode)
    try:
        calls = next(play)
        while seat.ending is None:
            calls = play.send([loads(reply) for reply in seat.take(calls)])
    except StopIteration:
        pass
    episode.finish(seat.ending or "stopped")
    return seat.calls
