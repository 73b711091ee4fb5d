"""ecbench arena: several agents in one market."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from ecbench.cli.options import GameOptions, Jobs, ModelOptions, Playing, SeatServer, Seconds
from ecbench.errors import RunError
from ecbench.ranges import EPISODES, SEATS


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

    Options:
        seats AGENT,AGENT,...: Who plays: merchants of `ecbench list agents`, file.py:Class, provider/model; or http,
            mcp and person, whose turns come from outside, with a name if you like (http:my-agent). Names may repeat.
        rounds: Episodes to play; after each, every agent moves on by one seat.
        talk: Let the agents write to and pay each other.
    """
    from msgspec import structs

    from ecbench.cli.new_run import begin, new_terms, on_worlds
    from ecbench.cli.run_file import read_settings

    if talk:
        game = replace(game, settings=[*(game.settings or []), "talk=1"])
    why = "an arena has --seats, --rounds, and suppliers that write from templates"
    refused = ("agent", "episodes", "supplier", "executor")
    given, _ = read_settings(game, model, jobs=jobs, refused=refused, why=why)
    terms, _, worlds = new_terms(given, _agents(seats), most=rounds)
    terms = structs.replace(terms, turn_seconds=turn_seconds)
    begin(terms, rounds, on_worlds(worlds, terms, rounds), given, playing, out, server=server)


def _agents(seats: str) -> list[str]:
    from ecbench.cli.new_run import known_agents
    from ecbench.runs.play.agents import transport_of

    names = [name.strip() for name in seats.split(",")]
    if not all(names):
        raise RunError(f"--seats {seats!r}: name an agent for each seat, such as steady,haggler")
    if len(names) not in SEATS:
        raise RunError(f"--seats: {len(names)} seats; there can be {SEATS.bounds}")
    if len(names) == 1 and transport_of(names[0]):
        raise RunError(f"--seats {seats}: an external agent that plays alone is served by ecbench http, mcp or board")
    return known_agents(*names, at_seats=True)
