"""Rounds of an arena: recorded seat by seat, gone on with, proven, taken over."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from ecbench.runs.arena.folder import ArenaRun, create_arena, open_arena
from ecbench.runs.arena.fork import take_over_seat
from ecbench.runs.arena.play import RoundResult, play_round
from ecbench.runs.arena.terms import ArenaTerms
from ecbench.runs.arena.verify import verify_round
from tests.cli.command import Command
from tests.runs.conftest import MERCHANTS, TRADER
from tests.runs.lives import KILL, STOPS, Life
from tests.runs.ordeal import Ordeal, manifest, undergo

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.harness.messages import RetryNotice
from ecbench.players.turn import State
from ecbench.players.turn_timer import SlowTurn
from ecbench.runs.folder import open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.results.checksum_manifest import CHECKSUMS, DERIVED

NewArena = Callable[..., ArenaRun]


@dataclass
class Onlooker:
    """Everything a listener is told; may ask for a stop on a given day."""

    stop: StopFlag = field(default_factory=StopFlag)
    stop_on_day: int | None = None
    states: list[tuple[int, int, State]] = field(default_factory=list)
    retry_notices: list[tuple[int, int, RetryNotice]] = field(default_factory=list)
    waits: list[tuple[int, int, SlowTurn]] = field(default_factory=list)
    results: list[RoundResult] = field(default_factory=list)

    def progressed(self, number: int, seat: int, state: State) -> None:
        self.states.append((number, seat, state))
        if self.stop_on_day is not None and state.day >= self.stop_on_day:
            self.stop.request()

    def on_retry(self, number: int, seat: int, notice: RetryNotice) -> None:
        self.retry_notices.append((number, seat, notice))

    def kept_waiting(self, number: int, seat: int, wait: SlowTurn) -> None:
        self.waits.append((number, seat, wait))

    def closed(self, result: RoundResult) -> None:
        self.results.append(result)


@pytest.fixture
def new_arena(small_world: Path, tmp_path: Path) -> NewArena:
    def make(*agents: str, name: str = "arena", days: int = 20, rounds: int = 1, **more: object) -> ArenaRun:
        terms = ArenaTerms(agents, rounds, (str(small_world),), days, 100_000.0, **more)  # type: ignore[arg-type]
        return create_arena(tmp_path / name, terms)

    return make


def play(run: ArenaRun, number: int = 0, onlooker: Onlooker | None = None) -> RoundResult:
    onlooker = onlooker or Onlooker()
    return play_round(run, number, onlooker, onlooker.stop)


def files_of(run: ArenaRun) -> dict[str, bytes]:
    paths = [path for path in (run.folder / "rounds").rglob("*") if path.is_file() and path.name != "run.json"]
    return {str(path.relative_to(run.folder)): path.read_bytes() for path in paths}


def mine(name: str) -> str:
    return f"{MERCHANTS}:{name}"


def endings(result: RoundResult) -> list[str | None]:
    return [year.end.ending if year.end else None for year in result.seats]


def test_a_round_is_played_recorded_and_proven(new_arena: NewArena) -> None:
    run = new_arena(TRADER, "idle", TRADER)
    result = play(run)
    assert result.over and endings(result) == ["year_end"] * 3
    difference, turns = verify_round(run, 0)
    assert difference == ""
    assert turns == [year.end.turns for year in result.seats if year.end]
    assert all(turn > 19 for turn in turns)


def test_a_seat_of_a_round_is_a_run_folder_of_its_own(new_arena: NewArena) -> None:
    run = new_arena(TRADER, "idle")
    play(run)
    seat = open_run(run.seat_folder(0, 1))
    assert (seat.terms.agent, seat.terms.arena and seat.terms.arena.seat) == ("idle", 1)
    assert read_episode(seat, 0).finished


def test_everybody_moves_on_by_one_seat_after_each_round(new_arena: NewArena) -> None:
    run = new_arena(TRADER, "idle", mine("Sleeper"), rounds=2, days=4)
    for number in range(2):
        play(run, number)
    agents = [[open_run(run.seat_folder(number, seat)).terms.agent for seat in range(3)] for number in range(2)]
    assert agents == [[TRADER, "idle", mine("Sleeper")], [mine("Sleeper"), TRADER, "idle"]]


def test_a_stopped_round_goes_on_to_the_same_files(new_arena: NewArena) -> None:
    whole, stopped = new_arena(TRADER, TRADER, "idle", name="whole"), new_arena(TRADER, TRADER, "idle", name="stopped")
    play(whole)
    halted = play(stopped, onlooker=Onlooker(stop_on_day=8))
    assert not halted.over and endings(halted) == ["stopped"] * 3
    again = play(open_arena(stopped.folder))
    assert again.over
    assert files_of(stopped) == files_of(whole)


def test_a_finished_round_is_not_played_again(new_arena: NewArena) -> None:
    run = new_arena("idle", "idle", days=3)
    play(run)
    before, onlooker = files_of(run), Onlooker()
    assert play(run, onlooker=onlooker).over
    assert not onlooker.states and files_of(run) == before


def test_a_merchant_that_stops_or_fails_leaves_the_market_and_the_others_play_on(
    new_arena: NewArena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clumsy").touch()
    run = new_arena(mine("Quitter"), mine("Clumsy"), TRADER)
    result = play(run)
    assert endings(result) == ["idle", "failed", "year_end"]
    reason = result.seats[1].end.reason if result.seats[1].end else ""
    assert "no such shelf" in reason and "merchants.py, line" in reason and "in turn 6" in reason
    assert verify_round(run, 0)[0] == ""
    (tmp_path / "clumsy").unlink()  # mended: what the others were answered rests on its departure all the same
    for path in run.round_folder(0).rglob("seal.json"):
        path.unlink()
    assert endings(play(run)) == ["idle", "failed", "year_end"]


def test_a_seat_alone_is_neither_played_nor_replayed(new_arena: NewArena, capsys: pytest.CaptureFixture[str]) -> None:
    run = new_arena("idle", "idle", days=3)
    play(run)
    told = Command(capsys, "replay", str(run.seat_folder(0, 1)), "--verify")
    assert told.code == 2 and "seat 1 of 2 in one market" in told.err


def test_a_reply_that_was_changed_is_found(new_arena: NewArena) -> None:
    run = new_arena(TRADER, "idle", days=6)
    play(run)
    market = run.round_folder(0) / "market.jsonl"
    whole = market.read_bytes()
    market.write_bytes(whole.replace(b'"seat":1,"turn":2', b'"seat":1,"turn":3', 1))
    assert "market.jsonl, line" in verify_round(run, 0)[0]
    market.write_bytes(whole)
    assert verify_round(run, 0)[0] == ""
    (run.seat_folder(0, 0) / "episodes" / "0" / "days.csv").write_text("nothing\n")
    assert "days.csv does not follow" in verify_round(run, 0)[0]


def test_terms_that_were_edited_are_refused(new_arena: NewArena) -> None:
    run = new_arena("idle", "idle", days=3)
    play(run)
    path = run.folder / "arena.json"
    path.write_text(path.read_text().replace('"days": 3', '"days": 4'))
    assert "states another days" in play(open_arena(run.folder)).problem
    path.write_text("{}")
    with pytest.raises(RunError, match="not written in schema 1"):
        open_arena(run.folder)


class ArenaOrdeal(Ordeal):
    """The same for an arena."""

    def begin(self, folder: Path, log: Path, fatal_write: int = 0) -> Life:
        begun = (folder / "arena.json").exists()
        command = ("resume", str(folder)) if begun else ("arena", *self.run, "--out", str(folder))
        return Life(*command, "--quiet", log=log, fatal_write=fatal_write)

    @property
    def files(self) -> int:
        """Of two rounds with three seats; the arena and each seat have a manifest and a summary."""
        return 2 + 2 * (1 + 3 * (2 + len(("events.jsonl", *DERIVED, CHECKSUMS))))

    def records(self, folder: Path) -> list[Path]:
        return sorted(folder.glob("rounds/*/seats/*/episodes/0/events.jsonl"))


def test_an_arena_ended_at_random_instants_comes_to_the_same_files(small_world: Path, tmp_path: Path) -> None:
    seats = f"{TRADER},{TRADER},idle"
    terms = ("--seats", seats, "--worlds", str(small_world), "--days", "25", "--rounds", "2")
    ordeal = ArenaOrdeal(terms, seconds=0.25, digests={"arena.json": manifest})
    deaths = [*STOPS, *[KILL] * 4]
    toll = undergo(ordeal, deaths, tmp_path, random.Random("an arena"))
    assert toll.unharmed, toll
    assert sum(toll.met.values()) == len(deaths)


def test_another_agent_takes_a_seat_over_and_the_others_play_on(new_arena: NewArena, tmp_path: Path) -> None:
    run = new_arena(TRADER, TRADER, "idle")
    play(run)
    forked = take_over_seat(run, number=0, seat=1, day=8, agent="idle", model={}).create_in(tmp_path / "fork")
    result = play(forked)
    assert result.over and verify_round(forked, 0)[0] == ""
    original, other = (read_episode(open_run(each.seat_folder(0, 1)), 0) for each in (run, forked))
    fork = open_run(forked.seat_folder(0, 1)).terms.fork
    assert fork is not None and original.states[fork.turns - 1].day == 8
    assert [turn.replies for turn in original.turns[: fork.turns]] == [
        turn.replies for turn in other.turns[: fork.turns]
    ]
    assert {call["name"] for turn in other.turns[fork.turns :] for call in turn.calls} == {"wait_for_next_day"}
    again = take_over_seat(run, number=0, seat=2, day=8, agent="idle", model={}).create_in(tmp_path / "same")
    play(again)
    days = [json.loads((each.seat_folder(0, 0) / "episodes/0/metrics.json").read_text()) for each in (run, again)]
    assert days[0] == days[1]


@pytest.mark.parametrize("day", [-1, 20, 400])
def test_a_day_that_the_round_has_not_seen_cannot_be_forked(new_arena: NewArena, tmp_path: Path, day: int) -> None:
    run = new_arena("idle", "idle")
    play(run)
    with pytest.raises(RunError, match="can be forked at days 0 to 19"):
        take_over_seat(run, number=0, seat=1, day=day, agent="idle", model={}).create_in(tmp_path / "fork")
