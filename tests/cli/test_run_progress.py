"""Progress: a line a month or a minute, and why an episode waits."""

from itertools import count

import pytest
from msgspec.structs import replace
from tests.run_values import run_of as run_of_terms
from tests.run_values import year_terms

from ecbench.cli import progress
from ecbench.cli.progress import RunProgress, outcome
from ecbench.players.turn import State
from ecbench.players.turn_timer import SlowTurn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import EpisodeOpening, RequestRepeated, Result, TurnRecorded
from ecbench.runs.record.lines import End
from ecbench.runs.terms import SeatTerms, WorldRef


def state(day: int, bank: float = 1_234_567.8) -> State:
    return State(day * 2, f"2026-02-{day + 1:02d}T08:00:00", day, bank, 50.0, 1_000.4, 3, 4_321)


def over(episode: int, *agents: str) -> Result:
    return Result(episode, tuple(End("year_end", 2_000_000.0, 365, 700, 4_000) for _ in agents))


def run_of(*agents: str) -> Run:
    """A run that is nowhere on disk, with a seat for each agent."""
    terms = replace(year_terms("default", "idle"), seats=tuple(map(SeatTerms, agents)))
    return run_of_terms("out", terms, 200, (WorldRef("default", "id", 5, "default"),))


def test_lines_of_an_arena_name_its_agents(capsys: pytest.CaptureFixture[str]) -> None:
    lines = RunProgress(run_of("steady", "idle"))
    for seat in range(2):
        lines(0, TurnRecorded(seat, State(1, "2026-02-10T08:00:00", 40, 100.0 + seat, 0.0, 0.0, 1, 7)))
    lines(0, RequestRepeated(1, BUSY))
    lines(0, SlowTurn(1, 40, 70.0, waits=True))
    lines(0, over(0, "steady", "idle"))
    assert capsys.readouterr().out.splitlines() == [
        "episode 0: 2026-02-10 (day 40) steady ¥100, idle ¥101",
        "episode 0: idle: openai/m: the provider failed (HTTP 503: [/red] busy); asked again in 4 s "
        "(retry 3, 7 s waited so far)",
        "episode 0: seat 1 (idle) has given no turn for 70 s, on day 40; the others wait for it",
        "episode 0: steady: year end on day 365 with ¥2,000,000",
        "episode 0: idle: year end on day 365 with ¥2,000,000",
    ]


def test_a_silent_run_tells_only_of_a_merchant_that_hangs(capsys: pytest.CaptureFixture[str]) -> None:
    lines = RunProgress(run_of("steady", "idle"), silent=True)
    lines(0, SlowTurn(0, 40, 70.0, waits=True))
    lines(0, SlowTurn(1, 40, 10.0, waits=False))
    out, err = capsys.readouterr()
    assert out == "" and err == (
        "episode 0: seat 1 (idle) has given no turn for 10 s, on day 40; "
        "Ctrl-C stops the run, and resuming it with --turn-seconds N lets such a seat leave\n"
    )


def test_where_days_take_long_a_line_comes_every_minute(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, clock = RunProgress(run_of("steady")), count(0, 25)
    monkeypatch.setattr(progress, "monotonic", lambda: float(next(clock)))
    for day in range(1, 8):
        lines(0, TurnRecorded(0, state(day)))
    assert [line[22:29] for line in capsys.readouterr().out.splitlines()] == ["(day 1)", "(day 4)", "(day 7)"]


def test_lines_come_once_a_month_and_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    lines = RunProgress(run_of("steady"))
    lines(3, EpisodeOpening(12, {0: state(1)}, "the last line was not finished"))
    for day in range(1, 28):
        lines(3, TurnRecorded(0, state(day)))
    lines(3, over(3, "steady"))
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "episode 3: dropped: the last line was not finished"
    assert told[1] == "episode 3: 12 recorded turns are replayed"
    assert told[2].startswith("episode 3: 2026-02-02 (day 1) bank ¥1,234,568, wallet ¥50, escrow ¥1,000, ")
    assert told[3:] == ["episode 3: year end on day 365 with ¥2,000,000"]


def test_an_episode_without_an_end_says_why() -> None:
    assert outcome(Result(0, problem="the disk is full")) == "not played on: the disk is full"
    stopped = End("stopped", 5.0, 7, 9, 9, "the merchant failed: KeyError: 'x'")
    assert outcome(Result(0, (stopped,))) == "stopped on day 7 with ¥5 (the merchant failed: KeyError: 'x')"


BUSY = "openai/m: the provider failed (HTTP 503: [/red] busy); asked again in 4 s (retry 3, 7 s waited so far)"
