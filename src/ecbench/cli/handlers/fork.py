"""Continue a recorded year, alone or in a shared market, with another agent."""

from pathlib import Path

from ecbench.cancellation import signals_held
from ecbench.cli.cost_checks import announce_estimate, check_limits
from ecbench.cli.model_options import ModelOptions
from ecbench.cli.model_terms import agent_options, model_terms, time_limits
from ecbench.cli.new_run import check_reach, find_own_modules, name_addresses, provenance, run_folder
from ecbench.cli.options import Output, SeatServer
from ecbench.cli.run_episodes import check_seat_server, play_run
from ecbench.errors import RunError
from ecbench.runs.budget_limits import BudgetLimits
from ecbench.runs.folder import open_run, refuse_used
from ecbench.runs.play.agents import canonical_name, canonical_seat_name, short_name, transport_of
from ecbench.runs.play.budget import Budget
from ecbench.runs.play.fork import take_over
from ecbench.runs.signatures.keys import SigningKey
from ecbench.runs.workers import choose_executor


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
    doctor: bool,
    key: SigningKey | None,
    limits: BudgetLimits,
) -> None:
    run = open_run(folder).with_world_at(world)
    find_own_modules(agent, *(seat.agent for seat in run.terms.seats))
    if seat is not None and not run.terms.shared:
        raise RunError(f"--seat {seat}: only an arena has seats, and in {folder} one agent trades alone")
    if run.terms.shared and seat is None:
        raise RunError(f"{folder}: --seat is missing; its seats are 0 to {run.seats - 1}")
    taken = seat or 0
    run.at_seat(episode, taken)
    agent = canonical_seat_name(agent) if run.terms.shared else canonical_name(agent)
    voice, loaded = run.terms.voice, run.load_world(episode)
    suppliers = dict(run.player.model.get("supplier", {}))
    recorded = model_terms(
        agent, voice, own=agent_options(model), supplier=suppliers, limits=time_limits(model), prices=model.prices
    )
    takeover = take_over(
        run, episode=episode, day=day, agent=agent, model=recorded, transport=transport_of(agent), seat=taken
    )
    if out is not None:
        refuse_used(out)
    check_seat_server(takeover.terms, seats)
    name_addresses(takeover.terms, folder, replaced=taken)
    check_limits(limits, takeover.terms)
    seconds = check_reach(takeover.terms, doctor=doctor, silent=output.silent)
    facts = announce_estimate(takeover.terms, [max(1, takeover.terms.days - day)], output, seconds)
    made = provenance(agent, voice)
    with signals_held(), run_folder(out, short_name(agent)) as place:
        forked = takeover.create_in(place, made, key, limits.lasting)
    executor, budget = choose_executor(None, forked.terms), Budget(limits) if limits.flags else None
    play_run(forked, loaded, [0], executor, output, server=seats, budget=budget, facts=facts)
