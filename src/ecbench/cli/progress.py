"""Progress of the episodes of a run: a live table on a terminal, plain lines elsewhere."""

from collections.abc import Callable, Iterator, Sequence
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
from ecbench.cli.plain_table import plain_table
from ecbench.cli.terminal import say
from ecbench.cli.usage_text import duration
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
STALL_SECONDS = 20  # without a turn
BAR_WIDTH = 11
WHOLE_FROM = 99.95  # times the stake
FINISHING = "The budget is reached: stopping at the end of the turn."
STOPPING = "Stopping at the end of the turn; press Ctrl-C again to stop at once."


class Silent(Listener):
    """For scripts that want only the result. That a merchant hangs is reported nevertheless."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def slow(self, episode: int, seat: int, turn: SlowTurn) -> None:
        if not turn.waits:
            say(f"{self._run.called(episode)}: {slow_seat(self._run, episode, seat, turn)}", err=True)


class Lines(Listener):
    """One line a month and episode, one for each retry of a model, one after a minute without news."""

    def __init__(self, console: Console, run: Run, budget: Budget | None = None) -> None:
        self._console = console
        self._run = run
        self._budget = budget
        self._next: dict[int, int] = {}
        self._states: dict[int, dict[int, State]] = {}  # by episode and seat
        self._stalls = StallDetector()

    def print_stalls(self) -> None:
        for episode, seconds in self._stalls.due_notices(monotonic()):
            self._say(episode, f"no new turn for {duration(seconds)}")

    def opened(self, episode: int, opening: EpisodeOpening) -> None:
        self._stalls.progressed(episode, monotonic())
        if opening.dropped:
            self._say(episode, f"dropped: {opening.dropped}")
        if opening.turns:
            verb = "is" if opening.turns == 1 else "are"
            self._say(episode, f"{counted(opening.turns, 'recorded turn', ',')} {verb} replayed")

    def progressed(self, episode: int, seat: int, state: State) -> None:
        self._stalls.progressed(episode, monotonic())
        states = self._states.setdefault(episode, {})
        states[seat] = state
        day = min(each.day for each in states.values()) if len(states) == self._run.seats else -1
        if day >= self._next.get(episode, 0):
            self._next[episode] = (day // LINE_EVERY_DAYS + 1) * LINE_EVERY_DAYS
            used = f"; {self._budget.state}" if self._budget else ""
            self._say(episode, (_sentence(state) if self._run.seats == 1 else self._totals(episode, state)) + used)

    def on_retry(self, episode: int, seat: int, notice: RetryNotice) -> None:
        self._stalls.progressed(episode, monotonic())
        self._say(episode, f"{self._agent(episode, seat)}{what_failed(notice)}")

    def slow(self, episode: int, seat: int, turn: SlowTurn) -> None:
        self._say(episode, slow_seat(self._run, episode, seat, turn))

    def closed(self, result: Result) -> None:
        self._stalls.finished(result.episode)
        if not result.ends:
            self._say(result.episode, outcome(result))
        for seat, end in enumerate(result.ends):
            self._say(result.episode, f"{self._agent(result.episode, seat)}{how_it_ended(end)}")

    def _totals(self, episode: int, state: State) -> str:
        labels, states = self._run.seat_labels(episode), self._states[episode]
        totals = ", ".join(f"{labels[seat]} {yuan(states[seat].total)}" for seat in sorted(states))
        return f"{state.time[:10]} (day {state.day}) {totals}"

    def _agent(self, episode: int, seat: int) -> str:
        return "" if self._run.seats == 1 else f"{self._run.seat_labels(episode)[seat]}: "

    def _say(self, episode: int, text: str) -> None:
        self._console.print(f"{self._run.called(episode)}: {text}", soft_wrap=True)


@dataclass(slots=True)
class Row:
    """One seat of an episode on the board."""

    state: State | None = None
    notice: RetryNotice | None = None  # since the last turn
    slow: SlowTurn | None = None


class Board(Listener):
    """A row per episode and seat: those that are playing, then as many finished ones as fit."""

    def __init__(
        self,
        console: Console,
        run: Run,
        episodes: Sequence[int],
        stop: StopFlag,
        budget: Budget | None = None,
    ) -> None:
        self._run = run
        self._budget = budget
        self._rows = {episode: [Row() for _ in range(run.seats)] for episode in episodes}
        self._results: dict[int, Result] = {}
        self._stalls = StallDetector()
        self._stop = stop
        self._live = Live(console=console, get_renderable=self.table, refresh_per_second=8, transient=True)

    def __enter__(self) -> "Board":
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def opened(self, episode: int, opening: EpisodeOpening) -> None:
        for seat, state in opening.states.items():
            self._rows[episode][seat].state = state
        self._stalls.progressed(episode, monotonic())
        if opening.dropped:
            self._live.console.print(f"Episode {episode}: dropped: {opening.dropped}")

    def progressed(self, episode: int, seat: int, state: State) -> None:
        self._rows[episode][seat] = Row(state)
        self._stalls.progressed(episode, monotonic())

    def on_retry(self, episode: int, seat: int, notice: RetryNotice) -> None:
        self._rows[episode][seat].notice = notice
        self._stalls.progressed(episode, monotonic())

    def slow(self, episode: int, seat: int, turn: SlowTurn) -> None:
        self._rows[episode][seat].slow = turn

    def closed(self, result: Result) -> None:
        self._results[result.episode] = result
        self._stalls.finished(result.episode)

    def table(self) -> Table:
        table = plain_table(*self._columns(), no_wrap=True)
        playing = [e for e, rows in self._rows.items() if any(row.state for row in rows) and e not in self._results]
        over = [episode for episode in self._rows if episode in self._results]
        room = max(0, MOST_ROWS // self._run.seats - len(playing))
        for episode in sorted([*playing, *over[:room]]):
            for seat, row in enumerate(self._rows[episode]):
                table.add_row(str(episode), *self._cells(episode, seat, row))
            if self._run.seats > 1:
                table.add_section()
        waiting = len(self._rows) - len(playing) - len(over)
        notes = [f"{len(playing)} playing, {len(over)} over, {waiting} waiting"] if len(self._rows) > 1 else []
        notes += [*([self._budget.state] if self._budget else []), *self._waits()]
        notes += [STOPPING] if self._stop.cancelling else [FINISHING] if self._stop.requested else []
        table.caption = "\n".join(notes) or None
        table.caption_justify = "left"
        return table

    def _columns(self) -> list[str]:
        if self._run.seats > 1:
            return [">#", "Entry", ">Date", "Year", ">Bank", ">Total", ">Stores", ">Calls", ">Place"]
        own = ("World",) if len(self._run.worlds) > 1 else ()
        amounts = (">Bank", ">Total") if own else (">Bank", ">Wallet", ">Escrow", ">Total")
        return [">#", *own, ">Date", "Year", *amounts, ">Stores", ">Calls"]

    def _waits(self) -> list[str]:
        """Why episodes have no new turn, as far as there is room."""
        now = monotonic()
        waits = []
        for episode, rows in self._rows.items():
            if episode in self._results:
                continue
            lasted = self._stalls.idle_seconds(episode, now)
            for seat, row in enumerate(rows):
                if row.notice is not None:
                    waits.append(f"Episode {episode}: {what_failed(row.notice)}")
                elif row.slow is not None:
                    waits.append(f"Episode {episode}: {slow_seat(self._run, episode, seat, row.slow)}")
                elif lasted >= STALL_SECONDS and seat == 0:
                    waits.append(f"Episode {episode}: no new turn for {duration(lasted)}")
        more = len(waits) - MOST_WAITS
        return waits if more <= 0 else [*waits[:MOST_WAITS], f"and {counted(more, 'more episode', ',')} that must wait"]

    def _cells(self, episode: int, seat: int, row: Row) -> list[str | Text]:
        state, result, shared = row.state, self._results.get(episode), self._run.seats > 1
        names = [self._run.seat_labels(episode)[seat]] if shared else self._world(episode)
        ended = _ending(result.at(seat)) if result else ""
        if state is None:
            return [*names, "", ended]
        amounts = (state.bank, state.total) if names else (state.bank, state.wallet, state.escrow, state.total)
        year = ended or Text(_bar(state.day / self._run.terms.days), style="cyan")
        cells = [*names, day_of_year(state.time), year, *map(yuan, amounts), str(state.stores), f"{state.calls:,}"]
        return [*cells, self._place(episode, state)] if shared else cells

    def _place(self, episode: int, state: State) -> str:
        totals = [row.state.total for row in self._rows[episode] if row.state]
        return f"#{1 + sum(total > state.total for total in totals)}"

    def _world(self, episode: int) -> list[str]:
        return [self._run.world_of(episode).name] if len(self._run.worlds) > 1 else []


def slow_seat(run: Run, episode: int, seat: int, turn: SlowTurn) -> str:
    """A seat that keeps its rivals waiting."""
    name = run.seat_labels(episode)[seat]
    text = f"seat {seat} ({name}) has given no turn for {turn.seconds:,.0f} s, on day {turn.day}"
    if turn.waits:
        return f"{text}; the others wait for it"
    return f"{text}; Ctrl-C stops the run, and resuming it with --turn-seconds N lets such a seat leave"


def what_failed(notice: RetryNotice) -> str:
    waited = f", {duration(notice.waited)} waited so far" if notice.waited >= 1 else ""
    return f"{notice.reason}; asked again in {duration(notice.backoff)} (retry {notice.retries}{waited})"


def times_stake(multiple: float) -> str:
    """12.3x or 123x."""
    return f"{multiple:,.1f}x" if multiple < WHOLE_FROM else f"{multiple:,.0f}x"


def day_of_year(time: str) -> str:
    day = date.fromisoformat(time[:10])
    return f"{day.day} {day:%b}"


def outcome(result: Result) -> str:
    """How an episode ended, in a few words."""
    return f"not played on: {result.problem}" if result.end is None else how_it_ended(result.end)


def how_it_ended(end: End) -> str:
    text = f"{end.ending.replace('_', ' ')} on day {end.day} with {yuan(end.final_assets)}"
    return f"{text} ({end.reason})" if end.reason else text


def _ending(result: Result) -> str:
    return "not played on" if result.end is None else result.end.ending.replace("_", " ")


def _sentence(state: State) -> str:
    return (
        f"{state.time[:10]} (day {state.day}) bank {yuan(state.bank)}, wallet {yuan(state.wallet)}, "
        f"escrow {yuan(state.escrow)}, total {yuan(state.total)}, {counted(state.stores, 'store', ',')}, "
        f"{counted(state.calls, 'call', ',')}"
    )


def _bar(share: float) -> str:
    full = min(BAR_WIDTH, round(share * BAR_WIDTH))
    return "━" * full + " " * (BAR_WIDTH - full)


FIRST_NOTICE_SECONDS = 60  # the next one after twice as long, and so on
POLL_SECONDS = 1.0


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


@contextmanager
def polling(poll: Callable[[], None]) -> Iterator[None]:
    """Call `poll` every second from a separate thread."""
    done = Event()

    def loop() -> None:
        while not done.wait(POLL_SECONDS):
            poll()

    thread = Thread(target=loop, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
