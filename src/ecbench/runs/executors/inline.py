"""One episode after another in this process."""

from ecbench.runs.executors.protocol import Work
from ecbench.runs.session import Result, play_here


class Inline:
    def play(self, work: Work) -> list[Result]:
        results = []
        for episode in work.episodes:
            if work.stop.requested:
                break
            result = play_here(work.run, episode, work.world, work.listener, work.stop)
            work.listener.closed(result)
            results.append(result)
        return results
