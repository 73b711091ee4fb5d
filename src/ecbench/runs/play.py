"""One year, from wherever its record stands to its end, by whoever its terms name."""

from ecbench.harness.messages import Tell, tell_nobody
from ecbench.runs.agents import is_model
from ecbench.runs.events import Terms
from ecbench.runs.merchants import play_merchants_year
from ecbench.runs.reader import Recording
from ecbench.runs.recorder import Append
from ecbench.runs.seat import Played, refuse_alone
from ecbench.runs.stopping import StopFlag
from ecbench.world.model import World


def play_year(
    terms: Terms,
    episode: int,
    world: World,
    recording: Recording,
    append: Append,
    stop: StopFlag,
    tell: Tell = tell_nobody,
) -> Played:
    """Play on behind `recording`, which is first played again and compared; `tell` hears of a model's setbacks."""
    refuse_alone(terms)
    if is_model(terms.agent):
        from ecbench.runs.models import play_models_year  # here, since the model layer takes a second to import

        return play_models_year(terms, episode, world, recording, append, stop, tell)
    return play_merchants_year(terms, episode, world, recording, append, stop, tell)
