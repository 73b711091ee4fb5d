"""ecbench arena: several agents in one market."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ecbench.cli.options import GameOptions, Jobs, ModelOptions, Playing, SeatServer, Seconds
from ecbench.cli.terminal import say
from ecbench.errors import RunError
from ecbench.ranges import EPISODES, SEATS

if TYPE_CHECKING:
    from ecbench.cli.new_run import NewRun
    from ecbench.cli.run_file import RunFile

NOT_OF_ARENAS = ("agent", "episodes", "supplier", "executor")  # keys of a run file


def arena(
    *,
    seats: str,
    rounds: Annotated[int, EPISODES] = 1,
    jobs: Jobs | None = None,
    game: GameOptions,
    turn_seconds: Seconds | None = None,
    talk: bool = False,
    out: Path | None = None,
    model: ModelOptions,
    server: SeatServer,
    playing: Playing,
) -> None:
    """Let several agents trade in one market, and rank them.

    They compete for the same customers, share the suppliers' order limits and see of each other only what a market
    shows. `ecbench resume`, `verify` and `fork --seat` work on the folder. Model options apply to every model.
    Ctrl-C stops after the current turn.

    For each seat that is played from outside, one line of JSON gives the address and the token. The market waits for
    its turns.

    Exit codes: 0 every round was finished, 1 an agent or a model failed, 2 bad input, 3 a limit of the
    budget is reached, 130 stopped by a signal.

    Options:
        seats AGENT,AGENT,...: Who plays: merchants of `ecbench list agents`, file.py:Class, provider/model; or http,
            mcp and person, whose turns come from outside, with a name if you like (http:my-agent). Names may repeat.
        rounds: Episodes to play; after each, every agent moves on by one seat.
        talk: Let the agents write to and pay each other.
    """
    from ecbench.cli.new_run import begin
    from ecbench.cli.run_file import read_settings

    if talk:
        game = replace(game, settings=[*(game.settings or []), "talk=1"])
    given, _ = read_settings(game, model, jobs=jobs)
    given.refuse("an arena has --seats, --rounds, and suppliers that write from templates", *NOT_OF_ARENAS)
    new = _new_arena(seats, rounds, given, turn_seconds)
    labels = new.terms.labels
    if len({seat.agent for seat in new.terms.seats}) < len(labels) and not playing.output.as_json:
        say(f"Some agents have several seats: {', '.join(labels)}")
    begin(new, given, playing, out, server=server)


def _new_arena(seats: str, rounds: int, given: RunFile, turn_seconds: int | None) -> NewRun:
    """Raises RunError if the options do not fit together."""
    from msgspec import structs

    from ecbench.cli.new_run import TEMPLATE, NewRun, find_own_modules, model_terms, terms_on, worlds_of
    from ecbench.runs.play.agents import ModelAgent, canonical_seat_name, parse_agent, transport_of
    from ecbench.runs.terms import SeatTerms
    from ecbench.world.load import load_world

    names = [name.strip() for name in seats.split(",")]
    if not all(names):
        raise RunError(f"--seats {seats!r}: name an agent for each seat, such as steady,haggler")
    find_own_modules(*names)
    if len(names) not in SEATS:
        raise RunError(f"--seats: {len(names)} seats; there can be {SEATS.bounds}")
    agents = list(map(canonical_seat_name, names))
    if len(agents) == 1 and transport_of(agents[0]):
        raise RunError(f"--seats {seats}: an external agent that plays alone is served by ecbench http, mcp or board")
    models = {agent: model_terms(agent, given) for agent in agents if isinstance(parse_agent(agent), ModelAgent)}
    if given.model and not models:
        raise RunError(
            "options about models were given, but no model has a seat; name one as provider/model in --seats"
        )
    worlds = worlds_of(given, rounds)
    world = load_world(worlds[0].source)
    own = tuple(SeatTerms(agent, dict(models.get(agent, {})), transport_of(agent)) for agent in agents)
    terms = structs.replace(terms_on(world, given, agents[0], TEMPLATE, {}), seats=own, turn_seconds=turn_seconds)
    return NewRun.on(worlds, terms, world, rounds)
