"""ecbench run: play a year, or several."""

from typing import Annotated

import click

from ecbench.cli.declare import option
from ecbench.cli.model_options import ModelOptions, SupplierModelOptions
from ecbench.cli.options import (
    DEFAULT_AGENT,
    BudgetOptions,
    EpisodesOption,
    GameOptions,
    NoDoctorOption,
    OutOption,
    Output,
    Parallel,
    SignOption,
    TracebackOption,
    WorldOption,
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


def run(
    *,
    agent: Annotated[
        str | None,
        option(
            "--agent",
            metavar="AGENT",
            help="A merchant of `ecbench list agents`, your own module:Class or file.py:Class, or provider/model. "
            f"[default: {DEFAULT_AGENT}, or the model of --preset]",
        ),
    ] = None,
    protocol: ProtocolOptions,
    episodes: EpisodesOption = None,
    parallel: Parallel,
    world: WorldOption = None,
    worlds: Annotated[
        str | None,
        option("--worlds", metavar="SEEDS", help="Play on several fresh worlds, given by seed: 1-10 or 3,7."),
    ] = None,
    game: GameOptions,
    out: OutOption = None,
    sign: SignOption = None,
    model: ModelOptions,
    supplier: SupplierModelOptions,
    budget: BudgetOptions,
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
    from ecbench.cli.new_run import NewRun, begin, new_year, signing_key
    from ecbench.runs.run_worlds import check_episodes

    if world is not None and worlds is not None:
        raise click.UsageError("--world and --worlds exclude each other; --worlds takes names and folders too")
    if protocol.preset is not None and agent is not None and "/" not in agent:
        raise RunError(f"--preset is for a model, and {agent} is a merchant; leave one of them out")
    refuse_deviations(protocol, episodes, world, worlds, game, model)
    preset = chosen_preset(protocol)
    agent = agent or (preset.model if preset else DEFAULT_AGENT)
    suppliers = suppliers_of(protocol, supplier)
    terms, first, sites = new_year(agent, worlds, world or "default", game, with_preset(model, preset), suppliers)
    new = NewRun(
        terms,
        first,
        sites,
        check_episodes(sites, episodes_of(protocol, episodes)),
        label=protocol.provenance,
        doctor=not no_doctor,
        limits=budget.limits,
        key=signing_key(sign),
    )
    begin(new, out, parallel, output, traceback=traceback)
