"""ecbench run: play a year, or several."""

from functools import partial
from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.budget_options import BudgetOptions
from ecbench.cli.model_options import ModelOptions, SupplierModelOptions
from ecbench.cli.options import (
    DEFAULT_AGENT,
    AnyAgentOption,
    GameOptions,
    NoDoctorOption,
    OutOption,
    Output,
    Parallel,
    SignOption,
    TracebackOption,
    WorldOption,
    number_option,
)
from ecbench.cli.protocol_options import (
    ProtocolOptions,
    chosen_preset,
    episodes_of,
    refuse_deviations,
    suppliers_of,
    with_preset,
)
from ecbench.errors import RunError
from ecbench.ranges import EPISODES


def run(
    *,
    agent: AnyAgentOption = None,
    protocol: ProtocolOptions,
    episodes: Annotated[
        int | None,
        number_option("--episodes", "-n", within=EPISODES, help="Years on each world. [default: 1, or the protocol's]"),
    ] = None,
    parallel: Parallel,
    world: WorldOption = None,
    worlds: Annotated[
        str | None,
        typer.Option("--worlds", metavar="SEEDS", help="Play on several fresh worlds, given by seed: 1-10 or 3,7."),
    ] = None,
    game: GameOptions,
    out: OutOption = None,
    sign: SignOption = None,
    model: ModelOptions,
    supplier: SupplierModelOptions,
    budget: BudgetOptions,
    report: Annotated[
        bool, typer.Option("--report", help="Write RUN/report.html at the end; see `ecbench report`.")
    ] = False,
    no_doctor: NoDoctorOption = False,
    traceback: TracebackOption = False,
    output: Output,
) -> None:
    """Play a year, record it, and compare it with the paper's models.

    Without options the built-in merchant `steady` plays one year on the default world; no model or API key is needed.
    With --worlds one run covers several fresh worlds; with --protocol paper a model plays as in the paper. Ctrl-C stops
    after the current turn, a second Ctrl-C stops at once; `ecbench resume` continues from there, also after a crash.

    Exit codes: 0 every year was finished, 1 an agent or a model failed, 2 bad input, 3 a limit of the
    budget is reached, 130 stopped by a signal.
    """
    if world is not None and worlds is not None:
        raise typer.BadParameter("--world and --worlds exclude each other; --worlds takes names and folders too")
    if protocol.preset is not None and agent is not None and "/" not in agent:
        raise RunError(f"--preset is for a model, and {agent} is a merchant; leave one of them out")
    refuse_deviations(protocol, episodes, world, worlds, game, model)
    when_done = partial(handlers.report.write_beside, as_json=output.as_json) if report else None
    preset = chosen_preset(protocol)
    key = handlers.keys.signing_key(sign)
    new = handlers.run.new_run(
        (preset.model if preset else DEFAULT_AGENT) if agent is None else agent,
        worlds,
        world or "default",
        game,
        with_preset(model, preset),
        suppliers_of(protocol, supplier),
        protocol.provenance,
    )._replace(doctor=not no_doctor, limits=budget.limits)
    handlers.run.play_new(
        new, episodes_of(protocol, episodes), out, parallel, output, traceback=traceback, when_done=when_done, key=key
    )
