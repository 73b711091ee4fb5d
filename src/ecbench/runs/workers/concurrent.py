"""Model episodes side by side on one event loop: while one waits for its model, the others play."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import cast

from anyio import create_task_group

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.harness.messages import ModelFailure
from ecbench.runs.play.episodes import Result, load_finished, open_episode
from ecbench.runs.play.models import OpenModels, open_models, play_beside
from ecbench.runs.workers.episode_tasks import EpisodeSender, PlayEpisode
from ecbench.runs.workers.pool import Finished, Report, Send, Work


class Concurrent:
    """Plays models on one event loop."""

    def run(self, works: Sequence[Work], jobs: int, stop: StopFlag, report: Report) -> None:
        if not works or stop.requested:
            return
        try:
            asyncio.run(_play_all(cast("Sequence[PlayEpisode]", works), jobs, stop, report))
        except ModelFailure as failure:
            raise RunError(f"{failure}; nothing was changed") from failure


async def _play_all(works: Sequence[PlayEpisode], jobs: int, stop: StopFlag, report: Report) -> None:
    numbers = iter(range(len(works)))

    async def play_next() -> None:
        for number in numbers:
            if stop.requested:
                return
            report(number, Finished(await _play(works[number], opened, partial(report, number), stop)))

    async with open_models(works[0].run.terms) as opened, create_task_group() as group:
        for _ in range(min(jobs, len(works))):
            group.start_soon(play_next)


async def _play(work: PlayEpisode, models: OpenModels, send: Send, stop: StopFlag) -> Result:
    run, episode, sender = work.run, work.episode, EpisodeSender(send)
    try:
        world = work.world()
        with open_episode(run, episode, sender, stop=stop) as opened:
            return load_finished(opened, world) or opened.close_with(await play_beside(opened, world, models))
    except RunError as problem:
        return Result.failed(episode, problem)
