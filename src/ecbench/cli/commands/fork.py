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

    Exit codes: 0 every episode was finished, 1 an agent or a model failed, 2 bad input, 3 a limit of the
    budget is reached, 130 stopped by a signal.

    Options:
        day: The day on which the other agent takes over.
        agent AGENT: Who takes over; see `ecbench run`.
        seat: In an arena: the seat to take over; the others play on.
    """
    from ecbench.cli.new_run import NewRun, begin, find_own_modules, model_terms, name_addresses
    from ecbench.cli.run_file import RunFile, model_table
    from ecbench.runs.folder import open_run
    from ecbench.runs.play.agents import canonical_name, canonical_seat_name, transport_of
    from ecbench.runs.play.fork import take_over

    parent = open_run(run).with_world_at(world)
    find_own_modules(agent, *(each.agent for each in parent.terms.seats))
    if seat is not None and not parent.terms.shared:
        raise RunError(f"--seat {seat}: only an arena has seats, and in {parent.folder} one agent trades alone")
    if parent.terms.shared and seat is None:
        raise RunError(f"{parent.folder}: --seat is missing; its seats are 0 to {parent.seats - 1}")
    taken = seat or 0
    parent.at_seat(episode, taken)
    agent = canonical_seat_name(agent) if parent.terms.shared else canonical_name(agent)
    loaded, suppliers = parent.load_world(episode), parent.player.model.get("supplier")
    recorded = model_terms(agent, RunFile(model=model_table(model)))
    recorded |= {"supplier": suppliers} if suppliers else {}
    transport = transport_of(agent)
    takeover = take_over(parent, episode=episode, day=day, agent=agent, model=recorded, transport=transport, seat=taken)
    name_addresses(takeover.terms, run, replaced=taken)
    new = NewRun(takeover.terms, loaded, 1, takeover.create_in, first_day=day)
    begin(new, RunFile(), playing, out, server=server)
