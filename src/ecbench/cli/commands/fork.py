"""ecbench fork: continue a recorded episode, alone or in a shared market, with another agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ecbench.cli.declare import option
from ecbench.cli.options import (
    COUNT,
    BudgetOption,
    EpisodeOption,
    ModelOptions,
    NoDoctorOption,
    OutOption,
    Output,
    RunArgument,
    SeatServer,
    SignOption,
    WorldPlaceOption,
)
from ecbench.errors import RunError

if TYPE_CHECKING:
    from ecbench.runs.folder import Run
    from ecbench.runs.play.fork import Takeover
    from ecbench.world.model import World


def fork(
    *,
    run: RunArgument,
    day: Annotated[int, option("--day", within=COUNT, help="The day on which the other agent takes over.")],
    agent: Annotated[str, option("--agent", metavar="AGENT", help="Who takes over; see `ecbench run`.")],
    episode: EpisodeOption = 0,
    seat: Annotated[
        int | None, option("--seat", within=COUNT, help="In an arena: the seat to take over; the others play on.")
    ] = None,
    out: OutOption = None,
    sign: SignOption = None,
    world: WorldPlaceOption = None,
    model: ModelOptions,
    budget: BudgetOption = None,
    seats: SeatServer,
    no_doctor: NoDoctorOption = False,
    output: Output,
) -> None:
    """Continue a recorded episode from any day with another agent.

    The other agent takes over the money, stock, stores and notes as they were on that morning, but has seen nothing of
    the conversation before it. A fork is a run of its own.

    Exit codes: 0 every episode was finished, 1 an agent or a model failed, 2 bad input, 3 a limit of the
    budget is reached, 130 stopped by a signal.
    """
    from ecbench.cancellation import signals_held
    from ecbench.cli.cost_checks import announce_estimate, check_limits
    from ecbench.cli.new_run import find_own_modules, prepare, provenance, run_folder, signing_key
    from ecbench.cli.play import check_seat_server, play_run
    from ecbench.cli.run_file import read_limits
    from ecbench.runs.folder import open_run, refuse_used
    from ecbench.runs.play.agents import short_name
    from ecbench.runs.play.budget import Budget
    from ecbench.runs.workers import choose_executor

    key, limits = signing_key(sign), read_limits(budget)
    parent = open_run(run).with_world_at(world)
    find_own_modules(agent, *(each.agent for each in parent.terms.seats))
    takeover, loaded = _take_over(parent, episode, seat, day, agent, model)
    terms = takeover.terms
    if out is not None:
        refuse_used(out)
    check_seat_server(terms, seats)
    check_limits(limits, terms)
    seconds = prepare(terms, run, replaced=seat or 0, doctor=not no_doctor, silent=output.silent)
    facts = announce_estimate(terms, [max(1, terms.days - day)], output, seconds)
    agent = terms.seats[seat or 0].agent
    made = provenance(agent, terms.voice)
    with signals_held(), run_folder(out, short_name(agent)) as folder:
        forked = takeover.create_in(folder, made, key, limits.lasting)
    left, executor = Budget(limits) if limits.flags else None, choose_executor(None, forked.terms)
    play_run(forked, loaded, [0], executor, output, server=seats, budget=left, facts=facts)


def _take_over(
    parent: Run, episode: int, seat: int | None, day: int, agent: str, model: ModelOptions
) -> tuple[Takeover, World]:
    """The recorded episode with another agent from that day on, and its world. Raises RunError."""
    from ecbench.cli.new_run import model_terms
    from ecbench.cli.run_file import RunFile, model_table
    from ecbench.runs.play.agents import canonical_name, canonical_seat_name, transport_of
    from ecbench.runs.play.fork import take_over

    if seat is not None and not parent.terms.shared:
        raise RunError(f"--seat {seat}: only an arena has seats, and in {parent.folder} one agent trades alone")
    if parent.terms.shared and seat is None:
        raise RunError(f"{parent.folder}: --seat is missing; its seats are 0 to {parent.seats - 1}")
    taken = seat or 0
    parent.at_seat(episode, taken)
    agent = canonical_seat_name(agent) if parent.terms.shared else canonical_name(agent)
    loaded, suppliers = parent.load_world(episode), dict(parent.player.model.get("supplier", {}))
    recorded = model_terms(agent, RunFile(model=model_table(model)))
    recorded |= {"supplier": suppliers} if suppliers else {}
    transport = transport_of(agent)
    return take_over(
        parent, episode=episode, day=day, agent=agent, model=recorded, transport=transport, seat=taken
    ), loaded
