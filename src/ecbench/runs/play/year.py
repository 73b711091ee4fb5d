"""One year, from wherever its record stands to its end, by whoever its terms name."""

from ecbench.harness.messages import OnRetry, ignore_retries
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.play.merchants import play_merchants_year
from ecbench.runs.play.recorded_seat import Played, refuse_alone
from ecbench.runs.record.events import Terms
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.recorder import Append
from ecbench.world.model import World


def play_year(
    terms: Terms,
    episode: int,
    world: World,
    recording: Recording,
    append: Append,
    stop: StopFlag,
    on_retry: OnRetry = ignore_retries,
) -> Played:
    """Play on behind `recording`, which is first played again and compared; a model's retries go to `on_retry`."""
    refuse_alone(terms)
    if is_model(terms.agent):
        from ecbench.runs.play.models import play_models_year  # here, since the model layer takes a second to import

        return play_models_year(terms, episode, world, recording, append, stop, on_retry)
    return play_merchants_year(terms, episode, world, recording, append, stop, on_retry)
