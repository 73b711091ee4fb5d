"""Live progress: a table that stays readable for one or many episodes, and plain lines where nobody watches."""

import io
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from rich.console import Console
from tests.run_values import run_of as run_of_terms
from tests.run_values import year_terms

from ecbench.cancellation import StopFlag
from ecbench.cli.progress import MOST_ROWS, MOST_WAITS, STOPPING, RunProgress, StallDetector, outcome
from ecbench.formatting import yuan
from ecbench.harness.messages import RetryNotice
from ecbench.players.turn import State
from ecbench.players.turn_timer import SlowTurn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import EpisodeOpening, Result
from ecbench.runs.record.lines import End
from ecbench.runs.run_worlds import WorldRef
from ecbench.runs.terms import SeatTerms


def state(day: int, bank: float = 1_234_567.8) -> State:
    return State(day * 2, f"2026-02-{day + 1:02d}T08:00:00", day, bank, 50.0, 1_000.4, 3, 4_321)


def over(episode: int, *agents: str) -> Result:
    return Result(episode, tuple(End("year_end", 2_000_000.0, 365, 700, 4_000) for _ in agents or ("steady",)))


def run_of(*agents: str, worlds: Sequence[str] = ("default",)) -> Run:
    """A run that is nowhere on disk, with a seat for each agent."""
    seats = tuple(map(SeatTerms, agents or ("steady",)))
    refs = tuple(WorldRef(name, "id", 5, name) for name in worlds)
    return run_of_terms("out", replace(year_terms("default", "idle"), seats=seats), 200, refs)


def lines_of(run: Run | None = None) -> tuple[RunProgress, io.StringIO]:
    """The progress of episodes as lines, and where they are printed."""
    text = io.StringIO()
    return RunProgress(Console(file=text, width=60, markup=False), run or run_of(), range(5), StopFlag()), text


def board_of(episodes: Sequence[int], run: Run | None = None, stop: StopFlag | None = None) -> RunProgress:
    return RunProgress(Console(file=io.StringIO()), run or run_of(), episodes, stop or StopFlag(), live=True)


def shown(board: RunProgress, width: int = 110) -> str:
    text = io.StringIO()
    Console(file=text, width=width, markup=False).print(board.table())
    return text.getvalue()


def test_a_row_shows_world_date_money_stores_and_calls_uncut_on_a_narrow_terminal() -> None:
    names = ["seed-2451967006", "default"]
    board = board_of(range(100, 104), run_of(worlds=names))
    for episode in range(100, 103):
        board.progressed(episode, 0, State(1, "2026-12-27T09:00:00", 360, 28_937_404.0, 163_485.0, 0.0, 4, 3_517))
    board.closed(over(101))
    rows = [line.split() for line in shown(board, 80).splitlines()[2:5]]
    money = ["¥28,937,404", "¥29,100,889", "4", "3,517"]
    assert rows[0] == ["100", names[0], "27", "Dec", "━" * 11, *money]
    assert rows[1] == ["101", names[1], "27", "Dec", "year", "end", *money]


def test_each_seat_of_an_arena_has_a_row() -> None:
    board = board_of([1], run_of("steady", "idle", "idle"))
    for seat, bank in enumerate((100.0, 300.0, 200.0)):
        board.progressed(1, seat, State(1, "2026-02-10T08:00:00", 40, bank, 0.0, 0.0, 1, 7))
    rows = [line.split() for line in shown(board).splitlines()[2:5]]
    assert [row[1] for row in rows] == ["idle-2", "steady", "idle-1"]  # one seat further than in episode 0
    board.closed(over(1, "steady", "idle", "idle"))
    assert shown(board).count("year end") == 3


def test_lines_of_an_arena_name_its_agents() -> None:
    lines, text = lines_of(run_of("steady", "idle"))
    for seat in range(2):
        lines.progressed(0, seat, State(1, "2026-02-10T08:00:00", 40, 100.0 + seat, 0.0, 0.0, 1, 7))
    lines.on_retry(0, 1, BUSY)
    lines.slow(0, 1, SlowTurn(70.0, 40, waits=True))
    lines.closed(over(0, "steady", "idle"))
    assert text.getvalue().splitlines() == [
        "episode 0: 2026-02-10 (day 40) steady ¥100, idle ¥101",
        "episode 0: idle: openai/m: the provider failed (HTTP 503: [/red] busy); asked again in 4 s "
        "(retry 3, 7 s waited so far)",
        "episode 0: seat 1 (idle) has given no turn for 70 s, on day 40; the others wait for it",
        "episode 0: steady: year end on day 365 with ¥2,000,000",
        "episode 0: idle: year end on day 365 with ¥2,000,000",
    ]


def test_many_episodes_fit_one_screen_and_those_that_play_come_first() -> None:
    board = board_of(range(200))
    for episode in range(150):
        board.progressed(episode, 0, state(3))
        if episode < 145:
            board.closed(over(episode))
    lines = shown(board).splitlines()
    assert len(lines) == MOST_ROWS + 3
    assert lines[-1].strip() == "5 playing, 145 over, 50 waiting"
    assert [line.split()[0] for line in lines[-6:-1]] == ["145", "146", "147", "148", "149"]


@pytest.mark.parametrize("episodes", [1, 2])
def test_the_board_says_that_a_stop_was_asked_for(episodes: int) -> None:
    stop = StopFlag()
    board = board_of(range(episodes), stop=stop)
    board.progressed(0, 0, state(3))
    assert STOPPING not in " ".join(shown(board).split())
    stop.request()
    assert STOPPING in " ".join(shown(board).split())


def test_lines_come_once_a_month_and_at_the_end() -> None:
    lines, text = lines_of()
    lines.opened(3, EpisodeOpening(12, {0: state(1)}, "the last line was not finished"))
    for day in range(1, 28):
        lines.progressed(3, 0, state(day))
    lines.closed(over(3))
    told = text.getvalue().splitlines()
    assert told[0] == "episode 3: dropped: the last line was not finished"
    assert told[1] == "episode 3: 12 recorded turns are replayed"
    assert told[2].startswith("episode 3: 2026-02-02 (day 1) bank ¥1,234,568, wallet ¥50, escrow ¥1,000, ")
    assert told[3:] == ["episode 3: year end on day 365 with ¥2,000,000"]


@pytest.mark.parametrize(
    ("amount", "text"), [(1_431_425.4, "¥1,431,425"), (-10_000.0, "-¥10,000"), (-0.2, "¥0"), (0.0, "¥0")]
)
def test_money_is_written_for_people(amount: float, text: str) -> None:
    assert yuan(amount) == text


def test_an_episode_without_an_end_says_why() -> None:
    assert outcome(Result(0, problem="the disk is full")) == "not played on: the disk is full"
    stopped = End("stopped", 5.0, 7, 9, 9, "the merchant failed: KeyError: 'x'")
    assert outcome(Result(0, (stopped,))) == "stopped on day 7 with ¥5 (the merchant failed: KeyError: 'x')"


BUSY = RetryNotice("openai/m: the provider failed (HTTP 503: [/red] busy)", 4.2, 3, 7.4)


def test_the_board_shows_a_retry_until_the_next_turn() -> None:
    board = board_of([0])
    board.opened(0, EpisodeOpening(0, {}, ""))
    board.on_retry(0, 0, BUSY)
    told = " ".join(shown(board).split())
    assert "Episode 0: openai/m: the provider failed (HTTP 503: [/red] busy); asked again in 4 s" in told
    board.progressed(0, 0, state(9))
    assert "asked again" not in shown(board)


def test_many_episodes_that_wait_do_not_fill_the_screen() -> None:
    board = board_of(range(10))
    for episode in range(10):
        board.progressed(episode, 0, state(9))
        board.on_retry(episode, 0, BUSY)
    told = " ".join(shown(board).split())
    assert told.count("asked again") == MOST_WAITS
    assert told.endswith("and 6 more episodes that must wait")


def test_an_idle_episode_is_noticed_after_a_minute_and_then_after_twice_as_long() -> None:
    stalls = StallDetector()
    stalls.progressed(0, 100.0)
    stalls.progressed(1, 150.0)
    notices = [(moment, *notice) for moment in range(100, 500) for notice in stalls.due_notices(moment)]
    assert notices == sorted((100 + 50 * e + idle, e, idle) for e in (0, 1) for idle in (60, 120, 240))
    stalls.progressed(0, 500.0)
    stalls.finished(1)
    assert stalls.due_notices(559.0) == []
    assert stalls.due_notices(560.0) == [(0, 60.0)]


def test_half_a_yuan_is_shown_alike_with_and_without_the_digits_below_a_cent() -> None:
    """The record has all digits and reports have cents: one ending has one amount in progress, tables and pages."""
    for recorded in (65_204.500_000_1, 65_204.499_999_9):
        end = End("year_end", recorded, 90, 584, 584)
        assert (
            outcome(Result(0, (end,)))
            == f"year end on day 90 with {yuan(end.assets)}"
            == "year end on day 90 with ¥65,205"
        )
    assert [yuan(amount) for amount in (0.5, -0.5, -0.49, -0.499_999_9)] == ["¥1", "-¥1", "¥0", "-¥1"]
