"""Runs in which several agents share a market, and external agents at their seats. No wait is without end."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.runs.conftest import MERCHANTS, Diary, replayed_files

from ecbench.runs.folder import Run, create_run
from ecbench.runs.play.agents import transport_of
from ecbench.runs.play.episodes import Result
from ecbench.runs.play.external_seats import ExternalSeat, ExternalSeats, external_seats
from ecbench.runs.play.play_here import play_here
from ecbench.runs.record.lines import End
from ecbench.runs.terms import SeatTerms, Terms, WorldRef
from ecbench.world.load import load_world

SECONDS = 30
WAIT = {"name": "wait_for_next_day", "arguments": {}}
LOOK = {"name": "check_balance", "arguments": {}}

NewArena = Callable[..., Run]


@pytest.fixture
def new_arena(small_world: Path, tmp_path: Path) -> NewArena:
    world = load_world(small_world)

    def make(
        *agents: str, name: str = "arena", episodes: int = 1, models: dict[str, Any] | None = None, **more: Any
    ) -> Run:
        seats = tuple(SeatTerms(agent, (models or {}).get(agent, {}), transport_of(agent)) for agent in agents)
        given = {"days": 20, "stake": 100_000.0, **more}
        terms = Terms(world=WorldRef.of(world), seats=seats, **given)
        return create_run(tmp_path / name, terms, episodes=episodes, world_source=str(small_world))

    return make


def play(run: Run, episode: int = 0, diary: Diary | None = None) -> Result:
    diary = diary or Diary()
    return play_here(run, episode, diary, diary.stop)


def verify(run: Run, episode: int = 0) -> str:
    """The first derived file that differs from what the replay gives; raises Divergence if the replay differs."""
    folder, files = run.episode_folder(episode), replayed_files(run, episode)
    return next((name for name, content in files.items() if (folder / name).read_bytes() != content), "")


def files_of(run: Run) -> dict[str, bytes]:
    paths = [path for path in (run.folder / "episodes").rglob("*") if path.is_file()]
    return {str(path.relative_to(run.folder)): path.read_bytes() for path in paths}


def mine(name: str) -> str:
    return f"{MERCHANTS}:{name}"


def endings(result: Result) -> list[str]:
    return [end.ending for end in result.ends]


@dataclass
class Guest:
    """An external agent at a seat, whose turns are handed in from a thread of their own."""

    session: ExternalSeat
    threads: ThreadPoolExecutor

    def start(self, *calls: dict[str, Any]) -> Future[list[str]]:
        return self.threads.submit(lambda: [outcome.text for outcome in self.session.take(calls)])

    def take(self, *calls: dict[str, Any]) -> list[str]:
        return self.start(*calls).result(SECONDS)

    def finish(self) -> End:
        return self.threads.submit(self.session.finish).result(SECONDS)


@dataclass
class SharedMarket:
    """An episode that is played in a thread."""

    run: Run
    external: ExternalSeats
    threads: ThreadPoolExecutor
    playing: Future[Result]
    diary: Diary

    def sit_down(self, seat: int) -> Guest:
        return Guest(self.threads.submit(self.external[0][seat].opened).result(SECONDS), self.threads)

    def result(self) -> Result:
        return self.playing.result(SECONDS)

    def stop(self) -> Result:
        self.diary.stop.request()
        return self.result()


@contextmanager
def under_way(run: Run) -> Iterator[SharedMarket]:
    diary, external = Diary(), external_seats(run)
    with ThreadPoolExecutor() as threads:
        playing = threads.submit(play_here, run, 0, diary, diary.stop, external=external[0])
        try:
            yield SharedMarket(run, external, threads, playing, diary)
        finally:
            diary.stop.request()  # releases a thread that still waits


def names_of(turns: Sequence[Any]) -> set[str]:
    return {call["name"] for turn in turns for call in turn.calls}
