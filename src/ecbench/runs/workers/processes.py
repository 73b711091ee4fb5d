"""A process for each episode on this machine. Each writes its own record; only progress arrives here."""

from collections import deque
from functools import partial

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.players.turn import State
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Result, play_here
from ecbench.runs.workers.executor import Losses, Work
from ecbench.runs.workers.progress_messages import News, Reporter, pass_on
from ecbench.runs.workers.worker_process import LOST, Line, Worker, heard_from, hire

PAUSE_SECONDS = 0.2  # between looks at the stop flag


class Processes:
    """Plays each episode in a process of its own."""

    def play(self, work: Work) -> list[Result]:
        return Crew(work).play()


class Crew:
    """The workers of a run by their episodes, and the episodes that wait for one."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._waiting = deque(work.episodes)
        self._workers: dict[int, Worker] = {}
        self._losses = Losses()
        self._results: list[Result] = []

    def play(self) -> list[Result]:
        stop = self._work.stop
        with stop.ending(self._kill_all):
            try:
                while self._workers or (self._waiting and not stop.requested):
                    while self._waiting and len(self._workers) < self._work.jobs and not stop.requested:
                        episode = self._waiting.popleft()
                        self._workers[episode] = hire(partial(_play, self._work.run, episode))
                    if stop.requested:
                        for worker in self._workers.values():
                            worker.tell_to_stop()
                    for episode, news in heard_from(self._workers, PAUSE_SECONDS):
                        self._take(episode, None if news is LOST else news)
            finally:
                self._kill_all()
        return self._results

    def _take(self, episode: int, news: News | None) -> None:
        match news:
            case None:
                worker = self._dismiss(episode)
                given_up = self._losses.count(episode, f"exit code {worker.process.returncode}")
                if given_up is None:
                    self._waiting.appendleft(episode)
                else:
                    self._close(given_up)
            case _, Result() as result:
                self._dismiss(episode)
                self._close(result)
            case _:
                if isinstance(news[1], State):
                    self._losses.reset(episode)
                pass_on(news, self._work.listener)

    def _dismiss(self, episode: int) -> Worker:
        worker = self._workers[episode]
        worker.dismiss()
        del self._workers[episode]
        return worker

    def _kill_all(self) -> None:
        workers = list(self._workers.values())
        for worker in workers:
            worker.process.kill()
        for worker in workers:
            worker.kill()

    def _close(self, result: Result) -> None:
        self._work.listener.closed(result)
        self._results.append(result)


def _play(run: Run, episode: int, line: Line, stop: StopFlag) -> None:
    reporter = Reporter(line)
    with reporter.telling_of_errors():
        try:
            world = run.load_world(episode)
        except RunError as problem:
            reporter.closed(Result.failed(episode, problem))
        else:
            reporter.closed(play_here(run, episode, world, reporter, stop))
