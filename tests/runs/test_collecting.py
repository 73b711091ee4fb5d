"""Processes of our own look for garbage seldom; a library leaves that to the program that uses it."""

import gc
import subprocess
import sys
from math import prod

from tests.runs.conftest import NewRun, Play

from ecbench.market.marketplace import Account
from ecbench.cancellation import StopFlag
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.recorded_seat import replay_year
from ecbench.runs.workers.gc_policy import SELDOM_LOOKS, SHORT_LOOKS
from ecbench.runs.workers.worker_process import Line, hire
from ecbench.world.model import World


def tell_threshold(line: Line, _stop: StopFlag) -> None:
    line.send(gc.get_threshold()[0])


def threshold_after(statement: str) -> int:
    """Of a new process that does no more than this."""
    program = f"import gc; {statement}; print(gc.get_threshold()[0])"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    return int(shown.stdout)


def test_a_worker_looks_for_garbage_seldom() -> None:
    worker = hire(tell_threshold)
    try:
        assert worker.line.poll(60)
        assert worker.line.recv() > 10 * threshold_after("pass")
    finally:
        worker.dismiss()


def test_the_library_leaves_the_collector_as_it_is() -> None:
    assert threshold_after("import ecbench; ecbench.Episode(ecbench.load_world('default'))") == threshold_after("pass")


def test_a_host_looks_often_at_what_is_new_and_seldom_at_everything() -> None:
    """A little is looked through in no time, and while it looks through all years every agent waits."""
    often = threshold_after("from ecbench.runs.workers.gc_policy import collect_briefly; collect_briefly()")
    assert often < threshold_after("from ecbench.runs.workers.gc_policy import collect_seldom; collect_seldom()")
    assert prod(SHORT_LOOKS) > prod(SELDOM_LOOKS)


def accounts() -> int:
    return sum(isinstance(each, Account) for each in gc.get_objects())


def test_years_that_are_played_and_replayed_leave_nothing_to_the_garbage_collector(
    new_run: NewRun, play: Play, world: World
) -> None:
    """A process that looks for garbage seldom has the memory of each year back as soon as it is over."""
    run = new_run()
    gc.collect()
    before = accounts()
    gc.disable()
    try:
        assert play(run).end is not None
        replay_year(run.terms_of(0), 0, world, read_episode(run, 0))
        assert accounts() == before
    finally:
        gc.enable()
