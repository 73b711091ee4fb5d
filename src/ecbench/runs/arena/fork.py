"""A round taken over on one of its days: another agent goes on at one seat, and the others play on against it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ecbench.runs.arena.folder import ArenaRun, create_arena, open_arena
from ecbench.runs.arena.terms import ArenaTerms
from ecbench.runs.errors import RunError
from ecbench.runs.folder import open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.fork import begins_with, inherited_events
from ecbench.runs.record.events import Fork, Terms
from ecbench.runs.record.reader import Recording
from ecbench.world.load import load_world


@dataclass(frozen=True, slots=True)
class RoundTakeover:
    """A round that another agent goes on with at one seat: under which terms, and what each seat begins with."""

    terms: ArenaTerms
    seats: Sequence[tuple[Terms, bytes]]

    def began(self, folder: Path) -> bool:
        """Whether the arena in a folder is this one, however far it has come since."""
        try:
            run = open_arena(folder)
            seats = [open_run(run.seat_folder(0, seat)) for seat in range(len(self.seats))]
        except RunError:
            return False
        return all(begins_with(own, *begun) for own, begun in zip(seats, self.seats, strict=True))

    def create_in(self, folder: Path, provenance: Mapping[str, Any] | None = None) -> ArenaRun:
        forked = create_arena(folder, self.terms, provenance)
        for seat, (terms, inherited) in enumerate(self.seats):
            forked.create_seat(0, seat, terms, inherited)
        return forked


def take_over_seat(
    run: ArenaRun, *, number: int, seat: int, day: int, agent: str, model: Mapping[str, Any]
) -> RoundTakeover:
    """A new arena of one round, in which every seat begins with its turns up to that day.

    From there the others are asked again: what they are answered depends on the newcomer.
    """
    world = load_world(run.terms.world_of(number))
    recordings = [read_episode(each, 0) for each in run.seat_runs(number, world)]
    turns = [_turns_until(recording, day) for recording in recordings]
    reached = max((states[-1].day for states in (recording.states for recording in recordings) if states), default=0)
    if not 0 <= day < max(reached, 1):
        raise RunError(f"{run.folder}, round {number} can be forked at days 0 to {max(0, reached - 1)}, not {day}")
    forked = replace(run, terms=_terms_with(run.terms, number, seat, agent, model))
    terms = [forked.seat_terms(0, place, world) for place in range(forked.terms.seats)]
    terms[seat] = replace(terms[seat], fork=Fork(run.folder.absolute().name, number, day, turns[seat]))
    inherited = map(inherited_events, terms, recordings, turns)
    return RoundTakeover(forked.terms, list(zip(terms, inherited, strict=True)))


def _terms_with(terms: ArenaTerms, number: int, seat: int, agent: str, model: Mapping[str, Any]) -> ArenaTerms:
    """The seats as they were in that round, with the newcomer in one of them."""
    agents = [terms.agents[terms.entry_at(number, place)] for place in range(terms.seats)]
    agents[seat] = agent
    models = {name: options for name, options in terms.models.items() if name in agents}
    return replace(
        terms,
        agents=tuple(agents),
        rounds=1,
        worlds=(terms.world_of(number),),
        models=models | ({agent: model} if model else {}),
    )


def _turns_until(recording: Recording, day: int) -> int:
    """Up to the first that reached the day. One that ran on into later days is left out: they will be others."""
    count = 0
    for state in recording.states:
        if state.day > day or (count and recording.states[count - 1].day == day):
            break
        count += 1
    return count if day else 0
