"""Playing merchants without a record: one in a year, or several in one market."""

from collections.abc import Sequence
from functools import partial

from ecbench.arena import Arena
from ecbench.episode import Episode
from ecbench.players.loop import play
from ecbench.players.merchant_player import MerchantPlayer, begin_play
from ecbench.players.merchants.protocol import Insider, Merchant
from ecbench.players.session import TableSession
from ecbench.table import Table


def play_year(merchant: Merchant | Insider, episode: Episode) -> int:
    """Play until the year is over or the merchant stops, settle what is outstanding, and return the number of calls."""
    return _play([merchant], episode.table)


def play_arena(merchants: Sequence[Merchant | Insider], arena: Arena) -> None:
    """Play a year of several merchants in one market, by seat, until it is over for all or they have stopped."""
    _play(merchants, arena.table)


def _play(merchants: Sequence[Merchant | Insider], table: Table) -> int:
    session = TableSession(table)
    players = [
        MerchantPlayer(partial(begin_play, merchant, seat.year), trusted=True)
        for seat, merchant in zip(session.seats, merchants, strict=True)
    ]
    play(session, players)
    table.finish()
    return sum(seat.calls for seat in session.seats)
