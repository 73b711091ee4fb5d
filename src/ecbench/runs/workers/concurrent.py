"""Model episodes side by side on one event loop: while one waits for its model, the others play."""

import asyncio
from functools import partial

from anyio import create_task_group

from ecbench.errors import RunError
from ecbench.harness.messages import ModelFailure
from ecbench.runs.play.episodes import Result, context_of, play_on
from ecbench.runs.play.models import OpenModels, open_models, play_beside
from ecbench.runs.workers.episode_tasks import EpisodeSender, PlayEpisode
from ecbench.runs.workers.pool import Send, Task, TaskQueue


class Concurrent:
    """Plays models on one event loop."""

    def run(self, queue: TaskQueue) -> None:
        first = queue.take()
        if first is None:
            return
        try:
            asyncio.run(_run_all(queue, first))
        except ModelFailure as failure:
            raise RunError(f"{failure}; nothing was changed") from failure


async def _run_all(queue: TaskQueue, first: Task) -> None:
    async def run_from(task: Task | None) -> None:
        while task is not None:
            queue.finish(task, await _play(_models_episode(task), opened, queue.sender(task), queue))
            task = queue.take()

    async with open_models(_models_episode(first).run.terms) as opened, create_task_group() as group:
        group.start_soon(run_from, first)
        for _ in range(min(queue.jobs, queue.open_tasks) - 1):
            group.start_soon(run_from, queue.take())


def _models_episode(task: Task) -> PlayEpisode:
    assert isinstance(task.work, PlayEpisode), "models play episodes"
    return task.work


async def _play(work: PlayEpisode, models: OpenModels, send: Send, queue: TaskQueue) -> Result:
    try:
        world = work.world()
    except RunError as problem:
        return Result.failed(work.episode, problem)
    sender = EpisodeSender(send)
    context = context_of(work.run, sender, work.episode, queue.stop)
    return await play_on(work.run, work.episode, world, sender, context, partial(play_beside, models))
