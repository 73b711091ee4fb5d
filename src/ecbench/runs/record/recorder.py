"""The record of a table while it is played: recorded turns are compared with their replay, new ones are written."""

from collections.abc import Callable, Sequence
from itertools import takewhile

from msgspec.structs import asdict

from ecbench.episode import Episode
from ecbench.errors import Divergence
from ecbench.players.session import TurnRecorder
from ecbench.players.turn import Leave, Record, State, Turn, state_of
from ecbench.runs.record.chain import stated_head
from ecbench.runs.record.json_values import encode
from ecbench.runs.record.lines import End, LineWriter
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.recorded_voice import QuotedVoice
from ecbench.runs.results.counters import Counters
from ecbench.runs.terms import Terms
from ecbench.tools.outcome import Outcome

Append = Callable[[bytes, State | None, int], None]
"""Records a line, with the state after it and its seat; lines that complete no turn come without a state."""

SHOWN = 80  # characters around a difference


class Recorder(TurnRecorder):
    """Compares with `recording` as far as it goes, and appends what comes after it; without `append` nothing may."""

    def __init__(self, recording: Recording, terms: Terms, episode: int, append: Append | None = None) -> None:
        self._recording = recording
        self._location = f"episode {episode}"
        self._append = append
        self._writer = LineWriter(recording.head)
        self._moves = [entry for entry in recording.entries if entry.kind != "morning"]  # in acting order
        self._replayed = 0  # of these
        self._turns: list[list[Turn]] = [recording.turns_of(seat) for seat in range(len(terms.seats))]
        self._handed: set[int] = set()  # seats whose turns wait for the morning
        self.counters = [Counters() for _ in terms.seats]
        if recording.terms is None:
            self._write(self._writer.start(terms, episode))

    def next_turn(self, seat: int) -> Turn | None:
        """The recorded turn of the seat that comes next, if there is one."""
        if self._replayed == len(self._moves):
            return None
        turns, begun = self._turns[seat], self.counters[seat].turns + (seat in self._handed)
        return turns[begun] if begun < len(turns) else None

    def next_leave(self, seat: int) -> Leave | None:
        entry = self._moves[self._replayed] if self._replayed < len(self._moves) else None
        return entry.what if entry is not None and isinstance(entry.what, Leave) and entry.seat == seat else None

    def expect(self, seat: int, calls: Sequence[Record]) -> None:
        """Refuse calls that are not those of the recorded turn, and turns in another order."""
        recorded = self.next_turn(seat)
        if recorded is None or same_lines(recorded.calls, calls):
            return
        pairs = zip(recorded.calls, calls, strict=False)
        count = sum(1 for _ in takewhile(lambda pair: same_lines(pair[:1], pair[1:]), pairs))
        then = _shown(recorded.calls[count]) if count < len(recorded.calls) else "no further call"
        now = _shown(calls[count]) if count < len(calls) else "no further call"
        raise Divergence(
            f"{self._turn(seat)}, call {count + 1}: the record has {then}, the agent now makes {now}; "
            "an agent must answer the same replies with the same calls, or its episodes cannot be resumed"
        )

    def handed_in(self, turn: Turn) -> None:
        self._handed.add(turn.seat)
        if not self._advance(turn.seat):
            self._write(self._writer.handed_in(turn, self.counters[turn.seat].turns + 1))

    def completed(self, turn: Turn, year: Episode) -> None:
        seat, counters, turns = turn.seat, self.counters[turn.seat], self._turns[turn.seat]
        recorded = turns[counters.turns] if counters.turns < len(turns) else None
        voice = year.voice
        if isinstance(voice, QuotedVoice):
            turn.voices = voice.collect()
        turn.state = state_of(year, counters.turns + 1, counters.calls + len(turn.calls))
        was_handed = seat in self._handed
        if was_handed:
            self._handed.remove(seat)
        else:
            self._advance(seat)
        if recorded is not None and recorded.state is not None:
            self._compare(recorded, turn, turn.state)
            turn = recorded  # derived files follow from what is recorded
        else:
            line = self._writer.completed(turn) if was_handed or recorded else self._writer.turn(turn)
            self._write(line, turn.state, seat)
            if recorded is not None:  # as handed in only: from now on the record has all of it
                recorded.outcomes, recorded.voices, recorded.state = turn.outcomes, turn.voices, turn.state
        counters.add(turn, year)

    def left(self, seat: int, leave: Leave) -> None:
        recorded = self.next_leave(seat)
        if recorded is not None and recorded != leave:
            raise Divergence(f"{self._at(seat)}: it leaves as {leave}, the record has {recorded}")
        if not self._advance(seat):
            self._write(self._writer.leave(seat, leave))

    def end(self, ends: Sequence[End]) -> str:
        """Record how the year ended at each seat; returns the head of the record with that line."""
        line = self._writer.end(ends)
        recorded = self._recording.year_end
        if self._replayed < len(self._moves):
            ending = ", ".join(dict.fromkeys(end.ending for end in ends))
            raise Divergence(
                f"{self._location}: it now ends after turn {self.counters[0].turns} ({ending}); the record continues"
            )
        if self._append is not None and not self._recording.finished:
            self._write(line)
        elif recorded is not None and recorded.ends != tuple(ends):
            pairs = zip(recorded.ends, ends, strict=True)
            seat, then, now = next((seat, *pair) for seat, pair in enumerate(pairs) if pair[0] != pair[1])
            raise Divergence(f"{self._at(seat)}, end: {difference(str(then), str(now))}")
        return stated_head(line)

    def _advance(self, seat: int) -> bool:
        """Pass the next move of the record, which must be the seat's; False if the record ends."""
        if self._replayed == len(self._moves):
            return False
        entry = self._moves[self._replayed]
        if entry.seat != seat:
            raise Divergence(f"{self._location}: seat {seat} acts where the record has seat {entry.seat}")
        self._replayed += 1
        return True

    def _at(self, seat: int) -> str:
        return self._location if len(self.counters) == 1 else f"{self._location}, seat {seat}"

    def _turn(self, seat: int) -> str:
        return f"{self._at(seat)}, turn {self.counters[seat].turns + 1}"

    def _write(self, line: bytes, state: State | None = None, seat: int = 0) -> None:
        if self._append is None:
            recorded = self._recording.end(seat)
            end = f", and ends with {recorded.ending}" if recorded else ""
            raise Divergence(f"{self._turn(seat)}: the record has no such turn{end}")
        self._append(line, state, seat)

    def _compare(self, recorded: Turn, turn: Turn, state: State) -> None:
        location = f"{self._at(turn.seat)}, turn {state.turn}"
        pairs = zip(recorded.outcomes, turn.outcomes, strict=True)
        for number, (then, now) in enumerate(pairs, start=1):
            if then != now:
                name = turn.calls[number - 1].get("name")
                raise Divergence(f"{location}, call {number} ({name}): {_outcome_difference(then, now)}")
        if not same_lines(recorded.evictions, turn.evictions):
            raise Divergence(f"{location}: other messages left the model's context than the record says")
        assert recorded.state is not None, "only complete turns are compared"
        if recorded.state != state:
            was, came = asdict(recorded.state), asdict(state)
            name = next(name for name in was if was[name] != came[name])
            raise Divergence(f"{location}, state: {name} was recorded as {was[name]}, came as {came[name]}")


def _outcome_difference(then: Outcome, now: Outcome) -> str:
    if then.text != now.text:
        return difference(then.text, now.text)
    was, came = asdict(then), asdict(now)
    name = next(name for name in was if was[name] != came[name])
    return f"{name} was recorded as {was[name]!r:.100}, came as {came[name]!r:.100}"


def same_lines(some: Sequence[Record], others: Sequence[Record]) -> bool:
    """Equal as they would be written."""
    return list(some) == list(others) or list(map(encode, some)) == list(map(encode, others))


def difference(then: str, now: str) -> str:
    """Two texts from shortly before they begin to differ."""
    first = next((i for i, (a, b) in enumerate(zip(then, now, strict=False)) if a != b), min(len(then), len(now)))
    start = max(0, first - SHOWN // 4)
    parts = [f"{'...' if start else ''}{text[start : start + SHOWN]}" for text in (then, now)]
    return f"recorded {parts[0]!r}, came {parts[1]!r}"


def _shown(call: Record) -> str:
    text = encode(call).decode().strip()
    return text if len(text) <= 2 * SHOWN else f"{text[: 2 * SHOWN]}..."
