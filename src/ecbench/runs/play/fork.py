"""A year continued from one of its days by another agent, in a run of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ecbench.errors import RunError
from ecbench.players.turn import Leave
from ecbench.runs.folder import Run, create_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.chain import chained, content_of
from ecbench.runs.record.lines import LineWriter, is_over
from ecbench.runs.record.reader import RecordEntry, Recording
from ecbench.runs.terms import Fork, Terms


@dataclass(frozen=True, slots=True)
class Takeover:
    """A year that another agent continues: its terms, and the events it begins with."""

    run: Run
    episode: int
    terms: Terms
    inherited: bytes

    def create_in(self, folder: Path, **stated: Any) -> Run:
        """`stated` are other arguments of `create_run`.

        Signatures are not copied: who signs the new run has not seen the turns that it takes over.
        """
        source = self.run.world_of(self.episode).source
        return create_run(folder, self.terms, episodes=1, world_source=source, inherited=self.inherited, **stated)


def take_over(
    run: Run, *, episode: int, day: int, agent: str, model: Mapping[str, Any], transport: str = "", seat: int = 0
) -> Takeover:
    """The recorded turns before `day`, under terms that name another agent at one seat.

    Damage behind them does not matter. The agent that continues sees nothing of what came before but the books. Rivals
    are asked again from there, since what they are answered depends on it.
    """
    forked = run.terms.fork
    if forked and forked.seat != seat:
        raise RunError(f"{run.folder} is a fork at seat {forked.seat}, and can be forked at that seat alone")
    recording = read_episode(run, episode)
    entries = _entries_before(run, recording, episode, day)
    if ending := _ending_before(recording, entries, seat, day):
        raise RunError(
            f"{run.folder}, episode {episode}: the episode of seat {seat} was over before its rivals reached day {day} "
            f"({ending}); fork an earlier day"
        )
    turns = sum(entry.kind in ("turn", "handed") for entry in entries)
    fork = Fork(run.folder.absolute().name, episode, day, turns, seat)
    terms = run.terms_of(episode).with_seat(seat, agent=agent, model=dict(model), transport=transport)
    terms = replace(terms, fork=fork)
    return Takeover(run, episode, terms, _inherited_lines(terms, recording, entries))


def _entries_before(run: Run, recording: Recording, episode: int, day: int) -> list[RecordEntry]:
    entries = recording.before_day(day)
    last = max((state.day for state in recording.states), default=0)
    reach = last - 1 if recording.finished else last
    if not 0 <= day <= max(0, reach):
        cause = f"; {recording.damage}" if recording.damage else ""
        raise RunError(f"{run.folder}, episode {episode} can be forked at days 0 to {max(0, reach)}, not {day}{cause}")
    return entries


def _ending_before(recording: Recording, entries: Sequence[RecordEntry], seat: int, day: int) -> str:
    """How a seat left, or went bankrupt, before that day; empty if it was in business."""
    left = {entry.seat for entry in recording.entries if entry.kind == "leave"}
    for entry in entries:
        if isinstance(entry.what, Leave) and entry.seat == seat:
            return entry.what.ending
    end = recording.end(seat)
    return end.ending if is_over(end) and 0 < end.day <= day and seat not in left else ""


def _inherited_lines(terms: Terms, recording: Recording, entries: Sequence[RecordEntry]) -> bytes:
    """Entries of a record as the first of another one: the same lines in another chain."""
    writer = LineWriter()
    lines = [writer.start(terms, 0)]
    head = writer.head
    for entry in entries:
        line, head = chained(content_of(recording.content[entry.start : entry.end]), head)
        lines.append(line)
    return b"".join(lines)
