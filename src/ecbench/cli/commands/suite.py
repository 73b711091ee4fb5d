"""ecbench suite: the seasons that leaderboards use, and how to play one."""

from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.model_options import ProviderOptions
from ecbench.cli.options import (
    DEFAULT_AGENT,
    AgentOption,
    JsonOption,
    OutOption,
    Output,
    Parallel,
    SignOption,
    command_group,
    with_option_groups,
)

suite = command_group("List, show and play the seasons that leaderboards use.")

SeasonArgument = Annotated[
    str | None, typer.Argument(metavar="SEASON", help="Its name, such as 2026-11. [default: the newest]")
]


@suite.command("list")
def list_seasons(as_json: JsonOption = False) -> None:
    """List the seasons, the newest last."""
    handlers.suite.list_seasons(as_json=as_json)


@suite.command()
def show(season: SeasonArgument = None, as_json: JsonOption = False) -> None:
    """Show the worlds and the terms of a season."""
    handlers.suite.show(season, as_json=as_json)


@suite.command()
@with_option_groups
def play(
    *,
    season: SeasonArgument = None,
    agent: AgentOption = DEFAULT_AGENT,
    parallel: Parallel,
    out: OutOption = None,
    sign: SignOption = None,
    model: ProviderOptions,
    output: Output,
) -> None:
    """Play a season: twice on each of its worlds, in one run.

    Days, stake, rules, brief, window and the suppliers' voice are the season's. The run is like any other: resume,
    replay, compare and verify it.

    Exit codes: 0 every year was finished, 1 an agent or a model failed, 2 bad input, 130 stopped by a signal.
    """
    handlers.suite.play(season, agent, parallel, out, model, output, handlers.keys.signing_key(sign))
