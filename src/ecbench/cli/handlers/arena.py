"""Begin an arena and play it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ecbench.cancellation import signals_held
from ecbench.cli.arena_runs import check_server, play_arena, reach_models, refuse_jobs
from ecbench.cli.model_options import ModelOptions
from ecbench.cli.model_terms import agent_options, model_terms, time_limits
from ecbench.cli.options import GameOptions, Output, SeatServer
from ecbench.cli.plain_text import say
from ecbench.cli.run_episodes import find_own_modules, new_folder, provenance
from ecbench.errors import RunError
from ecbench.ranges import SEATS
from ecbench.runs.arena.folder import create_arena
from ecbench.runs.arena.seat_names import lasting_seat_name
from ecbench.runs.arena.terms import ArenaTerms
from ecbench.runs.folder import refuse_used
from ecbench.runs.play.agents import is_model
from ecbench.runs.rule_overrides import read_overrides, rules_with
from ecbench.runs.run_worlds import read_worlds, sites_at
from ecbench.world.load import load_world


def refuse_letters(supplier_model: str | None) -> None:
    if supplier_model is not None:
        raise RunError(
            "--supplier-model: in an arena suppliers write from templates; a model writes their letters in a year "
            "alone, with ecbench run"
        )


def arena_terms(
    seats: str, rounds: int, worlds: str, game: GameOptions, turn_seconds: int | None, model: ModelOptions
) -> ArenaTerms:
    """What the options of a new arena ask for; raises RunError where they do not fit together."""
    find_own_modules()
    agents = _agents(seats)
    models = _model_options(agents, agent_options(model), time_limits(model))
    sources = read_worlds(worlds)
    sites_at(sources[:rounds], game.days)
    overrides = read_overrides(game.settings or [], game.rules)
    return ArenaTerms(
        agents=agents,
        rounds=rounds,
        worlds=tuple(sources),
        days=load_world(sources[0]).days if game.days is None else game.days,
        stake=rules_with(overrides, game.rules).stake if game.stake is None else game.stake,
        max_turns=game.max_turns,
        rule_set=game.rules,
        rules=overrides,
        models=models,
        turn_seconds=turn_seconds,
    )


def _agents(seats: str) -> tuple[str, ...]:
    names = [name.strip() for name in seats.split(",")]
    if not all(names):
        raise RunError(f"--seats {seats!r}: name an agent for each seat, such as steady,haggler")
    if len(names) not in SEATS:
        raise RunError(f"--seats: {len(names)} seats; there can be {SEATS.bounds}")
    return tuple(map(lasting_seat_name, names))


def _model_options(agents: Sequence[str], own: dict[str, Any], limits: dict[str, Any]) -> dict[str, Mapping[str, Any]]:
    models = [agent for agent in dict.fromkeys(agents) if is_model(agent)]
    if (own or limits) and not models:
        raise RunError(
            "options about models were given, but no model has a seat; name one as provider/model in --seats"
        )
    return {agent: model_terms(agent, "template", own=own, supplier={}, limits=limits) for agent in models}


def play_new(terms: ArenaTerms, jobs: int, out: Path | None, server: SeatServer, output: Output) -> None:
    """Make the arena's folder and play it; nothing is written before every option has been checked."""
    refuse_jobs(terms.agents, jobs)
    check_server(terms.agents, server)
    if len(set(terms.agents)) < terms.seats and not output.as_json:
        say(f"Some sit at several seats: {', '.join(terms.labels)}")
    if out is not None:
        refuse_used(out)
    reach_models(terms)
    made = provenance(*terms.agents)
    with signals_held():
        run = create_arena(out or new_folder("arena"), terms, made)
    play_arena(run, server, jobs, output)
