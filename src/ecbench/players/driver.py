"""Playing a year: the one loop between a merchant and its seat."""

from collections.abc import Sequence

from orjson import loads

from ecbench.arena import Arena
from ecbench.episode import Episode
from ecbench.players.merchants.protocol import Call, Insider, Merchant, Play
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


def play_arena(merchants: Sequence[Merchant | Insider], arena: Arena) -> None:
    """Play a year of several merchants in one market, by seat, until it is over for all or they have stopped."""
    plays = [begin_play(merchant, arena.year(seat)) for seat, merchant in enumerate(merchants)]
    batches: dict[int, list[Call]] = {seat: next(play) for seat, play in enumerate(plays)}
    while (turn := arena.turn) is not None:
        arena.act(turn, batches.pop(turn))
        for seat in set(range(arena.seats)) - batches.keys():
            replies = arena.replies(seat)
            if replies is not None and not arena.accounts[seat].done:
                try:
                    batches[seat] = plays[seat].send([loads(reply) for reply in replies])
                except StopIteration:
                    arena.finish(seat, "idle")
