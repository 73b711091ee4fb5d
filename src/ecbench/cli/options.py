"""Options and arguments that several commands take, each declared once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from ecbench.players.merchants.registry import DEFAULT_MERCHANT
from ecbench.ranges import DAYS, JOBS, PORT, RATE, SECONDS, STAKE, TURNS, Range
from ecbench.rules import DEFAULT_SET

DEFAULT_AGENT = DEFAULT_MERCHANT
DEFAULT_PORT = 8765
LOOPBACK = "127.0.0.1"
LARGEST_RATIO = 1_000  # that --smallest takes


def number_option(*names: str, within: Range, help: str, metavar: str = "N") -> Any:
    """Declare an option that takes a number within a range."""
    return typer.Option(*names, metavar=metavar, min=within.least, max=within.most, help=help)


def _check_stake(stake: float | None) -> float | None:
    if stake is not None and stake not in STAKE:
        raise typer.BadParameter(f"{stake} is not {STAKE}")
    return stake


def _check_smallest(ratio: float | None) -> float | None:
    if ratio is not None and not 1 < ratio <= LARGEST_RATIO:
        raise typer.BadParameter(f"{ratio:g} is not a ratio above 1, up to {LARGEST_RATIO:,}")
    return ratio


RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]
WorldArgument = Annotated[
    str, typer.Argument(metavar="WORLD", help="A shipped world's name, seed-N for a fresh one, or a folder.")
]
_AGENT_HELP = "A merchant of `ecbench agents`, your own module:Class or file.py:Class, or provider/model."
AgentOption = Annotated[str, typer.Option("--agent", metavar="AGENT", help=_AGENT_HELP)]
AnyAgentOption = Annotated[
    str | None,
    typer.Option(
        "--agent",
        metavar="AGENT",
        help=f"{_AGENT_HELP} [default: {DEFAULT_AGENT}, or the model of --preset]",
    ),
]
WorldOption = Annotated[
    str | None,
    typer.Option(
        "--world",
        metavar="WORLD",
        help="A shipped world's name, seed-N for a fresh one, or a folder. [default: default]",
    ),
]
WorldPlaceOption = Annotated[
    str | None, typer.Option("--world", metavar="DIR", help="Where the run's world is now, if it was moved.")
]
SeatOption = Annotated[int, typer.Option("--seat", metavar="N", min=0, help="Which seat of an arena.")]
EpisodeOption = Annotated[
    int, typer.Option("--episode", metavar="N", min=0, help="Which year; in an arena, which round.")
]
DaysOption = Annotated[int | None, number_option("--days", within=DAYS, help="Days in a year. [default: the world's]")]
StakeOption = Annotated[
    float | None,
    typer.Option("--stake", metavar="YUAN", callback=_check_stake, help="Money to start with. [default: 100000]"),
]
RuleSetOption = Annotated[
    str, typer.Option("--rules", metavar="NAME", help="A named set of rules; `ecbench rules --sets` lists them.")
]
RuleOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change one rule of the set; may be repeated.")
]
OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="A new folder for the run. [default: runs/TIME_AGENT]")
]
NewFolderOption = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="A folder that does not exist yet, or is empty.")
]
JobsOption = Annotated[int, number_option("--jobs", "-j", within=JOBS, help="How many to play in parallel.")]
TracebackOption = Annotated[
    bool, typer.Option("--traceback", help="Show the full traceback if your own merchant fails.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print only the result, as JSON.")]
TurnSecondsOption = Annotated[
    int | None,
    number_option(
        "--turn-seconds",
        within=SECONDS,
        help="In an arena, a seat that keeps the others waiting longer for one turn leaves. [default: no limit]",
    ),
]
PortOption = Annotated[int, number_option("--port", within=PORT, help="Port to listen on; 0 picks a free one.")]
BindOption = Annotated[
    str, typer.Option("--bind", metavar="ADDRESS", help="Address to listen on; beyond this machine it needs --token.")
]
TokenOption = Annotated[
    str | None,
    typer.Option(
        "--token",
        metavar="T",
        envvar="ECBENCH_TOKEN",
        help="What clients must send to be let in. Other users of this machine can read it in the process list; set "
        "the environment variable to hide it. [default: a random one, printed once]",
    ),
]
NoDoctorOption = Annotated[
    bool,
    typer.Option(
        "--no-doctor",
        help="Do not check beforehand that the model answers, calls tools and has a large enough window.",
    ),
]
SignOption = Annotated[
    Path | None,
    typer.Option(
        "--sign",
        metavar="KEYFILE",
        help="Sign each episode with this key when it ends or stops; `ecbench keys new` makes one.",
    ),
]
SmallestOption = Annotated[
    float | None,
    typer.Option(
        "--smallest",
        metavar="RATIO",
        callback=_check_smallest,
        help="The ratio of final assets that is worth finding; the run stops if it is excluded. [default: 2]",
    ),
]
RateOption = Annotated[int, number_option("--rate", within=RATE, help="Requests per second allowed for one token.")]


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The terms of a year; None stands for what the world or the rules say."""

    days: DaysOption = None
    stake: StakeOption = None
    max_turns: Annotated[int, number_option("--max-turns", within=TURNS, help="Turns after which a year ends.")] = 4_000
    rules: RuleSetOption = DEFAULT_SET
    settings: RuleOption = None


@dataclass(frozen=True, slots=True)
class Parallel:
    """How many episodes are played in parallel, and where."""

    jobs: JobsOption = 1
    executor: Annotated[
        str | None,
        typer.Option(
            "--executor",
            metavar="NAME",
            help="Where to play: inline, concurrent (for models), processes, or ray (for merchants). [default: "
            "concurrent for a model; inline for a merchant, or processes with --jobs]",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Output:
    """How much a command prints about a run."""

    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result.")] = False
    as_json: JsonOption = False

    @property
    def silent(self) -> bool:
        """Whether only the result is printed, without progress."""
        return self.quiet or self.as_json


@dataclass(frozen=True, slots=True)
class SeatServer:
    """Where an arena serves the seats that external agents play."""

    port: Annotated[
        int, number_option("--port", within=PORT, help="Where seats for the outside are served; 0: any.")
    ] = DEFAULT_PORT
    bind: Annotated[
        str,
        typer.Option(
            "--bind", metavar="ADDRESS", help="The address of those seats; beyond this machine only with tokens."
        ),
    ] = LOOPBACK
    token: Annotated[
        list[str] | None,
        typer.Option(
            "--token",
            metavar="T",
            envvar="ECBENCH_TOKEN",
            help="What a client of such a seat shows: once for each seat of http, then of mcp, then once for all "
            "persons (in the variable with spaces between). [default: random ones, printed]",
        ),
    ] = None

    @property
    def tokens(self) -> list[str]:
        return self.token or []


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """The rules that an explanation is about, and where it goes."""

    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Also draw it into this new .svg or .png file.")
    ] = None
    as_json: JsonOption = False
    rules: RuleSetOption = DEFAULT_SET
    settings: RuleOption = None


def command_group(help: str, **settings: Any) -> typer.Typer:
    """Make a group of commands. Text is never taken for markup."""
    return typer.Typer(help=help, no_args_is_help=True, add_completion=False, rich_markup_mode=None, **settings)


def refuse_repeated(runs: Sequence[Path], argument: str) -> None:
    """Raise BadParameter if a folder is given twice."""
    for place, run in enumerate(runs):
        if run.resolve() in [earlier.resolve() for earlier in runs[:place]]:
            raise typer.BadParameter(f"{run} is given twice", param_hint=argument)


def with_option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command in the form that Typer reads: one parameter for each field of a parameter that is a dataclass.

    A group of options that several commands share is such a dataclass. The command receives it as one object.
    """
    own = signature(command)
    groups = {name: parameter.annotation for name, parameter in own.parameters.items() if _is_group(parameter)}
    fields = {name: signature(group).parameters for name, group in groups.items()}

    @wraps(command)
    def grouped(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{field: values.pop(field) for field in fields[name]})
        command(**values)

    flat = [each for name, parameter in own.parameters.items() for each in fields.get(name, {name: parameter}).values()]
    keywords = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in flat]
    # Typer asks for the signature, an attribute that the type of a function does not have.
    grouped.__signature__ = own.replace(parameters=keywords)  # type: ignore[attr-defined]
    return grouped


def _is_group(parameter: Parameter) -> bool:
    return isinstance(parameter.annotation, type) and is_dataclass(parameter.annotation)
