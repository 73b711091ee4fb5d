"""Episodes of a run as tasks of the worker pool."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.harness.messages import RetryNotice, Usage
from ecbench.players.loop import finish
from ecbench.players.turn import State
from ecbench.players.turn_timer import SlowTurn
from ecbench.runs.folder import Run
from ecbench.runs.play.budget import Budget
from ecbench.runs.play.episodes import EpisodeOpening, Listener, Result
from ecbench.runs.play.external_seats import STOPPED, ExternalSeats
from ecbench.runs.play.play_here import play_beside, waits_for_seats
from ecbench.runs.results.year_view import stored_year
from ecbench.runs.signatures.signature import read_signature
from ecbench.runs.workers.pool import Executor, Finished, Lost, Send

if TYPE_CHECKING:
    from ecbench.runs.play.models import OpenModels

TURN_SECONDS = 1.0  # a merchant's hundreds of turns in that time are not reported one by one


def play_episodes(
    run: Run,
    episodes: Sequence[int],
    *,
    executor: Executor,
    jobs: int,
    listener: Listener,
    stop: StopFlag,
    external: ExternalSeats | None = None,
    budget: Budget | None = None,
) -> list[Result]:
    """Play these episodes, each from where its record stands.

    When a stop is requested, episodes end after their turn, and those that have not begun do not begin. Seats that
    adapters of this process serve (`external`) can be played in this process only. `budget` counts what models use, and
    stops the episodes when it is reached.
    """
    results: list[Result] = []

    def report(number: int, message: Any) -> None:
        episode = episodes[number]
        match message:
            case Finished(result):
                pass
            case Lost(problem):
                result = Result(episode, problem=f"{problem}; ecbench resume tries again", lost=True)
            case (name, *content):
                getattr(listener, name)(episode, *content)
                if budget is not None:
                    _count(budget, stop, content[-1])
                return
        results.append(result)
        listener.closed(result)

    try:
        executor.run([PlayEpisode(run, episode, external) for episode in episodes], jobs, stop, report)
    finally:
        for external_seat in (external or {}).values():
            external_seat.abandon(STOPPED)  # a client may wait for an episode that does not begin
    return results


def _count(budget: Budget, stop: StopFlag, message: object) -> None:
    """Count what an answer used; a reached limit stops every episode after its turn."""
    if isinstance(message, Usage):
        budget.add(message)
    if budget.reached:
        stop.finish_turns()


def finished_episodes(run: Run) -> list[Result]:
    """The episodes that are over and whose files belong to their records: their turns need not be read.

    With the key of its run, an episode whose end is not signed is still to be signed.
    """
    results = []
    for episode in range(run.episodes):
        with suppress(RunError):  # which playing the episode reports
            ended = stored_year(run, episode)
            if ended is not None and ended.over and (run.signing_key is None or _is_signed(run, ended)):
                results.append(ended)
    return results


def _is_signed(run: Run, ended: Result) -> bool:
    """Whether a signature with the run's key names the end of this record. Raises RunError."""
    stated = read_signature(run, ended.episode)
    key = run.signing_key
    return stated is not None and key is not None and stated.head == ended.head and stated.is_signed_with(key.public)


class EpisodeSender(Listener):
    """A listener at the worker's end: reports a day at a time, or a turn where a day takes long.

    A message is the name of the listener's method, and what it is given beside the episode.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._sent: dict[int, tuple[int, float]] = {}  # by seat, the day that was reported last, and when
        self._lock = Lock()  # a slow turn is reported from another thread

    def opened(self, _episode: int, opening: EpisodeOpening) -> None:
        self._tell("opened", opening)

    def progressed(self, _episode: int, seat: int, state: State) -> None:
        now = monotonic()
        day, sent_at = self._sent.get(seat, (-1, 0.0))
        if state.day != day or now - sent_at > TURN_SECONDS:
            self._sent[seat] = (state.day, now)
            self._tell("progressed", seat, state)

    def on_retry(self, _episode: int, seat: int, notice: RetryNotice) -> None:
        self._tell("on_retry", seat, notice)

    def on_usage(self, _episode: int, seat: int, usage: Usage) -> None:
        self._tell("on_usage", seat, usage)

    def slow(self, _episode: int, seat: int, turn: SlowTurn) -> None:
        self._tell("slow", seat, turn)

    def _tell(self, *message: Any) -> None:
        with self._lock:
            self._send(message)


@dataclass(frozen=True, slots=True)
class PlayEpisode:
    """Work: play an episode from where its record stands, and write its files."""

    run: Run
    episode: int
    external: ExternalSeats | None = None  # not pickled

    def __reduce__(self) -> tuple[Any, ...]:
        return PlayEpisode, (self.run, self.episode)

    def __call__(self, send: Send, stop: StopFlag) -> Result:
        return finish(self.play(send, stop), waits=waits_for_seats(self.run))

    async def play(self, send: Send, stop: StopFlag, models: "OpenModels | None" = None) -> Result:
        """Beside other episodes, which share the event loop and the models that are open."""
        try:
            world = self.run.load_world(self.episode)
        except RunError as problem:
            return Result.failed(self.episode, problem)
        external = {seat: each for (own, seat), each in (self.external or {}).items() if own == self.episode}
        sender = EpisodeSender(send)
        return await play_beside(self.run, self.episode, world, sender, models, stop=stop, external=external)
