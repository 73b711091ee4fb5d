"""ecbench fork: take a recorded year over on one of its days."""

from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.budget_options import BudgetOptions
from ecbench.cli.model_options import ModelOptions
from ecbench.cli.options import (
    EpisodeOption,
    NoDoctorOption,
    OutOption,
    Output,
    RunArgument,
    SeatServer,
    SignOption,
    WorldPlaceOption,
)


def fork(
    *,
    run: RunArgument,
    day: Annotated[int, typer.Option("--day", metavar="N", min=0, help="The day on which the other agent takes over.")],
    agent: Annotated[str, typer.Option("--agent", metavar="AGENT", help="Who takes over; see `ecbench run`.")],
    episode: EpisodeOption = 0,
    seat: Annotated[
        int | None,
        typer.Option("--seat", metavar="N", min=0, help="In an arena: the seat to take over; the others play on."),
    ] = None,
    out: OutOption = None,
    sign: SignOption = None,
    world: WorldPlaceOption = None,
    model: ModelOptions,
    budget: BudgetOptions,
    seats: SeatServer,
    no_doctor: NoDoctorOption = False,
    output: Output,
) -> None:
    """Continue a recorded year from any day with another agent.

    The other agent takes over the money, stock, stores and notes as they were on that morning, but has seen nothing of
    the conversation before it. A fork is a run of its own.

    Exit codes: 0 every year was finished, 1 an agent or a model failed, 2 bad input, 3 a limit of the
    budget is reached, 130 stopped by a signal.
    """
    key = handlers.keys.signing_key(sign)
    handlers.fork.fork_folder(
        run,
        episode,
        seat,
        day,
        agent,
        model,
        out,
        output,
        seats,
        world=world,
        doctor=not no_doctor,
        key=key,
        limits=budget.limits,
    )
