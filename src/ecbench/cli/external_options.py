"""Options of `host` and `mcp`, which serve years to external agents."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ecbench.cli.declare import option
from ecbench.cli.model_options import BriefOption, SupplierModelOptions
from ecbench.cli.options import DaysOption, RuleOption, StakeOption, WorldOption
from ecbench.ranges import TURNS
from ecbench.rules import DEFAULT_SET

ExternalOutOption = Annotated[
    Path | None,
    option(
        "--out", metavar="RUN", help="The run's folder; a run that it holds is continued. [default: runs/TIME_AGENT]"
    ),
]


@dataclass(frozen=True, slots=True)
class ExternalTerms(SupplierModelOptions):
    """The terms as given. None stands for the term of the run that is continued, or for the default of a new run."""

    agent: Annotated[
        str | None,
        option("--agent", metavar="NAME", help="The player's name in the record and the tables. [default: visitor]"),
    ] = None
    world: WorldOption = None
    days: DaysOption = None
    stake: StakeOption = None
    max_turns: Annotated[
        int | None,
        option(
            "--max-turns",
            within=TURNS,
            help="Turns after which a year ends. [default: 4000; with mcp, where each call is a turn, 40000]",
        ),
    ] = None
    rules: Annotated[
        str | None, option("--rules", metavar="NAME", help=f"A named set of rules. [default: {DEFAULT_SET}]")
    ] = None
    settings: RuleOption = None
    brief: BriefOption = None
