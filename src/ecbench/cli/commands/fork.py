"""ecbench fork: continue a recorded episode, alone or in a shared market, with another agent."""

from pathlib import Path

from ecbench.cli.options import Count, ModelOptions, Playing, SeatServer
from ecbench.errors import RunError


def fork(
    run: Path,
    *,
    day: Count,
    agent: str,
    episode: Count = 0,
    seat: Count | None = None,
    out: Path | None = None,
    world: str | None = None,
    model: ModelOptions,
    server: SeatServer,
    playing: Playing,
) -> None:
    """Continue a recorded episode from any day with another agent.

    The other agent takes over the money, stock, stores and notes as they were on that morning, but has seen nothing of
    the conversation before it. A fork is a run of its own.

    Options:
        day: The day on which the other agent takes over.
        agent AGENT: Who takes over; see `ecbench run`.
        seat: In an arena: the seat to take over; the others play on.
    """
    from ecbench.cli.new_run import begin, find_own_modules, known_agents, model_terms, name_addresses
    from ecbench.cli.run_file import RunFile, model_table
    from ecbench.runs.folder import open_run
    from ecbench.runs.play.agents import transport_of
    from ecbench.runs.play.fork import take_over

    parent = open_run(run).with_world_at(world)
    if seat is not None and not parent.terms.shared:
        raise RunError(f"--seat {seat}: only an arena has seats, and in {parent.folder} one agent trades alone")
    if parent.terms.shared and seat is None:
        raise RunError(f"{parent.folder}: --seat is missing; its seats are 0 to {parent.seats - 1}")
    taken = seat or 0
    parent.at_seat(episode, taken)
    find_own_modules(*(each.agent for each in parent.terms.seats))
    [agent] = known_agents(agent, at_seats=parent.terms.shared)
    [recorded] = model_terms([agent], RunFile(model=model_table(model)))
    if suppliers := parent.player.model.get("supplier"):
        recorded["supplier"] = suppliers
    parent.load_world(episode)  # before anything is written
    transport = transport_of(agent)
    takeover = take_over(parent, episode=episode, day=day, agent=agent, model=recorded, transport=transport, seat=taken)
    name_addresses(takeover.terms, run, replaced=taken)
    begin(takeover.terms, 1, takeover.create_in, RunFile(), playing, out, first_day=day, server=server)
