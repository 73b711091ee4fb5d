"""Begin a run in which several agents share a market, and play it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ecbench.cli.handlers.run import NewRun, begin
from ecbench.cli.model_options import ModelOptions
from ecbench.cli.model_terms import agent_options, model_terms, time_limits
from ecbench.cli.new_run import find_own_modules, terms_on
from ecbench.cli.options import GameOptions, Output, Parallel, SeatServer
from ecbench.cli.plain_text import say
from ecbench.cli.run_episodes import check_seat_server
from ecbench.errors import RunError
from ecbench.ranges import SEATS
from ecbench.runs.play.agents import ModelAgent, canonical_seat_name, parse_agent, transport_of
from ecbench.runs.run_worlds import read_worlds, worlds_at
from ecbench.runs.signatures.keys import SigningKey
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.world.load import load_world


def refuse_letters(supplier_model: str | None) -> None:
    if supplier_model is not None:
        raise RunError(
            "--supplier-model: in an arena suppliers write from templates; a model writes their letters in a year "
            "alone, with ecbench run"
        )


def new_arena(
    seats: str, rounds: int, worlds: str, game: GameOptions, turn_seconds: int | None, model: ModelOptions
) -> NewRun:
    """What the options of a new arena ask for; raises RunError where they do not fit together."""
    agents = _agents(seats)
    models = _model_options(agents, model)
    sites = worlds_at(read_worlds(worlds)[:rounds], game.days)
    world = load_world(sites[0].source)
    terms = terms_on(world, game, agents[0], "template", {})
    own = tuple(SeatTerms(agent, dict(models.get(agent, {})), transport_of(agent)) for agent in agents)
    return NewRun(replace(terms, seats=own, turn_seconds=turn_seconds), world, sites)


def _agents(seats: str) -> Sequence[str]:
    names = [name.strip() for name in seats.split(",")]
    if not all(names):
        raise RunError(f"--seats {seats!r}: name an agent for each seat, such as steady,haggler")
    find_own_modules(*names)
    if len(names) not in SEATS:
        raise RunError(f"--seats: {len(names)} seats; there can be {SEATS.bounds}")
    return list(map(canonical_seat_name, names))


def _model_options(agents: Sequence[str], given: ModelOptions) -> dict[str, Mapping[str, Any]]:
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


def play_new(
    new: NewRun,
    rounds: int,
    jobs: int,
    out: Path | None,
    server: SeatServer,
    output: Output,
    key: SigningKey | None,
) -> None:
    """Make the folder of an arena and play it; nothing is written before every option has been checked."""
    terms = new.terms
    refuse_jobs(terms, jobs)
    check_seat_server(terms, server)
    if len({seat.agent for seat in terms.seats}) < len(terms.seats) and not output.as_json:
        say(f"Some agents have several seats: {', '.join(terms.labels)}")
    begin(new, rounds, out, Parallel(jobs=jobs), output, server=server, key=key)


def refuse_jobs(terms: Terms, jobs: int) -> None:
    if jobs > 1 and terms.has_external_seats:
        raise RunError(f"--jobs {jobs}: with a seat that is played from outside, episodes are played one after another")
