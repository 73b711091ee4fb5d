"""ecbench arena: several agents in one market."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ecbench.cli.declare import option
from ecbench.cli.model_options import ModelOptions
from ecbench.cli.options import (
    BudgetOptions,
    GameOptions,
    JobsOption,
    NoDoctorOption,
    OutOption,
    Output,
    Parallel,
    SeatServer,
    SignOption,
    TurnSecondsOption,
)
from ecbench.cli.terminal import say
from ecbench.errors import RunError
from ecbench.ranges import EPISODES, SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ecbench.runs.run_worlds import WorldRef
    from ecbench.runs.terms import Terms
    from ecbench.world.model import World


def arena(
    *,
    seats: Annotated[
        str,
        option(
            "--seats",
            metavar="AGENT,AGENT,...",
            help="Who plays: merchants of `ecbench list agents`, file.py:Class, provider/model; or http, mcp and "
            "person, whose turns come from outside, with a name if you like (http:my-agent). Names may repeat.",
        ),
    ],
    rounds: Annotated[
        int, option("--rounds", within=EPISODES, help="Years to play; after each, every agent moves on by one seat.")
    ] = 1,
    worlds: Annotated[
        str, option("--worlds", metavar="LIST", help="Worlds by round, such as 1-5 (seeds of fresh ones) or default.")
    ] = "default",
    jobs: JobsOption = 1,
    game: GameOptions,
    turn_seconds: TurnSecondsOption = None,
    out: OutOption = None,
    sign: SignOption = None,
    model: ModelOptions,
    budget: BudgetOptions,
    server: SeatServer,
    supplier_model: Annotated[str | None, option("--supplier-model", hidden=True, help="")] = None,
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
    from ecbench.cli.new_run import NewRun, begin, signing_key
    from ecbench.cli.play import check_seat_server, refuse_jobs

    if supplier_model is not None:
        raise RunError(
            "--supplier-model: in an arena suppliers write from templates; a model writes their letters in a year "
            "alone, with ecbench run"
        )
    key = signing_key(sign)
    terms, world, sites = _terms(seats, rounds, worlds, game, turn_seconds, model)
    refuse_jobs(terms, jobs)
    check_seat_server(terms, server)
    if len({seat.agent for seat in terms.seats}) < len(terms.seats) and not output.as_json:
        say(f"Some agents have several seats: {', '.join(terms.labels)}")
    new = NewRun(terms, world, sites, rounds, doctor=not no_doctor, limits=budget.limits, key=key)
    begin(new, out, Parallel(jobs=jobs), output, server=server)


def _terms(
    seats: str, rounds: int, worlds: str, game: GameOptions, turn_seconds: int | None, model: ModelOptions
) -> tuple[Terms, World, list[WorldRef]]:
    """The terms, the first world and all worlds that the options ask for. Raises RunError if they do not fit."""
    from msgspec.structs import replace

    from ecbench.cli.new_run import terms_on
    from ecbench.runs.play.agents import transport_of
    from ecbench.runs.run_worlds import read_worlds, worlds_at
    from ecbench.runs.terms import SeatTerms
    from ecbench.world.load import load_world

    agents = _agents(seats)
    models = _model_options(agents, model)
    sites = worlds_at(read_worlds(worlds)[:rounds], game.days)
    world = load_world(sites[0].source)
    own = tuple(SeatTerms(agent, dict(models.get(agent, {})), transport_of(agent)) for agent in agents)
    terms = replace(terms_on(world, game, agents[0], "template", {}), seats=own, turn_seconds=turn_seconds)
    return terms, world, sites


def _agents(seats: str) -> Sequence[str]:
    from ecbench.cli.new_run import find_own_modules
    from ecbench.runs.play.agents import canonical_seat_name

    names = [name.strip() for name in seats.split(",")]
    if not all(names):
        raise RunError(f"--seats {seats!r}: name an agent for each seat, such as steady,haggler")
    find_own_modules(*names)
    if len(names) not in SEATS:
        raise RunError(f"--seats: {len(names)} seats; there can be {SEATS.bounds}")
    return list(map(canonical_seat_name, names))


def _model_options(agents: Sequence[str], given: ModelOptions) -> dict[str, Mapping[str, Any]]:
    from ecbench.cli.model_terms import agent_options, model_terms, time_limits
    from ecbench.runs.play.agents import ModelAgent, parse_agent

    own, limits = agent_options(given), time_limits(given)
    models = [agent for agent in dict.fromkeys(agents) if isinstance(parse_agent(agent), ModelAgent)]
    if (own or limits or given.prices) and not models:
        raise RunError(
            "options about models were given, but no model has a seat; name one as provider/model in --seats"
        )
    return {
        agent: model_terms(agent, "template", own=own, supplier={}, limits=limits, prices=given.prices)
        for agent in models
    }
