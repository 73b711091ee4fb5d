"""Model episodes side by side on one event loop: while one waits for its model, the others play."""

import asyncio
from collections import deque
from functools import partial

from anyio import create_task_group

from ecbench.harness.messages import ModelFailure
from ecbench.runs.errors import RunError
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.episodes import EpisodeOpening, Result, open_episode, settled
from ecbench.runs.play.models import Cast, open_cast, play_with
from ecbench.runs.workers.executor import Work


class Concurrent:
    """Plays models on one event loop."""

    def play(self, work: Work) -> list[Result]:
        if not is_model(work.run.terms.agent):
            raise RunError(
                f"the concurrent executor plays models, and {work.run.terms.agent} is a merchant, which never waits; "
                "use --executor processes"
            )
        try:
            return asyncio.run(_play_all(work))
        except ModelFailure as failure:
            raise RunError(f"{failure}; nothing was changed") from failure


async def _play_all(work: Work) -> list[Result]:
    waiting = deque(work.episodes)
    results: list[Result] = []

    async def play_in_turn(cast: Cast) -> None:
        while waiting and not work.stop.requested:
            result = await _play(work, waiting.popleft(), cast)
            work.listener.closed(result)
            results.append(result)

    async with open_cast(work.run.terms) as cast, create_task_group() as seats:
        for _ in range(min(work.jobs, len(waiting))):
            seats.start_soon(play_in_turn, cast)
    return results


async def _play(work: Work, episode: int, cast: Cast) -> Result:
    run = work.run
    try:
        world = work.world_of(episode)
        with open_episode(run, episode) as opened:
            work.listener.opened(episode, EpisodeOpening.of(opened.recording))
            result = settled(opened, world)
            if result is None:
                append = opened.telling(work.listener)
                own_cast = cast.notifying(partial(work.listener.on_retry, episode))
                played = await play_with(own_cast, opened.terms, episode, world, opened.recording, append, work.stop)
                result = opened.close_with(played)
            return result
    except RunError as problem:
        return Result.failed(episode, problem)
