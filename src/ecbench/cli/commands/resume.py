"""ecbench resume: go on with a run that was stopped or killed."""

from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.budget_options import BudgetOptions
from ecbench.cli.options import (
    NoDoctorOption,
    Output,
    Parallel,
    RunArgument,
    SeatServer,
    SignOption,
    TracebackOption,
    TurnSecondsOption,
    WorldPlaceOption,
)


def resume(
    *,
    run: RunArgument,
    parallel: Parallel,
    world: WorldPlaceOption = None,
    salvage: Annotated[
        bool,
        typer.Option(
            "--salvage", help="Continue after the last complete turn of a damaged record; the damaged file is kept."
        ),
    ] = False,
    window: Annotated[
        str | None,
        typer.Option(
            "--window",
            metavar="TOKENS[,TRIGGER,RELEASE]",
            help="Go on with another context window where the conversation did not fit the model's. It is recorded, "
            "and `compare` says so.",
        ),
    ] = None,
    sign: SignOption = None,
    traceback: TracebackOption = False,
    seats: SeatServer,
    turn_seconds: TurnSecondsOption = None,
    budget: BudgetOptions,
    no_doctor: NoDoctorOption = False,
    output: Output,
) -> None:
    """Continue a run that was stopped or killed.

    The recorded turns are replayed and compared with the record; then the agent takes its next turn. No model is asked
    again for a recorded turn. Finished years stay as they are, and derived files that are missing or do not match the
    recorded events are written again.

    Exit codes: 0 every year was finished, 1 an agent or a model failed, 2 bad input, 3 a limit of the
    budget is reached, 130 stopped by a signal.
    """
    handlers.resume.resume_folder(
        run,
        parallel,
        seats,
        turn_seconds,
        output,
        world=world,
        salvage=salvage,
        doctor=not no_doctor,
        window=window,
        traceback=traceback,
        key=handlers.keys.signing_key(sign),
        limits=budget.limits,
    )
