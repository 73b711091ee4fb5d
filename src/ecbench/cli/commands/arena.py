"""ecbench arena: several agents in one market."""

from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.budget_options import BudgetOptions
from ecbench.cli.model_options import ModelOptions
from ecbench.cli.options import (
    GameOptions,
    JobsOption,
    NoDoctorOption,
    OutOption,
    Output,
    SeatServer,
    SignOption,
    TurnSecondsOption,
    number_option,
)
from ecbench.ranges import EPISODES


def arena(
    *,
    seats: Annotated[
        str,
        typer.Option(
            "--seats",
            metavar="AGENT,AGENT,...",
            help="Who plays: merchants of `ecbench agents`, file.py:Class, provider/model; or http, mcp and person, "
            "whose turns come from outside, with a name if you like (http:my-agent). Names may repeat.",
        ),
    ],
    rounds: Annotated[
        int,
        number_option("--rounds", within=EPISODES, help="Years to play; after each, every agent moves on by one seat."),
    ] = 1,
    worlds: Annotated[
        str,
        typer.Option("--worlds", metavar="LIST", help="Worlds by round, such as 1-5 (seeds of fresh ones) or default."),
    ] = "default",
    jobs: JobsOption = 1,
    game: GameOptions,
    turn_seconds: TurnSecondsOption = None,
    out: OutOption = None,
    sign: SignOption = None,
    model: ModelOptions,
    budget: BudgetOptions,
    server: SeatServer,
    supplier_model: Annotated[str | None, typer.Option("--supplier-model", hidden=True)] = None,
    no_doctor: NoDoctorOption = False,
    output: Output,
) -> None:
    """Let several agents trade in one market, and rank them.

    They compete for the same customers, share the suppliers' order limits and see of each other only what a market
    shows. `ecbench resume`, `verify` and `fork --seat` work on the folder. Model options apply to every model.
    Ctrl-C stops after the current turn.

    For each seat that is played from outside, one line of JSON gives the address and the token. The market waits for
    its turns.

    Exit codes: 0 every round was finished, 1 an agent or a model failed, 2 bad input, 3 a limit of the
    budget is reached, 130 stopped by a signal.
    """
    handlers.arena.refuse_letters(supplier_model)
    key = handlers.keys.signing_key(sign)
    new = handlers.arena.new_arena(seats, rounds, worlds, game, turn_seconds, model)
    new = new._replace(doctor=not no_doctor, limits=budget.limits)
    handlers.arena.play_new(new, rounds, jobs, out, server, output, key)
