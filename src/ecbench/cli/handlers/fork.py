"""Continue a recorded year, or a round of an arena, with another agent."""

from pathlib import Path
from typing import Any

from ecbench.cancellation import signals_held
from ecbench.cli.arena_runs import fork_arena
from ecbench.cli.model_options import ModelOptions
from ecbench.cli.model_terms import agent_options, model_terms, time_limits
from ecbench.cli.options import Output, SeatServer
from ecbench.cli.run_episodes import check_reach, choose_executor, find_own_modules, new_folder, play_run, provenance
from ecbench.errors import RunError
from ecbench.runs.arena.folder import is_arena
from ecbench.runs.arena.seat_names import lasting_seat_name
from ecbench.runs.folder import open_run, refuse_used
from ecbench.runs.play.agents import lasting_name, short_name
from ecbench.runs.play.fork import take_over


def fork_folder(
    folder: Path,
    episode: int,
    seat: int | None,
    day: int,
    agent: str,
    model: ModelOptions,
    out: Path | None,
    output: Output,
    seats: SeatServer,
    *,
    world: str | None,
) -> None:
    find_own_modules()
    agent = lasting_seat_name(agent) if is_arena(folder) else lasting_name(agent)
    own, limits = agent_options(model), time_limits(model)

    def recorded(voice: str, suppliers: dict[str, Any]) -> dict[str, Any]:
        return model_terms(agent, voice, own=own, supplier=suppliers, limits=limits)

    if is_arena(folder):
        fork_arena(folder, episode, seat, day, agent, recorded("template", {}), out, output, seats)
        return
    if seat is not None:
        raise RunError(f"--seat {seat}: only an arena has seats, and {folder} is a run")
    run = open_run(folder).with_world_at(world)
    voice = run.terms.voice
    loaded = run.load_world(episode)
    recorded_model = recorded(voice, dict(run.terms.model.get("supplier", {})))
    takeover = take_over(run, episode=episode, day=day, agent=agent, model=recorded_model)
    if out is not None:
        refuse_used(out)
    check_reach(takeover.terms)
    made = provenance(agent, voice)
    with signals_held():
        forked = takeover.create_in(out or new_folder(short_name(agent)), made)
    play_run(forked, loaded, [0], choose_executor(None, agent), output)
