"""Processes of this program search for garbage seldom; a library leaves that to the program that uses it."""

import gc
import subprocess
import sys

from tests.runs.conftest import NewRun, Play, run_tasks

from ecbench.market.marketplace import Account
from ecbench.players.merchants.protocol import call
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.external_sessions import YearSession
from ecbench.runs.play.recorded_table import replay_episode
from ecbench.runs.workers.processes import Processes
from ecbench.world.model import World


def own_threshold(*_: object) -> int:
    return gc.get_threshold()[0]


def threshold_after(statement: str) -> int:
    """Of a new process that does no more than this."""
    program = f"import gc; {statement}; print(gc.get_threshold()[0])"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    return int(shown.stdout)


def test_a_worker_searches_for_garbage_seldom() -> None:
    assert run_tasks(Processes(), own_threshold).results[0] > 10 * threshold_after("pass")


def test_the_library_leaves_the_collector_as_it_is() -> None:
    assert threshold_after("import ecbench; ecbench.Episode(ecbench.load_world('default'))") == threshold_after("pass")


def accounts() -> int:
    return sum(isinstance(each, Account) for each in gc.get_objects())


def test_years_that_are_played_replayed_and_left_leave_nothing_to_the_garbage_collector(
    new_run: NewRun, play: Play, world: World
) -> None:
    """A process that searches for garbage seldom has the memory of each year back as soon as it is over."""
    run, left = new_run(), new_run("visitor", name="left")
    gc.collect()
    before = accounts()
    gc.disable()
    try:
        assert play(run).end is not None
        replay_episode(run.terms_of(0), 0, world, read_episode(run, 0))
        assert accounts() == before
        year = YearSession(left, 0, world)
        year.take([call("wait_for_next_day")])
        assert accounts() == before + 1
        year.finish()
        year.close()
        assert accounts() == before
    finally:
        gc.enable()
