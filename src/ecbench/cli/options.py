"""Options and arguments that several commands take, each declared once."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import click

from ecbench.cli.declare import argument, option
from ecbench.players.merchants.registry import DEFAULT_MERCHANT
from ecbench.ranges import (
    DAYS,
    EPISODES,
    JOBS,
    PORT,
    RATE,
    SECONDS,
    STAKE,
    Range,
)
from ecbench.rules import DEFAULT_SET

DEFAULT_AGENT = DEFAULT_MERCHANT
DEFAULT_PORT = 8765
LOOPBACK = "127.0.0.1"
RUNS = "RUN..."
COUNT = Range(0, 1_000_000, whole=True)

RunArgument = Annotated[Path, argument("RUN", "The folder of a run.")]
RunsArgument = Annotated[list[Path], argument(RUNS, "The folders of runs, or of an arena.")]
WorldArgument = Annotated[str, argument("WORLD", "A shipped world's name, seed-N for a fresh one, or a folder.")]
SeasonArgument = Annotated[
    str | None,
    argument("[SEASON]", "A season file, or the name of a practice season. [default: the newest full practice season]"),
]
AgentOption = Annotated[
    str,
    option(
        "--agent",
        metavar="AGENT",
        help="A merchant of `ecbench list agents`, your own module:Class or file.py:Class, or provider/model.",
    ),
]
WorldOption = Annotated[
    str | None,
    option(
        "--world",
        "--worlds",
        metavar="WORLDS",
        help="A shipped world's name, seed-N for a fresh one, or a folder; several with commas, fresh ones by their "
        "seeds: 1-10 or default,3,7. [default: default]",
    ),
]
WorldPlaceOption = Annotated[
    str | None, option("--world", metavar="DIR", help="Where the run's world is now, if it was moved.")
]
SeatOption = Annotated[int, option("--seat", within=COUNT, help="Which seat of an arena.")]
EpisodeOption = Annotated[
    int,
    option("--episode", within=COUNT, help="Which episode; in an arena, which round."),
]
EpisodesOption = Annotated[int | None, option("--episodes", "-n", within=EPISODES, help="Episodes on each world.")]
DaysOption = Annotated[int | None, option("--days", within=DAYS, help="Days in an episode. [default: the world's]")]
StakeOption = Annotated[
    float | None, option("--stake", metavar="YUAN", within=STAKE, help="Money to start with. [default: 100000]")
]
RuleSetOption = Annotated[
    str, option("--rules", metavar="NAME", help="A named set of rules; `ecbench list rules --sets` lists them.")
]
RuleOption = Annotated[
    list[str] | None, option("--set", metavar="KEY=VALUE", help="Change one rule of the set; may be repeated.")
]
OutOption = Annotated[
    Path | None, option("--out", metavar="DIR", help="A new folder for the run. [default: runs/TIME_AGENT]")
]
ExternalOutOption = Annotated[
    Path | None,
    option("--out", metavar="RUN", help="The run's folder; a run in it is continued. [default: runs/TIME_AGENT]"),
]
ExternalAgentOption = Annotated[
    str | None,
    option("--agent", metavar="NAME", help="The player's name in the record and the tables. [default: visitor]"),
]
NewFolderOption = Annotated[Path, option("--out", metavar="DIR", help="A folder that does not exist yet, or is empty.")]
JobsOption = Annotated[
    int | None, option("--jobs", "-j", within=JOBS, help="How many to play in parallel. [default: 1]")
]
TracebackOption = Annotated[bool, option("--traceback", help="Show the full traceback if your own merchant fails.")]
JsonOption = Annotated[bool, option("--json", help="Print only the result, as JSON.")]
TurnSecondsOption = Annotated[
    int | None,
    option(
        "--turn-seconds",
        within=SECONDS,
        help="In an arena, a seat that keeps the others waiting longer for one turn leaves. [default: no limit]",
    ),
]
PortOption = Annotated[int, option("--port", within=PORT, help="Port to listen on; 0 picks a free one.")]
BindOption = Annotated[
    str, option("--bind", metavar="ADDRESS", help="Address to listen on; beyond this machine it needs --token.")
]
TokenOption = Annotated[
    str | None,
    option(
        "--token",
        metavar="T",
        envvar="ECBENCH_TOKEN",
        help="What clients must send to be let in. Other users of this machine can read it in the process list; set "
        "the environment variable to hide it. [default: a random one, printed once]",
    ),
]
NoDoctorOption = Annotated[
    bool,
    option(
        "--no-doctor", help="Do not check beforehand that the model answers, calls tools and has a large enough window."
    ),
]
SignOption = Annotated[
    Path | None,
    option(
        "--sign",
        metavar="KEYFILE",
        help="Sign each episode with this key when it ends or stops; `ecbench season keys new` makes one.",
    ),
]
TrustOption = Annotated[
    list[str] | None,
    option(
        "--trust",
        metavar="PUBLIC_KEY",
        help="Say what the owner of this key vouches for: the key's text or file; may be repeated. `verify` fails "
        "unless it signed the run.",
    ),
]
ModelArguments = Annotated[
    list[str] | None,
    option(
        "-M",
        metavar="KEY=VALUE",
        help="Of the model: base_url, effort, calls, extra_body, max_tokens, price (dollars per million tokens as "
        "IN,OUT[,CACHED[,WRITE]]), brief, attempt_seconds, give_up_seconds, or any argument of the provider. VALUE is "
        "JSON or plain text; @FILE reads it from a file. May be repeated.",
    ),
]
BudgetOption = Annotated[
    list[str] | None,
    option(
        "--budget",
        metavar="LIMIT=N",
        help="Stop after the turn in which the models of the whole run have used this many dollars or tokens (cached "
        "ones included), or this command this many hours: dollars=20, tokens=5000000, hours=8. May be repeated.",
    ),
]
RateOption = Annotated[int, option("--rate", within=RATE, help="Requests per second allowed for one token.")]


@dataclass(frozen=True, slots=True)
class GameOptions:
    """What a run is played under; None stands for what a run file, the world or the rules say."""

    files: Annotated[
        list[str] | None,
        argument("[FILE]...", "Run files: shipped ones (`paper`, or a name of `list models`), yours, or RUN/run.json."),
    ] = None
    world: WorldOption = None
    days: DaysOption = None
    stake: StakeOption = None
    rules: Annotated[
        str | None,
        option(
            "--rules",
            metavar="NAME",
            help=f"A named set of rules; `ecbench list rules --sets` lists them. [default: {DEFAULT_SET}]",
        ),
    ] = None
    settings: RuleOption = None
    policy: Annotated[
        str | None,
        option(
            "--policy",
            metavar="FILE",
            help="House rules of the owner, under --rules conduct: careful, lean, plain-dealing or a TOML file.",
        ),
    ] = None
    brief_style: Annotated[
        Literal["neutral", "pressure", "care"] | None,
        option("--brief-style", help="What the brief says of the owner's wishes, under --rules conduct."),
    ] = None


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is asked."""

    arguments: ModelArguments = None
    window: Annotated[
        str | None,
        option(
            "--window",
            metavar="TOKENS[,TRIGGER,RELEASE]",
            help="Size of the context window, the size at which the oldest turns are dropped, and how many tokens are "
            "dropped then. [default: the paper's 128000,120000,60000; TOKENS alone keeps these proportions]",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class SupplierOptions:
    """The model that writes the suppliers' letters."""

    supplier_model: Annotated[
        str | None,
        option(
            "--supplier-model",
            metavar="PROVIDER/MODEL",
            help="A model that writes the suppliers' letters. [default: templates]",
        ),
    ] = None
    supplier_arguments: Annotated[
        list[str] | None, option("--supplier-M", metavar="KEY=VALUE", help="As -M, for the suppliers' model.")
    ] = None


@dataclass(frozen=True, slots=True)
class Parallel:
    """How many episodes are played in parallel, and where."""

    jobs: JobsOption = None
    executor: Annotated[
        str | None,
        option(
            "--executor",
            metavar="NAME",
            help="Where to play: inline, concurrent (for models), processes, or ray (for merchants). [default: "
            "concurrent for a model; inline for a merchant, or processes with --jobs]",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Output:
    """How much a command prints about a run."""

    quiet: Annotated[bool, option("--quiet", "-q", help="Print only the result.")] = False
    as_json: JsonOption = False

    @property
    def silent(self) -> bool:
        """Whether only the result is printed, without progress."""
        return self.quiet or self.as_json


@dataclass(frozen=True, slots=True)
class SeatServer:
    """Where an arena serves the seats that external agents play."""

    port: Annotated[int, option("--port", within=PORT, help="Where seats for the outside are served; 0: any.")] = (
        DEFAULT_PORT
    )
    bind: Annotated[
        str,
        option("--bind", metavar="ADDRESS", help="The address of those seats; beyond this machine only with tokens."),
    ] = LOOPBACK
    token: Annotated[
        list[str] | None,
        option(
            "--token",
            metavar="T",
            envvar="ECBENCH_TOKEN",
            help="What a client of such a seat shows: once for each seat of http, then of mcp, then once for all "
            "people (in the variable with spaces between). [default: random ones, printed]",
        ),
    ] = None

    @property
    def tokens(self) -> list[str]:
        return self.token or []


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """The rules that an explanation is about, and where it goes."""

    picture: Annotated[
        Path | None, option("--picture", metavar="FILE", help="Also draw it into this new .svg or .png file.")
    ] = None
    as_json: JsonOption = False
    rules: RuleSetOption = DEFAULT_SET
    settings: RuleOption = None


def refuse_repeated(runs: Sequence[Path]) -> None:
    """Raise BadParameter if a folder is given twice."""
    for index, run in enumerate(runs):
        if run.resolve() in [earlier.resolve() for earlier in runs[:index]]:
            raise click.BadParameter(f"{run} is given twice", param_hint=RUNS)
