"""Progress of the episodes of a run: a table that is redrawn on a terminal, plain lines elsewhere."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from threading import Event, Thread
from time import monotonic

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ecbench.cancellation import StopFlag
from ecbench.cli.model_costs import duration
from ecbench.cli.plain_table import plain_table
from ecbench.cli.terminal import say
from ecbench.formatting import counted, yuan
from ecbench.harness.messages import RetryNotice
from ecbench.players.turn import State
from ecbench.players.turn_timer import SlowTurn
from ecbench.runs.folder import Run
from ecbench.runs.play.budget import Budget
from ecbench.runs.play.episodes import EpisodeOpening, Listener, Result
from ecbench.runs.record.lines import End

LINE_EVERY_DAYS = 30
MOST_ROWS = 16
MOST_WAITS = 4
STALL_SECONDS = 20  # without a turn, on a terminal
FIRST_NOTICE_SECONDS = 60  # elsewhere; the next one after twice as long, and so on
POLL_SECONDS = 1.0
BAR_WIDTH = 11
FINISHING = "The budget is reached: stopping at the end of the turn."
STOPPING = "Stopping at the end of the turn; press Ctrl-C again to stop at once."


class Silent(Listener):
    """For scripts that want only the result. That a merchant hangs is reported nevertheless."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def slow(self, episode: int, seat: int, turn: SlowTurn) -> None:
        if not turn.waits:
            say(f"{self._run.called(episode)}: {slow_seat(self._run, episode, seat, turn)}", err=True)


@dataclass(slots=True)
class Row:
    """One seat of an episode."""

    state: State | None = None
    news: str = ""  # of a retry or a slow turn, since the last turn


class RunProgress(Listener):
    """What every episode is doing. `live`: as a table, a row for each seat; or a line a month, a retry and a stall."""

    def __init__(
        self,
        console: Console,
        run: Run,
        episodes: Sequence[int],
        stop: StopFlag,
        budget: Budget | None = None,
        *,
        live: bool = False,
    ) -> None:
        self._console, self._run, self._stop, self._budget, self._live = console, run, stop, budget, live
        self._rows = {episode: [Row() for _ in range(run.seats)] for episode in episodes}
        self._results: dict[int, Result] = {}
        self._next_line: dict[int, int] = {}
        self._stalls = StallDetector()

    def opened(self, episode: int, opening: EpisodeOpening) -> None:
        self._stalls.progressed(episode, monotonic())
        for seat, state in opening.states.items():
            self._rows[episode][seat].state = state
        if opening.dropped:
            self._print(episode, f"dropped: {opening.dropped}")
        if opening.turns:
            verb = "is" if opening.turns == 1 else "are"
            self._tell(episode, f"{counted(opening.turns, 'recorded turn', ',')} {verb} replayed")

    def progressed(self, episode: int, seat: int, state: State) -> None:
        self._stalls.progressed(episode, monotonic())
        self._rows[episode][seat] = Row(state)
        states = [row.state for row in self._rows[episode] if row.state]
        day = min(each.day for each in states) if len(states) == self._run.seats else -1
        if day >= self._next_line.get(episode, 0):
            self._next_line[episode] = (day // LINE_EVERY_DAYS + 1) * LINE_EVERY_DAYS
            used = f"; {self._budget.state}" if self._budget else ""
            self._tell(episode, (_sentence(state) if self._run.seats == 1 else self._totals(episode, states)) + used)

    def on_retry(self, episode: int, seat: int, notice: RetryNotice) -> None:
        self._stalls.progressed(episode, monotonic())
        self._rows[episode][seat].news = what_failed(notice)
        self._tell(episode, f"{self._agent(episode, seat)}{what_failed(notice)}")

    def slow(self, episode: int, seat: int, turn: SlowTurn) -> None:
        self._rows[episode][seat].news = slow_seat(self._run, episode, seat, turn)
        self._tell(episode, self._rows[episode][seat].news)

    def closed(self, result: Result) -> None:
        self._results[result.episode] = result
        self._stalls.finished(result.episode)
        if not result.ends:
            self._tell(result.episode, outcome(result))
        for seat, end in enumerate(result.ends):
            self._tell(result.episode, f"{self._agent(result.episode, seat)}{how_it_ended(end)}")

    @contextmanager
    def shown(self) -> Iterator["RunProgress"]:
        """Meanwhile the table is redrawn, or lines tell of stalls."""
        if self._live:
            with Live(console=self._console, get_renderable=self.table, refresh_per_second=8, transient=True):
                yield self
            return
        done = Event()
        thread = Thread(target=self._watch_stalls, args=(done,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            done.set()
            thread.join()

    def _watch_stalls(self, done: Event) -> None:
        while not done.wait(POLL_SECONDS):
            for episode, seconds in self._stalls.due_notices(monotonic()):
                self._print(episode, f"no new turn for {duration(seconds)}")

    def _tell(self, episode: int, text: str) -> None:
        if not self._live:
            self._print(episode, text)

    def _print(self, episode: int, text: str) -> None:
        self._console.print(f"{self._run.called(episode)}: {text}", soft_wrap=True)

    def _totals(self, episode: int, states: Sequence[State]) -> str:
        labels = self._run.seat_labels(episode)
        totals = ", ".join(f"{label} {yuan(state.total)}" for label, state in zip(labels, states, strict=True))
        return f"{states[-1].time[:10]} (day {states[-1].day}) {totals}"

    def _agent(self, episode: int, seat: int) -> str:
        return "" if self._run.seats == 1 else f"{self._run.seat_labels(episode)[seat]}: "

    def table(self) -> Table:
        """The episodes that are playing, then as many finished ones as fit."""
        several = "Entry" if self._run.seats > 1 else "World"
        table = plain_table(">#", several, ">Date", "Year", ">Bank", ">Total", ">Stores", ">Calls", whole=True)
        playing = [e for e, rows in self._rows.items() if any(row.state for row in rows) and e not in self._results]
        over = [episode for episode in self._rows if episode in self._results]
        room = max(0, MOST_ROWS // self._run.seats - len(playing))
        for episode in sorted([*playing, *over[:room]]):
            for seat, row in enumerate(self._rows[episode]):
                table.add_row(*self._cells(episode, seat, row.state))
            if self._run.seats > 1:
                table.add_section()
        waiting = len(self._rows) - len(playing) - len(over)
        notes = [f"{len(playing)} playing, {len(over)} over, {waiting} waiting"] if len(self._rows) > 1 else []
        notes += [*([self._budget.state] if self._budget else []), *self._waits()]
        notes += [STOPPING] if self._stop.cancelling else [FINISHING] if self._stop.requested else []
        table.caption = "\n".join(notes) or None
        table.caption_justify = "left"
        return table

    def _cells(self, episode: int, seat: int, state: State | None) -> list[str | Text]:
        run, result = self._run, self._results.get(episode)
        name = run.seat_labels(episode)[seat] if run.seats > 1 else run.world_of(episode).name
        end = result.ends[seat] if result and result.ends else None
        ended = end.ending.replace("_", " ") if end else "not played on" if result else ""
        if state is None:
            return [str(episode), name, "", ended]
        day = date.fromisoformat(state.time[:10])
        full = min(BAR_WIDTH, round(state.day / run.terms.days * BAR_WIDTH))
        year = ended or Text("━" * full + " " * (BAR_WIDTH - full), style="cyan")
        money = (yuan(state.bank), yuan(state.total))
        return [str(episode), name, f"{day.day} {day:%b}", year, *money, str(state.stores), f"{state.calls:,}"]

    def _waits(self) -> list[str]:
        """Why episodes have no new turn, as far as there is room."""
        now, waits = monotonic(), []
        for episode, rows in self._rows.items():
            lasted = self._stalls.idle_seconds(episode, now)
            news = [row.news for row in rows if row.news and episode not in self._results]
            stalled = [f"no new turn for {duration(lasted)}"] if lasted >= STALL_SECONDS else []
            waits += [f"Episode {episode}: {each}" for each in news or stalled]
        more = len(waits) - MOST_WAITS
        return waits if more <= 0 else [*waits[:MOST_WAITS], f"and {counted(more, 'more episode', ',')} that must wait"]


def slow_seat(run: Run, episode: int, seat: int, turn: SlowTurn) -> str:
    """A seat that keeps its rivals waiting."""
    name = run.seat_labels(episode)[seat]
    text = f"seat {seat} ({name}) has given no turn for {turn.seconds:,.0f} s, on day {turn.day}"
    if turn.waits:
        return f"{text}; the others wait for it"
    return f"{text}; Ctrl-C stops the run, and resuming it with --turn-seconds N lets such a seat leave"


def what_failed(notice: RetryNotice) -> str:
    """A request that failed, and when it is sent again."""
    waited = f", {duration(notice.waited)} waited so far" if notice.waited >= 1 else ""
    return f"{notice.reason}; asked again in {duration(notice.backoff)} (retry {notice.retries}{waited})"


def outcome(result: Result) -> str:
    """How an episode ended, in a few words."""
    return f"not played on: {result.problem}" if result.end is None else how_it_ended(result.end)


def how_it_ended(end: End) -> str:
    """The ending of a seat, its day and its money."""
    text = f"{end.ending.replace('_', ' ')} on day {end.day} with {yuan(end.final_assets)}"
    return f"{text} ({end.reason})" if end.reason else text


def _sentence(state: State) -> str:
    return (
        f"{state.time[:10]} (day {state.day}) bank {yuan(state.bank)}, wallet {yuan(state.wallet)}, "
        f"escrow {yuan(state.escrow)}, total {yuan(state.total)}, {counted(state.stores, 'store', ',')}, "
        f"{counted(state.calls, 'call', ',')}"
    )


class StallDetector:
    """The time since the last turn of each episode. `now` comes from any one clock, in seconds."""

    def __init__(self) -> None:
        self._last: dict[int, float] = {}
        self._next_notice: dict[int, float] = {}

    def progressed(self, episode: int, now: float) -> None:
        self._last[episode] = now
        self._next_notice[episode] = FIRST_NOTICE_SECONDS

    def finished(self, episode: int) -> None:
        self._last.pop(episode, None)

    def idle_seconds(self, episode: int, now: float) -> float:
        return now - self._last.get(episode, now)

    def due_notices(self, now: float) -> list[tuple[int, float]]:
        """Episodes that need a notice now, and for how long they have been idle."""
        due = [(e, now - since) for e, since in list(self._last.items()) if now - since >= self._next_notice[e]]
        for episode, idle in due:
            while self._next_notice[episode] <= idle:
                self._next_notice[episode] *= 2
        return due
