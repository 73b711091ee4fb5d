"""A year continued from one of its days by another agent, in a run of its own."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ecbench.errors import RunError
from ecbench.runs.budget_limits import BudgetLimits
from ecbench.runs.folder import Run, create_run, open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.receipts.signing import SigningKey
from ecbench.runs.record.events import End, EventWriter, is_over
from ecbench.runs.record.groups import Departure, Group
from ecbench.runs.record.indexed_record import recorded_end
from ecbench.runs.record.reader import Recording, groups_before
from ecbench.runs.terms import Fork, SeatTerms, Terms


@dataclass(frozen=True, slots=True)
class Takeover:
    """A year that another agent goes on with: under which terms, and the events it begins with."""

    run: Run
    episode: int
    terms: Terms
    inherited: bytes

    def began(self, run: Run) -> bool:
        """Whether a run is this one, however far it has come since."""
        return begins_with(run, self.terms, self.inherited)

    def create_in(
        self,
        folder: Path,
        provenance: Mapping[str, Any] | None = None,
        signing_key: SigningKey | None = None,
        budget: BudgetLimits | None = None,
    ) -> Run:
        """Receipts are not copied: who signs the new run has not seen the turns that it takes over."""
        return create_run(
            folder,
            self.terms,
            episodes=1,
            world_source=self.run.site(self.episode).source,
            provenance=provenance,
            inherited=self.inherited,
            signing_key=signing_key,
            budget=budget,
        )


def take_over(
    run: Run, *, episode: int, day: int, agent: str, model: Mapping[str, Any], door: str = "", seat: int = 0
) -> Takeover:
    """The recorded turns before `day`, under terms that name another agent at one seat.

    Damage behind them does not matter. The agent that goes on sees nothing of what came before but the books. Rivals
    are asked again from there, since what they are answered depends on it.
    """
    recording = read_episode(run, episode)
    groups = _groups_before(run, recording, episode, day)
    if ending := _ending_before(recording, groups, seat, day):
        raise RunError(
            f"{run.folder}, episode {episode}: the year of seat {seat} was over before its rivals came to day {day} "
            f"({ending}); fork an earlier day"
        )
    turns = sum(group.kind in ("turn", "handed") for group in groups)
    forked = run.terms.fork
    earlier = forked.earlier_than(turns, seat) if forked else ()
    fork = Fork(run.folder.absolute().name, episode, day, turns, seat, earlier)
    terms = run.terms_of(episode).with_agent(seat, SeatTerms(agent, model, door))
    terms = replace(terms, fork=fork, seat=seat)
    return Takeover(run, episode, terms, inherited_events(terms, groups))


def parent_end(run: Run) -> End | None:
    """How the year ended that a fork was taken from; None where its folder is not found beside the fork's."""
    fork = run.terms.fork
    if fork is None:
        return None
    try:
        parent = open_run(run.folder.absolute().parent / Path(fork.run).name)
        parent.require(fork.episode)
        return recorded_end(parent.at_seat(fork.episode, fork.seat), fork.episode)
    except RunError:
        return None


def _groups_before(run: Run, recording: Recording, episode: int, day: int) -> list[Group]:
    groups = list(groups_before(recording, day))
    last = max((state.day for state in recording.states), default=0)
    reach = last - 1 if recording.finished else last
    if not 0 <= day <= max(0, reach):
        cause = f"; {recording.damage}" if recording.damage else ""
        raise RunError(f"{run.folder}, episode {episode} can be forked at days 0 to {max(0, reach)}, not {day}{cause}")
    return groups


def _ending_before(recording: Recording, groups: Sequence[Group], seat: int, day: int) -> str:
    """How a seat left, or went bankrupt, before that day; empty where it was in business."""
    left = {group.entry.seat for group in recording.groups if isinstance(group.entry, Departure)}
    for group in groups:
        if isinstance(group.entry, Departure) and group.entry.seat == seat:
            return group.entry.leave.ending
    end = recording.end(seat)
    return end.ending if is_over(end) and 0 < end.day <= day and seat not in left else ""


def inherited_events(terms: Terms, groups: Sequence[Group]) -> bytes:
    """The first groups of a record as the events of another one."""
    writer = EventWriter()
    lines, numbers = [writer.start(terms, 0)], Counter[int]()
    for group in groups:
        entry = group.entry
        if isinstance(entry, Departure):
            lines.append(writer.leave(*entry))
        elif group.kind == "handed":
            lines.append(writer.handed_in(entry, numbers[entry.seat] + 1))
        else:
            numbers[entry.seat] += 1
            lines.append(writer.turn(entry) if group.kind == "turn" else writer.completed(entry))
    return b"".join(lines)


def begins_with(run: Run, terms: Terms, inherited: bytes) -> bool:
    """Whether a run has these terms, and these events before all others."""
    if run.episodes != 1 or run.terms.to_json() != terms.to_json():
        return False
    try:
        with run.events_path(0).open("rb") as file:
            return file.read(len(inherited)) == inherited
    except OSError:
        return False
