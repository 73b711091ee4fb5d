"""Progress of the episodes of a run, as lines."""

from collections.abc import Mapping
from time import monotonic

from ecbench.cli.terminal import say
from ecbench.formatting import counted, yuan
from ecbench.players.turn import State
from ecbench.players.turn_timer import SlowTurn
from ecbench.runs.folder import Run
from ecbench.runs.play.budget import Budget
from ecbench.runs.play.episodes import EpisodeOpening, Message, RequestRepeated, Result, TurnRecorded
from ecbench.runs.record.lines import End

LINE_EVERY_DAYS = 30
LINE_EVERY_SECONDS = 60  # where days take long
STOPPING = "Stopping at the end of the turn; press Ctrl-C again to stop at once."


class RunProgress:
    """Tells of every month or minute of an episode, of its end, and of failed requests and slow seats.

    One that is `silent`, for scripts that want only the result, tells only that a merchant hangs.
    """

    def __init__(self, run: Run, budget: Budget | None = None, *, silent: bool = False) -> None:
        self._run, self._budget, self._silent = run, budget, silent
        self._states: dict[int, dict[int, State]] = {}  # of each seat, by episode
        self._next_line: dict[int, tuple[int, float]] = {}  # its day, and its time

    def __call__(self, episode: int, message: Message) -> None:
        match message:
            case EpisodeOpening():
                self._opened(episode, message)
            case TurnRecorded(seat, state):
                self._progressed(episode, seat, state)
            case RequestRepeated(seat, notice):
                self._tell(episode, f"{self._agent(episode, seat)}{notice}")
            case SlowTurn():
                self._slow(episode, message)
            case Result():
                self._closed(message)

    def _opened(self, episode: int, opening: EpisodeOpening) -> None:
        self._states[episode] = dict(opening.states)
        if opening.dropped:
            self._tell(episode, f"dropped: {opening.dropped}")
        if opening.turns:
            verb = "is" if opening.turns == 1 else "are"
            self._tell(episode, f"{counted(opening.turns, 'recorded turn', ',')} {verb} replayed")

    def _progressed(self, episode: int, seat: int, state: State) -> None:
        now, states = monotonic(), self._states.setdefault(episode, {})
        states[seat] = state
        if len(states) < self._run.seats:
            return
        day, (next_day, next_time) = min(each.day for each in states.values()), self._next_line.get(episode, (0, now))
        if day >= next_day or now > next_time:
            self._next_line[episode] = ((day // LINE_EVERY_DAYS + 1) * LINE_EVERY_DAYS, now + LINE_EVERY_SECONDS)
            used = f"; {self._budget.state}" if self._budget else ""
            self._tell(episode, (_sentence(state) if self._run.seats == 1 else self._totals(episode, states)) + used)

    def _slow(self, episode: int, turn: SlowTurn) -> None:
        """A seat keeps its rivals waiting. A merchant, which takes milliseconds, hangs."""
        seat = f"seat {turn.seat} ({self._run.seat_labels(episode)[turn.seat]})"
        text = f"{seat} has given no turn for {turn.seconds:,.0f} s, on day {turn.day}"
        if turn.waits:
            self._tell(episode, f"{text}; the others wait for it")
        else:
            way_on = "Ctrl-C stops the run, and resuming it with --turn-seconds N lets such a seat leave"
            say(f"{self._run.called(episode)}: {text}; {way_on}", err=self._silent)

    def _closed(self, result: Result) -> None:
        if not result.ends:
            self._tell(result.episode, outcome(result))
        for seat, end in enumerate(result.ends):
            self._tell(result.episode, f"{self._agent(result.episode, seat)}{how_it_ended(end)}")

    def _tell(self, episode: int, text: str) -> None:
        if not self._silent:
            say(f"{self._run.called(episode)}: {text}")

    def _totals(self, episode: int, states: Mapping[int, State]) -> str:
        labels = self._run.seat_labels(episode)
        totals = ", ".join(f"{label} {yuan(states[seat].total)}" for seat, label in enumerate(labels))
        last = states[len(labels) - 1]
        return f"{last.time[:10]} (day {last.day}) {totals}"

    def _agent(self, episode: int, seat: int) -> str:
        return "" if self._run.seats == 1 else f"{self._run.seat_labels(episode)[seat]}: "


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
