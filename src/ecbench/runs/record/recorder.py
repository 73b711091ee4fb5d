"""The record of a year while it is played: turns that are recorded already are compared, new ones are written."""

from collections.abc import Callable, Sequence
from itertools import takewhile

from msgspec.structs import asdict

from ecbench.episode import Episode
from ecbench.runs.errors import Divergence
from ecbench.runs.record.events import Checksum, End, State, Terms, Writer, encode, end_of, state_of
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.recorded_voice import QuotedVoice
from ecbench.runs.results.counters import Tally
from ecbench.seat import Record, Turn

Append = Callable[[bytes, State | None], None]
"""Takes the lines of one turn for good, with the state after it; the first and the last line come without one."""

SHOWN = 80  # characters around a difference


class Recorder:
    """Compares with `recording` as far as it goes, and appends what comes after it; without `append` nothing may."""

    def __init__(self, recording: Recording, terms: Terms, episode: int, append: Append | None = None) -> None:
        self._recording = recording
        self._place = f"episode {episode}"
        self._append = append
        self._writer = Writer(recording.written)
        self.turns = 0
        self.calls = 0
        self.tally = Tally()
        self.voice = terms.voice
        if recording.terms is None:
            self._write(self._writer.start(terms, episode))

    @property
    def ahead(self) -> Turn | None:
        """The recorded turn that comes next, if there is one."""
        turns = self._recording.turns
        return turns[self.turns] if self.turns < len(turns) else None

    def take(self, turn: Turn, year: Episode) -> None:
        recorded = self.ahead
        if isinstance(year.voice, QuotedVoice):
            turn.voices = year.voice.collect()
        self.turns += 1
        self.calls += len(turn.calls)
        self.tally.add(turn if recorded is None else recorded, year)  # files follow from what is recorded
        state = state_of(year, self.turns, self.calls)
        if recorded is None:
            self._write(self._writer.turn(turn, state), state)
        else:
            self._compare(recorded, turn, self._recording.states[self.turns - 1], state)

    def expect(self, calls: Sequence[Record]) -> None:
        """Refuse calls that are not those of the recorded turn."""
        recorded = self.ahead
        if recorded is None or same_lines(recorded.calls, calls):
            return
        pairs = zip(recorded.calls, calls, strict=False)
        count = sum(1 for _ in takewhile(lambda pair: same_lines(pair[:1], pair[1:]), pairs))
        then = _shown(recorded.calls[count]) if count < len(recorded.calls) else "no further call"
        now = _shown(calls[count]) if count < len(calls) else "no further call"
        raise Divergence(
            f"{self._place}, turn {self.turns + 1}, call {count + 1}: the recording has {then}, the agent now makes "
            f"{now}; an agent must answer the same replies with the same calls, or its years cannot be resumed"
        )

    def end(self, year: Episode, ending: str, reason: str = "") -> tuple[End, str]:
        """How the year ended, and the checksum of its last line."""
        end = end_of(year, ending, self.turns, self.calls, reason)
        line = self._writer.end(end)
        recorded = self._recording.end
        if self.ahead is not None:
            raise Divergence(f"{self._place}: the year now ends after turn {self.turns}; the recording goes on")
        if self._append is not None and (recorded is None or recorded.resumable):
            self._write(line)
        elif recorded is not None and recorded != end:
            raise Divergence(f"{self._place}, end: {difference(str(recorded), str(end))}")
        return end, Checksum.of(line)

    def _write(self, lines: bytes, state: State | None = None) -> None:
        if self._append is None:
            raise Divergence(f"{self._place}, turn {self.turns}: the recording holds no such turn")
        self._append(lines, state)

    def _compare(self, recorded: Turn, turn: Turn, recorded_state: State, state: State) -> None:
        place = f"{self._place}, turn {self.turns}"
        for number, (then, now) in enumerate(zip(recorded.replies, turn.replies, strict=True), start=1):
            if then != now:
                name = turn.calls[number - 1].get("name")
                raise Divergence(f"{place}, call {number} ({name}): {difference(then, now)}")
        if not same_lines(recorded.evictions, turn.evictions):
            raise Divergence(f"{place}: other messages left the model's context than the recording says")
        if recorded_state != state:
            was, came = asdict(recorded_state), asdict(state)
            name = next(name for name in was if was[name] != came[name])
            raise Divergence(f"{place}, state: {name} was recorded as {was[name]}, came as {came[name]}")


def same_lines(some: Sequence[Record], others: Sequence[Record]) -> bool:
    """Equal as they would be written: a NaN equals itself there."""
    return list(some) == list(others) or list(map(encode, some)) == list(map(encode, others))


def difference(then: str, now: str) -> str:
    """Two texts from shortly before the place where they part."""
    place = next((i for i, (a, b) in enumerate(zip(then, now, strict=False)) if a != b), min(len(then), len(now)))
    start = max(0, place - SHOWN // 4)
    parts = [f"{'...' if start else ''}{text[start : start + SHOWN]}" for text in (then, now)]
    return f"recorded {parts[0]!r}, came {parts[1]!r}"


def _shown(call: Record) -> str:
    text = encode(call).decode().strip()
    return text if len(text) <= 2 * SHOWN else f"{text[: 2 * SHOWN]}..."
