"""A round taken over on one of its days: another agent goes on at one seat, and the others play on against it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ecbench.runs.arena.folder import ArenaRun, create_arena
from ecbench.runs.arena.terms import ArenaTerms
from ecbench.runs.events import Fork
from ecbench.runs.fork import inherited_events
from ecbench.runs.problems import RunError
from ecbench.runs.reader import Recording
from ecbench.runs.session import read_episode
from ecbench.worlds import load_world


def fork_round(
    run: ArenaRun,
    folder: Path,
    *,
    number: int,
    seat: int,
    day: int,
    agent: str,
    model: Mapping[str, Any],
    provenance: Mapping[str, Any] | None = None,
) -> ArenaRun:
    """A new arena of one round, in which every seat begins with its turns up to that day.

    From there the others are asked again: what they are answered depends on the newcomer.
    """
    world = load_world(run.terms.world_of(number))
    recordings = [read_episode(each, 0) for each in run.seat_runs(number, world)]
    turns = [_turns_until(recording, day) for recording in recordings]
    reached = max((states[-1].day for states in (recording.states for recording in recordings) if states), default=0)
    if not 0 <= day < max(reached, 1):
        raise RunError(f"{run.folder}, round {number} can be forked at days 0 to {max(0, reached - 1)}, not {day}")
    forked = create_arena(folder, _terms_with(run.terms, number, seat, agent, model), provenance)
    for place, recording in enumerate(recordings):
        terms = forked.seat_terms(0, place, world)
        if place == seat:
            terms = replace(terms, fork=Fork(run.folder.absolute().name, number, day, turns[place]))
        forked.create_seat(0, place, terms, inherited_events(terms, recording, turns[place]))
    return forked


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
