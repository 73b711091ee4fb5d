"""Where a recorded year is looked at."""

from random import Random

import pytest
from tests.runs.conftest import Diary, NewRun, Play
from tests.season.forger import Forger

from ecbench.analysis.review.recorded_year import positions_of, replay_positions
from ecbench.errors import Divergence
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode

STAKE = 100_000.0


def test_there_is_a_position_for_the_first_turn_that_reached_each_week(traded: Run) -> None:
    recording = read_episode(traded, 0)
    positions = positions_of(recording, STAKE)
    assert [position.day for position in positions] == [*range(0, 60, 7)]
    for position in positions[1:]:
        assert recording.states[position.entries - 1].day == position.day > recording.states[position.entries - 2].day


def test_a_position_has_the_books_that_were_recorded(traded: Run) -> None:
    recording = read_episode(traded, 0)
    positions = positions_of(recording, STAKE)
    for position, year in zip(positions, replay_positions(traded, 0, positions), strict=True):
        assert year.day == position.day
        if position.entries:
            state = recording.states[position.entries - 1]
            assert (year.bank, year.wallet, year.escrow) == (state.bank, state.wallet, state.escrow)
        assert position.assets == pytest.approx(year.bank + year.wallet + year.escrow, abs=0.01)


def test_a_year_that_goes_on_is_also_looked_at_where_it_stands_and_keeps_its_checks(
    new_run: NewRun, play: Play
) -> None:
    """What was found out about its weeks stays true."""
    run = new_run(days=60)
    play(run, diary=Diary(stop_on_day=30))
    before = positions_of(read_episode(run, 0), STAKE)
    assert [position.day for position in before] == [0, 7, 14, 21, 28, 30]
    play(run)
    after = positions_of(read_episode(run, 0), STAKE)
    assert after[:5] == before[:5]
    assert len({position.check for position in after}) == len(after)


def test_a_record_from_which_the_replay_differs_is_not_evaluated(traded: Run) -> None:
    with Forger(traded.folder, Random()).edited(0) as lines:
        lines[1]["outcomes"][0]["reply"] = {}
    with pytest.raises(Divergence, match="a turn of seat 0 on day 0 differs from the record"):
        list(replay_positions(traded, 0, positions_of(read_episode(traded, 0), STAKE)))
