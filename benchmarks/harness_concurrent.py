"""Many model episodes in one process: what they leave of the machine.

    python benchmarks/harness_concurrent.py [EPISODES [SECONDS]]

Twenty episodes, recorded as in any run, against a server in a process of its own that answers each request after one
second, which is fast for a model. Measured once the windows of all episodes are full; a provider that takes longer
leaves more of the machine idle in proportion.
"""

import json
import os
import sys
import time
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

from instant_model import completion_server

from ecbench.cancellation import StopFlag
from ecbench.players.turn import State
from ecbench.runs.folder import create_run
from ecbench.runs.play.episodes import EpisodeOpening, Listener, Result
from ecbench.runs.terms import Terms
from ecbench.runs.workers import get_executor
from ecbench.runs.workers.episode_tasks import play_episodes
from ecbench.world.load import load_world

FILLING, MEASURED = 16, 16  # turns until a window is full, and behind it
AGENT = "openai-api/loopback/instant"


@dataclass
class Stopwatch(Listener):
    """A listener that starts measuring when every episode has filled its window."""

    episodes: int
    turns: dict[int, int] = field(default_factory=dict)
    started: tuple[float, float] | None = None
    begun_with: int = 0

    def opened(self, episode: int, _opening: EpisodeOpening) -> None:
        self.turns[episode] = 0

    def progressed(self, episode: int, _seat: int, state: State) -> None:
        self.turns[episode] = state.turn
        if self.started is None and min(self.turns.values()) >= FILLING and len(self.turns) == self.episodes:
            self.started = time.perf_counter(), time.process_time()
            self.begun_with = sum(self.turns.values())

    def closed(self, result: Result) -> None:
        if result.problem:
            raise SystemExit(result.problem)


def serve(seconds: float, line: "Connection[Any, Any]") -> None:
    server = completion_server(seconds)
    line.send(server.server_address[1])
    server.serve_forever()


def play(url: str, episodes: int) -> tuple[float, float, int, float]:
    """Seconds, processor seconds, turns, and the mean load of the window, from when all windows are full."""
    world = load_world("default")
    terms = Terms.alone(
        world,
        agent=AGENT,
        days=world.days,
        stake=100_000.0,
        max_turns=FILLING + MEASURED,
        model={"base_url": url},
    )
    with TemporaryDirectory() as folder:
        run = create_run(Path(folder, "run"), terms, episodes=episodes, world_source="default")
        watch = Stopwatch(episodes)
        play_episodes(
            run,
            range(episodes),
            world,
            executor=get_executor("concurrent"),
            jobs=episodes,
            listener=watch,
            stop=StopFlag(),
        )
        passed, busy = time.perf_counter(), time.process_time()
        evictions = fmean(
            json.loads((run.episode_folder(episode) / "metrics.json").read_bytes())["seats"][0]["run"]["evictions"]
            for episode in range(episodes)
        )
    if watch.started is None:
        raise SystemExit("the episodes ended before their windows were full")
    wall, used = watch.started
    return passed - wall, busy - used, sum(watch.turns.values()) - watch.begun_with, evictions


def main() -> None:
    episodes = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    os.environ["LOOPBACK_API_KEY"] = "none"
    here, there = get_context("spawn").Pipe()
    server = get_context("spawn").Process(target=serve, args=(seconds, there), daemon=True)
    server.start()
    try:
        wall, used, turns, evictions = play(f"http://127.0.0.1:{here.recv()}/v1", episodes)
    finally:
        server.terminate()
        server.join()
    print(f"{episodes} episodes, answers after {seconds:g} s, {evictions:.1f} evictions each")
    print(f"{turns / wall:.1f} turns a second; {used / turns * 1e3:.1f} ms of processor time a turn, client included")
    print(f"this process uses {used / wall:.0%} of one processor, {used / wall / (os.cpu_count() or 1):.0%} of all")


if __name__ == "__main__":
    main()
