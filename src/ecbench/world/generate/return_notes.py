"""The sentence that the market detail has about a category's returns. It understates twenty categories.

The published sentences read low or very low in twenty categories whose band is 20% to 35% (app:data_artifacts). Only
`trace_return_sources`, on goods already owned, shows the gap. A fresh world understates as many categories.
"""

from collections.abc import Collection

from ecbench.world.generate.published_figures import UNDERSTATED_RETURNS
from ecbench.world.generate.random_streams import stream
from ecbench.world.generate.word_files import rows


def published_notes() -> dict[str, str]:
    """The sentence of every category in the default world."""
    return _notes(UNDERSTATED_RETURNS)


def fresh_notes(seed: int) -> dict[str, str]:
    """The sentence of every category in a fresh world, with as many understated ones as published, drawn.

    Only a category whose band begins where that of the published twenty does has an understating sentence.
    """
    candidates = [category for category, _, understating in rows("return_notes.csv") if understating]
    return _notes(stream(seed, "understated returns").sample(candidates, len(UNDERSTATED_RETURNS)))


def _notes(understated: Collection[str]) -> dict[str, str]:
    return {
        category: understating if category in understated else note
        for category, note, understating in rows("return_notes.csv")
    }
