"""Model episodes side by side on one event loop: while one waits for its model, the others play."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import cast

from anyio import create_task_group

from ecbench.cancellation import StopFlag
from ecbench.runs.play.models import open_models
from ecbench.runs.workers.episode_tasks import PlayEpisode
from ecbench.runs.workers.pool import Finished, Report, Work


class Concurrent:
    """Plays models on one event loop."""

    def run(self, works: Sequence[Work], jobs: int, stop: StopFlag, report: Report) -> None:
        if works and not stop.requested:
            asyncio.run(_play_all(cast("Sequence[PlayEpisode]", works), jobs, stop, report))


async def _play_all(works: Sequence[PlayEpisode], jobs: int, stop: StopFlag, report: Report) -> None:
    numbers = iter(range(len(works)))

    async def play_next() -> None:
        for number in numbers:
            if stop.requested:
                return
            report(number, Finished(await works[number].play(partial(report, number), stop, models)))

    async with open_models(works[0].run.terms) as models, create_task_group() as group:
        for _ in range(min(jobs, len(works))):
            group.start_soon(play_next)
