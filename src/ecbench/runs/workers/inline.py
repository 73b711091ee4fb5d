"""One episode after another in this process."""

from ecbench.errors import RunError
from ecbench.runs.play.episodes import Result, play_here
from ecbench.runs.workers.executor import Work


class Inline:
    """Plays in this process."""

    def play(self, work: Work) -> list[Result]:
        results = []
        for episode in work.episodes:
            if work.stop.requested:
                break
            result = _play(work, episode)
            work.listener.closed(result)
            results.append(result)
        return results


def _play(work: Work, episode: int) -> Result:
    try:
        world = work.world_of(episode)
    except RunError as problem:
        return Result.failed(episode, problem)
    return play_here(work.run, episode, world, work.listener, work.stop)
