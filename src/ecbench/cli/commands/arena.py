"""ecbench arena: several agents in one market."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from ecbench.cli.declare import option
from ecbench.cli.options import (
    BudgetOption,
    GameOptions,
    JobsOption,
    ModelOptions,
    NoDoctorOption,
    OutOption,
    Output,
    SeatServer,
    SignOption,
    TurnSecondsOption,
)
from ecbench.cli.terminal import say
from ecbench.errors import RunError
from ecbench.ranges import EPISODES, SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ecbench.cli.run_file import RunFile
    from ecbench.runs.run_worlds import WorldRef
    from ecbench.runs.terms import Terms
    from ecbench.world.model import World


NOT_OF_ARENAS = ("agent", "episodes", "supplier", "executor")  # keys of a run file


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
        int, option("--rounds", within=EPISODES, help="Episodes to play; after each, every agent moves on by one seat.")
    ] = 1,
    jobs: JobsOption = None,
    game: GameOptions,
    turn_seconds: TurnSecondsOption = None,
    talk: Annotated[bool, option("--talk", help="Let the agents write to and pay each other.")] = False,
    out: OutOption = None,
    sign: SignOption = None,
    model: ModelOptions,
    budget: BudgetOption = None,
    server: SeatServer,
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
    from ecbench.cli.run_file import read_limits, read_settings

    key = signing_key(sign)
    if talk:
        game = replace(game, settings=[*(game.settings or []), "talk=1"])
    given, _ = read_settings(game, model, jobs=jobs)
    given.refuse("an arena has --seats, --rounds, and suppliers that write from templates", *NOT_OF_ARENAS)
    terms, world, refs = _terms(seats, rounds, given, turn_seconds)
    refuse_jobs(terms, given.jobs or 1)
    check_seat_server(terms, server)
    if len({seat.agent for seat in terms.seats}) < len(terms.seats) and not output.as_json:
        say(f"Some agents have several seats: {', '.join(terms.labels)}")
    limits, with_doctor = read_limits(budget).over(given.budget), given.doctor is not False and not no_doctor
    new = NewRun(terms, world, refs, rounds, doctor=with_doctor, limits=limits, key=key, jobs=given.jobs or 1)
    begin(new, out, output, server=server)


def _terms(seats: str, rounds: int, given: RunFile, turn_seconds: int | None) -> tuple[Terms, World, list[WorldRef]]:
    """The terms, the first world and all worlds that the options ask for. Raises RunError if they do not fit."""
    from msgspec import structs

    from ecbench.cli.new_run import TEMPLATE, terms_on, worlds_of
    from ecbench.runs.play.agents import transport_of
    from ecbench.runs.terms import SeatTerms
    from ecbench.world.load import load_world

    agents = _agents(seats)
    models = _model_options(agents, given)
    refs = worlds_of(given, rounds)
    world = load_world(refs[0].source)
    own = tuple(SeatTerms(agent, dict(models.get(agent, {})), transport_of(agent)) for agent in agents)
    terms = structs.replace(terms_on(world, given, agents[0], TEMPLATE, {}), seats=own, turn_seconds=turn_seconds)
    return terms, world, refs


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


def _model_options(agents: Sequence[str], given: RunFile) -> dict[str, Mapping[str, Any]]:
    from ecbench.cli.new_run import model_terms
    from ecbench.runs.play.agents import ModelAgent, parse_agent

    models = [agent for agent in dict.fromkeys(agents) if isinstance(parse_agent(agent), ModelAgent)]
    if given.model and not models:
        raise RunError(
            "options about models were given, but no model has a seat; name one as provider/model in --seats"
        )
    return {agent: model_terms(agent, given) for agent in models}
