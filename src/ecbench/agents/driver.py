"""Playing a year: the one loop between a merchant and an episode."""

import json

from ecbench.agents.protocol import Merchant
from ecbench.episode import Episode
from ecbench.tools import tool_schemas


def play_year(merchant: Merchant, episode: Episode) -> None:
    """Play until the year is over or the merchant stops; what is outstanding then is settled."""
    play = merchant.play(tool_schemas())
    try:
        calls = next(play)
        while not episode.done:
            calls = play.send([json.loads(reply) for reply in episode.act(calls)])
    except StopIteration:
        pass
    episode.finish()
