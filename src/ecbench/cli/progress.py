"""Progress of the episodes of a run: a live table on a terminal, plain lines elsewhere."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from time import monotonic

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ecbench.cli.plain_table import plain_table
from ecbench.cli.stall_detector import StallDetector
from ecbench.cli.usage_text import duration
from ecbench.harness.messages import RetryNotice
from ecbench.number_words import yuan
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.play.episodes import EpisodeOpening, Result
from ecbench.runs.record.events import End, State

LINE_EVERY_DAYS = 30
MOST_ROWS = 16
MOST_WAITS = 4
STALL_SECONDS = 20  # without a turn
BAR_WIDTH = 11
WHOLE_FROM = 99.95  # times the stake
Called = Callable[[int], str]
"""The name of an episode in messages."""

STOPPING = "Stopping at the end of the turn; press Ctrl-C again to stop at once."


class Silent:
    """For scripts that want only the result."""

    def opened(self, *_: object) -> None: ...

    def progressed(self, *_: object) -> None: ...

    def on_retry(self, *_: object) -> None: ...

    def closed(self, *_: object) -> None: ...


class Lines:
    """One line a month and episode, one for each retry of a model, one after a minute without news."""

    def __init__(self, console: Console, called: Called = "episode {}".format) -> None:
        self._console = console
        self._called = called
        self._next: dict[int, int] = {}
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
            self._say(episode, f"{counted(opening.turns, 'recorded turn')} {verb} replayed")

    def progressed(self, episode: int, state: State) -> None:
        self._stalls.progressed(episode, monotonic())
        if state.day >= self._next.get(episode, 0):
            self._next[episode] = (state.day // LINE_EVERY_DAYS + 1) * LINE_EVERY_DAYS
            self._say(episode, _sentence(state))

    def on_retry(self, episode: int, notice: RetryNotice) -> None:
        self._stalls.progressed(episode, monotonic())
        self._say(episode, what_failed(notice))

    def closed(self, result: Result) -> None:
        self._stalls.finished(result.episode)
        self._say(result.episode, outcome(result))

    def _say(self, episode: int, text: str) -> None:
        self._console.print(f"{self._called(episode)}: {text}", soft_wrap=True)


@dataclass(slots=True)
class Row:
    """One episode on the board."""

    state: State | None = None
    result: Result | None = None
    notice: RetryNotice | None = None  # since the last turn


class Board:
    """A row per episode: those that are playing, then as many finished ones as fit."""

    def __init__(
        self, console: Console, days: int, episodes: Sequence[int], stop: StopFlag, worlds: Called | None = None
    ) -> None:
        """`worlds` names the world of an episode, where there are several; two columns make room for it."""
        self._worlds = worlds
        self._rows = {episode: Row() for episode in episodes}
        self._days = days
        self._stalls = StallDetector()
        self._stop = stop
        self._live = Live(console=console, get_renderable=self.table, refresh_per_second=8, transient=True)

    def __enter__(self) -> "Board":
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def opened(self, episode: int, opening: EpisodeOpening) -> None:
        row = self._rows[episode]
        row.state = opening.state
        self._stalls.progressed(episode, monotonic())
        if opening.dropped:
            self._live.console.print(f"Episode {episode}: dropped: {opening.dropped}")

    def progressed(self, episode: int, state: State) -> None:
        row = self._rows[episode]
        row.state, row.notice = state, None
        self._stalls.progressed(episode, monotonic())

    def on_retry(self, episode: int, notice: RetryNotice) -> None:
        self._rows[episode].notice = notice
        self._stalls.progressed(episode, monotonic())

    def closed(self, result: Result) -> None:
        self._rows[result.episode].result = result
        self._stalls.finished(result.episode)

    def table(self) -> Table:
        own = ("World",) if self._worlds else ()
        amounts = (">Bank", ">Total") if self._worlds else (">Bank", ">Wallet", ">Escrow", ">Total")
        table = plain_table(">#", *own, ">Date", "Year", *amounts, ">Stores", ">Calls", no_wrap=True)
        playing = [e for e, row in self._rows.items() if row.state and not row.result]
        over = [e for e, row in self._rows.items() if row.result]
        for episode in sorted([*playing, *over[: max(0, MOST_ROWS - len(playing))]]):
            world = [self._worlds(episode)] if self._worlds else []
            table.add_row(str(episode), *world, *self._cells(self._rows[episode]))
        waiting = len(self._rows) - len(playing) - len(over)
        notes = [f"{len(playing)} playing, {len(over)} over, {waiting} waiting"] if len(self._rows) > 1 else []
        notes += [*self._waits(), *([STOPPING] if self._stop.requested else [])]
        table.caption = "\n".join(notes) or None
        table.caption_justify = "left"
        return table

    def _waits(self) -> list[str]:
        """Why episodes have no new turn, as far as there is room."""
        now = monotonic()
        waits = []
        for episode, row in self._rows.items():
            lasted = self._stalls.idle_seconds(episode, now)
            if row.notice is not None and not row.result:
                waits.append(f"Episode {episode}: {what_failed(row.notice)}")
            elif lasted >= STALL_SECONDS:
                waits.append(f"Episode {episode}: no new turn for {duration(lasted)}")
        more = len(waits) - MOST_WAITS
        return waits if more <= 0 else [*waits[:MOST_WAITS], f"and {counted(more, 'more episode')} that must wait"]

    def _cells(self, row: Row) -> list[str | Text]:
        state = row.state
        if state is None:
            return ["", _ending(row.result) if row.result else ""]
        amounts = (state.bank, state.total) if self._worlds else (state.bank, state.wallet, state.escrow, state.total)
        money = [yuan(amount) for amount in amounts]
        year = _ending(row.result) if row.result else Text(_bar(state.day / self._days), style="cyan")
        return [day_of_year(state.time), year, *money, str(state.stores), f"{state.calls:,}"]


def what_failed(notice: RetryNotice) -> str:
    waited = f", {duration(notice.waited)} waited so far" if notice.waited >= 1 else ""
    return f"{notice.reason}; asked again in {duration(notice.backoff)} (retry {notice.retries}{waited})"


def times_stake(multiple: float) -> str:
    """12.3x or 123x."""
    return f"{multiple:,.1f}x" if multiple < WHOLE_FROM else f"{multiple:,.0f}x"


def day_of_year(time: str) -> str:
    day = date.fromisoformat(time[:10])
    return f"{day.day} {day:%b}"


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


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
        f"escrow {yuan(state.escrow)}, total {yuan(state.total)}, {counted(state.stores, 'store')}, "
        f"{counted(state.calls, 'call')}"
    )


def _bar(share: float) -> str:
    full = min(BAR_WIDTH, round(share * BAR_WIDTH))
    return "━" * full + " " * (BAR_WIDTH - full)
