"""Seats of an arena on the board: any turn of any seat, as the market stood then."""

import io
import random
import zipfile
from pathlib import Path

import pytest
from tests.runs.arena.test_rounds import NewArena, Onlooker, new_arena, play
from tests.runs.conftest import TRADER

from ecbench.board.arena_snapshots import ArenaFilm, SeatFilm
from ecbench.board.proof_file import commands_of, proof_of
from ecbench.board.run_index import Library
from ecbench.board.state_view import position
from ecbench.board.timeline import timeline
from ecbench.cli import main as ecbench
from ecbench.runs.folder import open_run
from ecbench.runs.play.episodes import read_episode

__all__ = ["new_arena"]


def test_any_turn_of_any_seat_stands_as_it_was_recorded(new_arena: NewArena) -> None:
    run = new_arena(TRADER, "idle", TRADER, days=25)
    play(run)
    market, draws = ArenaFilm(run, 0), random.Random("seats")
    for seat in range(3):
        film = SeatFilm(market, seat)
        recording = read_episode(open_run(run.seat_folder(0, seat)), 0)
        assert film.length == len(recording.turns)
        for turn in [1, film.length, *(draws.randrange(1, film.length) for _ in range(6))]:
            state, seen = recording.states[turn - 1], film.at(turn)
            assert (seen.now.isoformat(), seen.bank, seen.escrow) == (state.time, state.bank, state.escrow)
        assert film.end.report() == market.at(len(market.moves)).report(seat)


def test_a_round_that_was_stopped_is_shown_as_far_as_it_goes(new_arena: NewArena) -> None:
    run = new_arena(TRADER, TRADER, days=20)
    play(run, onlooker=Onlooker(stop_on_day=6))
    film = SeatFilm(ArenaFilm(run, 0), 1)
    assert film.length > 3 and film.at(film.length).day >= 5


def test_seats_are_on_the_shelf_and_know_their_rivals(new_arena: NewArena, tmp_path: Path) -> None:
    run = new_arena(TRADER, "idle", "idle", days=10)
    play(run)
    library = Library(tmp_path)
    spines = [spine for spine in library.spines() if "seats" in spine.folder]
    assert len(spines) == 3
    trader = next(spine for spine in spines if "MyMerchant" in spine.agent)
    assert len(library.rivals(trader.id)) == 2
    film = library.film(trader.id, 0)
    assert position(film, film.length).day == 10
    assert len(timeline(film, "year_end", "", []).bank) == 11


def test_a_seat_is_proven_by_its_whole_arena(new_arena: NewArena, tmp_path: Path) -> None:
    run = new_arena(TRADER, "idle", days=10)
    play(run)
    seat = open_run(run.seat_folder(0, 0))
    with zipfile.ZipFile(io.BytesIO(proof_of(seat))) as archive:
        archive.extractall(tmp_path / "elsewhere")
    [folder] = (tmp_path / "elsewhere").iterdir()
    assert commands_of(seat) == [f"unzip {folder.name}.zip", f"ecbench replay {folder.name} --verify"]
    with pytest.raises(SystemExit) as ended:
        ecbench(["replay", str(folder), "--verify"])
    assert not ended.value.code
