"""A year that somebody from outside plays: its end is told first, and its files follow."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.adapters.hosting import WAIT, begin
from tests.runs.conftest import files_of

from ecbench.errors import RunError
from ecbench.runs.folder import Run, create_run
from ecbench.runs.play import external_sessions
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.external_sessions import ExternalSession, PlayedOn, TurnRequest, YearOver, YearSession
from ecbench.runs.results.derived_files import DERIVED
from ecbench.runs.terms import Terms
from ecbench.world.model import World


def test_a_year_of_training_is_synced_with_its_first_line_and_its_last(
    small_world: Path, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terms = Terms.alone(world, agent="policy", transport="rl", days=3)
    run = create_run(tmp_path / "run", terms, episodes=1, world_source=str(small_world))
    synced = list[int]()
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file).st_size))
    year = YearSession(run, 0, world)
    first = run.events_path(0).stat().st_size
    for _ in range(3):
        assert synced[-1] == first
        year.take([WAIT])
    assert year.end is not None and synced[-1] == run.events_path(0).stat().st_size


@pytest.fixture
def run(small_world: Path, world: World, tmp_path: Path) -> Run:
    return begin(tmp_path / "run", world, small_world)


@pytest.fixture
def session(run: Run, world: World) -> Iterator[ExternalSession]:
    made = ExternalSession(lambda: YearSession(run, 0, world), lambda number: read_episode(run, 0).turns[number - 1])
    yield made
    made.close()


def test_the_last_turn_ends_the_year_and_its_files_are_made(run: Run, world: World) -> None:
    year = YearSession(run, 0, world)
    while year.end is None:
        year.take([WAIT])
    assert year.end.ending == "year_end" and year.year is None
    assert set(files_of(run)) == {"events.jsonl", *DERIVED}
    with pytest.raises(RunError, match="the year is over"):
        year.take([WAIT])


def test_a_session_refuses_turns_after_others_than_the_agent_knows_and_after_the_end(session: ExternalSession) -> None:
    session.take(TurnRequest([WAIT], after=0))
    with pytest.raises(PlayedOn):
        session.take(TurnRequest([WAIT], after=0))
    session.finish()
    with pytest.raises(YearOver):
        session.take(TurnRequest([WAIT]))


def test_after_a_failure_a_session_opens_again_from_its_record(session: ExternalSession) -> None:
    session.take(TurnRequest([WAIT]))
    with pytest.raises(RuntimeError), session.used():
        raise RuntimeError
    assert session.seat is None
    assert session.take(TurnRequest([WAIT])).number == 2


def test_an_idle_session_is_closed_and_continues(session: ExternalSession, monkeypatch: pytest.MonkeyPatch) -> None:
    session.take(TurnRequest([WAIT]))
    session.close_if_idle()
    assert session.seat is not None
    monkeypatch.setattr(external_sessions, "IDLE_SECONDS", -1.0)
    session.close_if_idle()
    assert session.seat is None
    assert session.take(TurnRequest([WAIT])).number == 2
