"""How the episodes of a run get on: a live table on a terminal, plain lines elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ecbench.cli.plain_table import plain_table
from ecbench.runs.events import End, State
from ecbench.runs.session import Opening, Result

LINE_EVERY_DAYS = 30
MOST_ROWS = 16
BAR_WIDTH = 11


class Silent:
    """For scripts that only want to know what came of it."""

    def opened(self, *_: object) -> None:
        pass

    def progressed(self, *_: object) -> None:
        pass

    def closed(self, *_: object) -> None:
        pass


class Lines:
    """One line a month and episode."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._next: dict[int, int] = {}

    def opened(self, episode: int, opening: Opening) -> None:
        if opening.dropped:
            self._say(episode, f"dropped: {opening.dropped}")
        if opening.turns:
            verb = "is" if opening.turns == 1 else "are"
            self._say(episode, f"{counted(opening.turns, 'recorded turn')} {verb} played again")

    def progressed(self, episode: int, state: State) -> None:
        if state.day >= self._next.get(episode, 0):
            self._next[episode] = (state.day // LINE_EVERY_DAYS + 1) * LINE_EVERY_DAYS
            self._say(episode, _sentence(state))

    def closed(self, result: Result) -> None:
        self._say(result.episode, outcome(result))

    def _say(self, episode: int, text: str) -> None:
        self._console.print(f"episode {episode}: {text}", soft_wrap=True)


@dataclass(slots=True)
class Row:
    state: State | None = None
    result: Result | None = None


class Board:
    """A row per episode: those that are playing, then as many finished ones as fit."""

    def __init__(self, console: Console, days: int, episodes: Sequence[int]) -> None:
        self._rows = {episode: Row() for episode in episodes}
        self._days = days
        self._live = Live(console=console, get_renderable=self._table, refresh_per_second=8, transient=True)

    def __enter__(self) -> "Board":
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def opened(self, episode: int, opening: Opening) -> None:
        row = self._rows[episode]
        row.state = opening.state
        if opening.dropped:
            self._live.console.print(f"Episode {episode}: dropped: {opening.dropped}")

    def progressed(self, episode: int, state: State) -> None:
        self._rows[episode].state = state

    def closed(self, result: Result) -> None:
        self._rows[result.episode].result = result

    def _table(self) -> Table:
        columns = (">#", ">Date", "Year", ">Bank", ">Wallet", ">Escrow", ">Total", ">Stores", ">Calls")
        table = plain_table(*columns, no_wrap=True)
        playing = [e for e, row in self._rows.items() if row.state and not row.result]
        over = [e for e, row in self._rows.items() if row.result]
        for episode in sorted([*playing, *over[: max(0, MOST_ROWS - len(playing))]]):
            table.add_row(str(episode), *self._cells(self._rows[episode]))
        waiting = len(self._rows) - len(playing) - len(over)
        if len(self._rows) > 1:
            table.caption = f"{len(playing)} playing, {len(over)} over, {waiting} waiting"
            table.caption_justify = "left"
        return table

    def _cells(self, row: Row) -> list[str | Text]:
        state = row.state
        if state is None:
            return ["", _ending(row.result) if row.result else ""]
        money = [yuan(amount) for amount in (state.bank, state.wallet, state.escrow, state.total)]
        year = _ending(row.result) if row.result else Text(_bar(state.day / self._days), style="cyan")
        return [day_of_year(state.time), year, *money, str(state.stores), f"{state.calls:,}"]


def yuan(amount: float) -> str:
    return f"-¥{-amount:,.0f}" if amount <= -0.5 else f"¥{abs(amount):,.0f}"


def day_of_year(time: str) -> str:
    day = date.fromisoformat(time[:10])
    return f"{day.day} {day:%b}"


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def outcome(result: Result) -> str:
    """How an episode ended, in a few words."""
    return f"not played on: {result.problem}" if result.end is None else how_it_ended(result.end)


def how_it_ended(end: End) -> str:
    said = f"{end.ending.replace('_', ' ')} on day {end.day} with {yuan(end.final_assets)}"
    return f"{said} ({end.reason})" if end.reason else said


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
