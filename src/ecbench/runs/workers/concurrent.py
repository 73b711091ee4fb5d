"""Model episodes side by side on one event loop: while one waits for its model, the others play."""

import asyncio

from anyio import create_task_group

from ecbench.errors import RunError
from ecbench.harness.messages import ModelFailure
from ecbench.runs.play.episodes import Result, context_of, load_finished, open_episode
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
    run, episode, sender = work.run, work.episode, EpisodeSender(send)
    context = context_of(run, sender, episode, queue.stop)
    try:
        world = work.world()
        with open_episode(run, episode, sender) as opened:
            return load_finished(opened, world) or opened.close_with(
                await play_beside(models, opened.terms, episode, world, opened.recording, opened.append, context)
            )
    except RunError as problem:
        return Result.failed(episode, problem)
