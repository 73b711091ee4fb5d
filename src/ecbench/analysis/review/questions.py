"""Questions to the engine about one recorded year: what does a variant make of a position? Work for the worker pool."""

from dataclasses import dataclass
from typing import NamedTuple

from ecbench.analysis.review.engine import FREE, VARIANTS, EngineLimits, final_assets
from ecbench.analysis.review.positions import YearPosition, replay_positions
from ecbench.cancellation import StopFlag
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.workers.pool import Send


class Question(NamedTuple):
    """What a variant makes of a position, under some limits."""

    position: YearPosition
    variant: int
    limits: EngineLimits = FREE

    @property
    def key(self) -> str:
        """Equal keys have equal answers, in all years under the same terms."""
        return f"{self.position.check}{self.limits.name}#{self.variant}"


class Evaluation(NamedTuple):
    question: Question
    assets: float


@dataclass(frozen=True, slots=True)
class AskEngine:
    """Replay a recorded year once, and answer these questions on the way. Each answer is sent as a message.

    A question is independent of all others, so it does not matter which worker answers it.
    """

    run: Run
    episode: int
    questions: tuple[Question, ...]

    def __call__(self, send: Send, stop: StopFlag) -> None:
        run, episode = self.run, self.episode
        asked: dict[YearPosition, list[Question]] = {}
        for question in sorted(self.questions, key=lambda question: question.position.entries):
            asked.setdefault(question.position, []).append(question)
        recording, world = read_episode(run, episode), run.load_world(episode)
        years = replay_positions(run.terms_of(episode), world, recording, list(asked), run.seat(episode))
        for position, year in years:
            for question in asked[position]:
                if stop.requested:
                    return
                send(Evaluation(question, final_assets(year, VARIANTS[question.variant], question.limits)))
