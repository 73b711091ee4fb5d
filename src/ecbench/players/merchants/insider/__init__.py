"""The privileged merchant: it reads hidden state. Its scores are for comparison; it is not an upper bound.

It knows every parameter of the market: demand curves, capacities, drift, return rates, every supplier's floor and what
it delivers. It solves for the best shelf of each store instead of learning it, and buys at floors: a supplier's answers
to bids are drawn beforehand, so it bids the floor as often as it will be turned down, in one letter. It buys from
suppliers that lie about prices where their floors pay, and never from those whose goods are defective or that sell to
members only. It does not look at the draws by which demand is rounded and goods come back: by those a player could
exceed the upper bound.
"""

from typing import Any

from ecbench.episode import Episode
from ecbench.players.merchants.insider.trading import InsiderTrading
from ecbench.players.merchants.protocol import Play


class InsiderMerchant:
    """Plays with the market's hidden parameters open before it."""

    def __init__(self, days: int = 365) -> None:
        self.days = days

    def play_knowing(self, episode: Episode, _schemas: list[dict[str, Any]]) -> Play:
        trading = InsiderTrading(episode, self.days)
        while not episode.done:
            yield from trading.one_day()
