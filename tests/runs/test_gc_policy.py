"""Processes of this program search for garbage seldom; a library leaves that to the program that uses it."""

import gc

from tests.runs.conftest import NewRun, Play

from ecbench.market.marketplace import Account
from ecbench.players.merchants.protocol import call
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.external_sessions import YearSession
from ecbench.runs.play.recorded_table import replay_episode
from ecbench.world.model import World


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
