"""ecbench suite: the seasons that leaderboards use: how to play one, and how to organise and check one."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ecbench.cli import handlers
from ecbench.cli.budget_options import BudgetOptions
from ecbench.cli.model_options import ProviderOptions
from ecbench.cli.options import (
    DEFAULT_AGENT,
    AgentOption,
    JsonOption,
    NoDoctorOption,
    OutOption,
    Output,
    Parallel,
    RuleSetOption,
    SignOption,
    SmallestOption,
    command_group,
    with_option_groups,
)
from ecbench.rules import SEASON_SET

suite = command_group("List, show, play, announce, open and check seasons.")

SeasonArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="SEASON",
        help="A season file, or the name of a practice season. [default: the newest full practice season]",
    ),
]


@suite.command("list")
def list_seasons(as_json: JsonOption = False) -> None:
    """List the practice seasons, which are shipped, the newest last."""
    handlers.suite.list_seasons(as_json=as_json)


@suite.command()
def show(season: SeasonArgument = None, as_json: JsonOption = False) -> None:
    """Show the worlds and the terms of a season."""
    handlers.suite.show(season, as_json=as_json)


BEACON_HELP = "What the beacon published in the round: its randomness or its signature, as hex."


@suite.command()
def announce(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The season's name, such as 2027-02.")],
    secret: Annotated[Path, typer.Option("--secret", metavar="FILE", help="A new file for the secret.")],
    round_number: Annotated[
        int, typer.Option("--round", metavar="N", help="A round of drand quicknet that is still to come.")
    ],
    opens: Annotated[
        str | None, typer.Option("--opens", metavar="DATE", help="From when it is played. [default: the round's day]")
    ] = None,
    rules: RuleSetOption = SEASON_SET,
    kind: Annotated[
        Literal["full", "short"],
        typer.Option("--kind", help="`full`: two years of 365 days on each world. `short`: one of 180 days."),
    ] = "full",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to write it. [default: NAME.announcement.json]")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Announce a season whose worlds nobody can know yet.

    Makes a secret and writes the announcement, with a commitment to the secret and the round of the public beacon that
    decides together with it. Publish the announcement before that round, and keep the secret.

    Exit codes: 0 announced, 2 bad input, such as a round that is over.
    """
    handlers.suite.announce(name, secret, round_number, opens, rules, kind, out, as_json=as_json)


@suite.command("open")
def open_announced(
    announcement: Annotated[Path, typer.Argument(metavar="ANNOUNCEMENT", help="What `suite announce` wrote.")],
    secret: Annotated[Path, typer.Option("--secret", metavar="FILE", help="The file with the secret.")],
    beacon: Annotated[str, typer.Option("--beacon", metavar="HEX", help=BEACON_HELP)],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to write it. [default: NAME.season.json]")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Open an announced season: reveal its secret and make its worlds.

    Exit codes: 0 opened, 2 bad input, such as another secret than the announced one.
    """
    handlers.suite.open_announced(announcement, secret, beacon, out, as_json=as_json)


@suite.command()
def check(
    season: Annotated[Path, typer.Argument(metavar="FILE", help="A season file.")],
    announcement: Annotated[
        Path | None, typer.Option("--announcement", metavar="FILE", help="The announcement as it was published.")
    ] = None,
    beacon: Annotated[str | None, typer.Option("--beacon", metavar="HEX", help=BEACON_HELP)] = None,
    as_json: JsonOption = False,
) -> None:
    """Recompute the seeds and the worlds of a season file.

    Exit codes: 0 all as it must be, 1 something differs, 2 bad input.
    """
    handlers.suite.check(season, announcement, beacon, as_json=as_json)


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
    budget: BudgetOptions,
    no_doctor: NoDoctorOption = False,
    against: Annotated[
        Path | None, typer.Option("--against", metavar="RUN", help="A finished run of the season to compare with.")
    ] = None,
    until_clear: Annotated[
        bool, typer.Option("--until-clear", help="Stop at an interim analysis that is clear.")
    ] = False,
    smallest: SmallestOption = None,
    output: Output,
) -> None:
    """Play a season: all its years on all its worlds, in one run.

    A full season has two years on each world, a short one has a single year of 180 days.

    With --against RUN --until-clear the fresh worlds are played in a fixed random order. The run stops at the first
    interim analysis that finds the agent better or worse than RUN, or excludes a difference of --smallest; see
    docs/compare.md.

    Days, stake, rules, brief, window and the suppliers' voice are the season's. The run is like any other: resume,
    replay, compare and verify it.

    Exit codes: 0 every year was finished, 1 an agent or a model failed, 2 bad input, 3 a limit of the
    budget is reached, 130 stopped by a signal.
    """
    if until_clear != (against is not None):
        raise typer.BadParameter("--until-clear and --against RUN go together; give both or neither")
    if smallest is not None and not until_clear:
        raise typer.BadParameter("--smallest belongs to --until-clear", param_hint="--smallest")
    key = handlers.keys.signing_key(sign)
    handlers.suite.play(
        season,
        agent,
        parallel,
        out,
        model,
        output,
        key,
        against,
        smallest,
        doctor=not no_doctor,
        limits=budget.limits,
    )
