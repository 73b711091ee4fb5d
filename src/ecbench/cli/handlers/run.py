"""Begin a run and play it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ecbench.cancellation import signals_held
from ecbench.cli.cost_checks import announce_estimate, check_limits
from ecbench.cli.model_options import ModelOptions, SupplierModelOptions
from ecbench.cli.model_terms import agent_options, model_terms, provider_options, time_limits, voice_of
from ecbench.cli.new_run import check_reach, find_own_modules, provenance, run_folder, terms_on
from ecbench.cli.options import GameOptions, Output, Parallel, SeatServer
from ecbench.cli.run_episodes import WhenDone, play_run
from ecbench.runs.budget_limits import BudgetLimits
from ecbench.runs.folder import create_run, refuse_used
from ecbench.runs.play.agents import canonical_name, short_name
from ecbench.runs.play.budget import Budget
from ecbench.runs.run_worlds import WorldRef, check_episodes, read_worlds, worlds_at
from ecbench.runs.signatures.keys import SigningKey
from ecbench.runs.stopping_plan import StoppingPlan
from ecbench.runs.terms import Terms
from ecbench.runs.workers import choose_executor
from ecbench.world.load import load_world
from ecbench.world.model import World


class NewRun(NamedTuple):
    """A run that is about to begin. The first of its sites is `world`, the world of the terms."""

    terms: Terms
    world: World
    worlds: Sequence[WorldRef]
    label: Mapping[str, str] = {}  # protocol and preset, for `run.json`
    doctor: bool = True  # whether its models are checked before it begins
    stopping: StoppingPlan | None = None  # of a season that stops when it is clear
    limits: BudgetLimits = BudgetLimits()


def new_run(
    agent: str,
    worlds: str | None,
    world: str,
    game: GameOptions,
    model: ModelOptions,
    supplier: SupplierModelOptions,
    label: Mapping[str, str],
) -> NewRun:
    """What the options ask for; raises RunError where they do not fit together."""
    find_own_modules(agent)
    agent, voice = canonical_name(agent), voice_of(supplier.supplier_model)
    own, suppliers = agent_options(model), provider_options("--supplier-", supplier.provider)
    recorded = model_terms(agent, voice, own=own, supplier=suppliers, limits=time_limits(model), prices=model.prices)
    sites = worlds_at([world] if worlds is None else read_worlds(worlds), game.days)
    first = load_world(sites[0].source)
    return NewRun(terms_on(first, game, agent, voice, recorded), first, sites, label)


def play_new(
    new: NewRun,
    each: int,
    out: Path | None,
    parallel: Parallel,
    output: Output,
    *,
    traceback: bool = False,
    when_done: WhenDone | None = None,
    key: SigningKey | None = None,
) -> None:
    """Begin a run with `each` episodes on each site, and play it."""
    total = check_episodes(new.worlds, each)
    begin(new, total, out, parallel, output, traceback=traceback, when_done=when_done, key=key)


def begin(
    new: NewRun,
    episodes: int,
    out: Path | None,
    parallel: Parallel,
    output: Output,
    *,
    traceback: bool = False,
    when_done: WhenDone | None = None,
    server: SeatServer | None = None,
    key: SigningKey | None = None,
) -> None:
    """Make the folder of a run and play it; nothing is written before every option has been checked."""
    terms, world, sites, label, doctor, stopping, limits = new
    executor = choose_executor(parallel.executor, terms, parallel.jobs, episodes)
    if out is not None:
        refuse_used(out)
    check_limits(limits, terms)
    seconds = check_reach(terms, doctor=doctor, silent=output.silent)
    facts = announce_estimate(terms, [terms.days] * episodes, output, seconds)
    made = provenance(*(seat.agent for seat in terms.seats), terms.voice) | dict(label)
    first, *others = sites
    name = "arena" if terms.shared else short_name(terms.seats[0].agent)
    with signals_held(), run_folder(out, name) as place:
        run = create_run(
            place,
            terms,
            episodes=episodes,
            world_source=first.source,
            others=others,
            provenance=made,
            signing_key=key,
            stopping=stopping,
            budget=limits.lasting,
        )
    play_run(
        run,
        world,
        range(episodes),
        executor,
        output,
        parallel.jobs,
        traceback=traceback,
        when_done=when_done,
        server=server,
        budget=Budget(limits) if limits.flags else None,
        facts=facts,
    )
