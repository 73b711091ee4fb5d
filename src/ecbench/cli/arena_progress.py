"""How the seats of an arena get on: a live table on a terminal, plain lines elsewhere."""

from rich.console import Console
from rich.live import Live
from rich.table import Table

from ecbench.cancellation import StopFlag
from ecbench.cli.plain_table import plain_table
from ecbench.cli.plain_text import say
from ecbench.cli.progress import LINE_EVERY_DAYS, STOPPING, day_of_year, how_it_ended, what_failed
from ecbench.harness.messages import RetryNotice
from ecbench.number_words import yuan
from ecbench.players.turn import State
from ecbench.players.turn_timer import SlowTurn
from ecbench.runs.arena.play import RoundResult
from ecbench.runs.arena.terms import ArenaTerms

MOST_ROUNDS = 4  # on the board at once


class ArenaSilence:
    """For scripts that only want to know who won. That a merchant hangs is said nevertheless."""

    def __init__(self, terms: ArenaTerms) -> None:
        self._terms = terms

    def progressed(self, *_: object) -> None: ...

    def on_retry(self, *_: object) -> None: ...

    def kept_waiting(self, number: int, seat: int, wait: SlowTurn) -> None:
        if not wait.thinks:
            say(f"round {number}: {_who_is_waited_for(self._terms, number, seat, wait)}", err=True)

    def closed(self, *_: object) -> None: ...


class ArenaLines:
    """One line a month and round, one for each retry of a model, one at the end of a round."""

    def __init__(self, console: Console, terms: ArenaTerms) -> None:
        self._console = console
        self._terms = terms
        self._states: dict[int, dict[int, State]] = {}
        self._next: dict[int, int] = {}

    def progressed(self, number: int, seat: int, state: State) -> None:
        states = self._states.setdefault(number, {})
        states[seat] = state
        day = min(each.day for each in states.values()) if len(states) == self._terms.seats else 0
        if day >= self._next.get(number, 1):
            self._next[number] = (day // LINE_EVERY_DAYS + 1) * LINE_EVERY_DAYS
            told = ", ".join(
                f"{_label(self._terms, number, each)} {yuan(states[each].total)}" for each in sorted(states)
            )
            self._say(number, f"{state.time[:10]} (day {state.day}) {told}")

    def on_retry(self, number: int, seat: int, notice: RetryNotice) -> None:
        self._say(number, f"{_label(self._terms, number, seat)}: {what_failed(notice)}")

    def kept_waiting(self, number: int, seat: int, wait: SlowTurn) -> None:
        self._say(number, _who_is_waited_for(self._terms, number, seat, wait))

    def closed(self, result: RoundResult) -> None:
        for seat, year in enumerate(result.seats):
            if year.end is not None:
                self._say(result.number, f"{_label(self._terms, result.number, seat)}: {how_it_ended(year.end)}")

    def _say(self, number: int, text: str) -> None:
        self._console.print(f"round {number}: {text}", soft_wrap=True)


class ArenaBoard:
    """A row a seat of the rounds that are being played."""

    def __init__(self, console: Console, terms: ArenaTerms, stop: StopFlag) -> None:
        self._terms = terms
        self._stop = stop
        self._states: dict[int, dict[int, State]] = {}
        self._over: set[int] = set()
        self._retry_notices: dict[tuple[int, int], RetryNotice] = {}
        self._waits: dict[tuple[int, int], SlowTurn] = {}
        self._live = Live(console=console, get_renderable=self._table, refresh_per_second=8, transient=True)

    def __enter__(self) -> "ArenaBoard":
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def progressed(self, number: int, seat: int, state: State) -> None:
        self._states.setdefault(number, {})[seat] = state
        self._retry_notices.pop((number, seat), None)
        self._waits.pop((number, seat), None)

    def on_retry(self, number: int, seat: int, notice: RetryNotice) -> None:
        self._retry_notices[number, seat] = notice

    def kept_waiting(self, number: int, seat: int, wait: SlowTurn) -> None:
        self._waits[number, seat] = wait

    def closed(self, result: RoundResult) -> None:
        self._over.add(result.number)

    def _table(self) -> Table:
        table = plain_table(">Round", "Seat", ">Date", ">Total", ">Stores", ">Calls", ">Place", no_wrap=True)
        playing = [number for number in sorted(self._states) if number not in self._over][:MOST_ROUNDS]
        for number in playing:
            self._add_round(table, number)
            table.add_section()
        waiting = self._terms.rounds - len(self._over) - len(playing)
        notes = [f"{len(playing)} rounds playing, {len(self._over)} over, {waiting} waiting"]
        notes += [
            f"{_label(self._terms, number, seat)}: {what_failed(notice)}"
            for (number, seat), notice in self._retry_notices.items()
        ]
        notes += [
            _who_is_waited_for(self._terms, number, seat, wait)
            for (number, seat), wait in list(self._waits.items())
            if number in playing
        ]
        notes += [STOPPING] if self._stop.requested else []
        table.caption, table.caption_justify = "\n".join(notes), "left"
        return table

    def _add_round(self, table: Table, number: int) -> None:
        states = self._states[number]
        richest = sorted(states, key=lambda seat: -states[seat].total)
        for seat, state in sorted(states.items()):
            table.add_row(
                str(number),
                _label(self._terms, number, seat),
                day_of_year(state.time),
                yuan(state.total),
                str(state.stores),
                f"{state.calls:,}",
                f"#{richest.index(seat) + 1}",
            )


def _who_is_waited_for(terms: ArenaTerms, number: int, seat: int, wait: SlowTurn) -> str:
    told = f"seat {seat} ({_label(terms, number, seat)}) has given no turn for {wait.seconds:,.0f} s, on day {wait.day}"
    if wait.thinks:
        return f"{told}; the others wait for it"
    return f"{told}; Ctrl-C stops the arena, and resuming it with --turn-seconds N lets such a seat leave"


def _label(terms: ArenaTerms, number: int, seat: int) -> str:
    return terms.labels[terms.entry_at(number, seat)]
