"""Options and arguments that several commands take, each declared once; `declare` says how."""

from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Annotated, Literal

from ecbench.ranges import DAYS, JOBS, PORT, RATE, SECONDS, STAKE, Range

DEFAULT_PORT = 8765
LOOPBACK = "127.0.0.1"

Count = Annotated[int, Range(0, 1_000_000, whole=True)]
Days = Annotated[int, DAYS]
Jobs = Annotated[int, JOBS]
Port = Annotated[int, PORT]
Seconds = Annotated[int, SECONDS]
Token = Annotated[str, "ECBENCH_TOKEN"]  # the variable of the environment that it is read from
Yuan = Annotated[float, STAKE]

SHARED = """
run RUN: The folder of a run.
runs RUN...: The folders of runs, or of an arena.
source WORLD: A shipped world's name, seed-N for a fresh one, or a folder.
season [SEASON]: A season file, or the name of a practice season. [default: the newest full practice season]
agent AGENT: A merchant of `ecbench list agents`, your own module:Class or file.py:Class, or provider/model.
world DIR: Where the run's world is now, if it was moved.
seat: Which seat of an arena.
episode: Which episode; in an arena, which round.
days: Days in an episode. [default: the world's]
stake YUAN: Money to start with. [default: 100000]
rules NAME: A named set of rules; `ecbench list rules --sets` lists them.
settings --set KEY=VALUE: Change one rule of the set; may be repeated.
out DIR: A new folder for the run. [default: runs/TIME_AGENT]
folder --out DIR: A folder that does not exist yet, or is empty.
jobs --jobs -j: How many to play in parallel. [default: 1]
as_json --json: Print only the result, as JSON.
turn_seconds: In an arena, a seat that keeps the others waiting longer for one turn leaves. [default: no limit]
port: Port to listen on; 0 picks a free one.
bind ADDRESS: Address to listen on; beyond this machine it needs --token.
trust PUBLIC_KEY: Say what the owner of this key vouches for: the key's text or file; may be repeated.
sign KEYFILE: Sign each episode with this key when it ends or stops; `ecbench season keys` makes one.
arguments -M KEY=VALUE: Of the model: base_url, effort, calls, extra_body, max_tokens, price (dollars per million tokens
    as IN,OUT[,CACHED[,WRITE]]), brief, attempt_seconds, give_up_seconds, or any argument of the provider. VALUE is
    JSON or plain text; @FILE reads it from a file. May be repeated.
"""
"""What help says about parameters that several commands have under these names."""


@dataclass(frozen=True, slots=True)
class GameOptions:
    """What a run is played under; None stands for what a run file, the world or the rules say.

    Options:
        files [FILE]...: Run files: shipped ones (`paper`, or a name of `list models`), yours, or RUN/run.json.
        world --world --worlds WORLDS: A shipped world's name, seed-N for a fresh one, or a folder; several with commas,
            fresh ones by their seeds: 1-10 or default,3,7. [default: default]
        rules NAME: A named set of rules; `ecbench list rules --sets` lists them. [default: paper]
        policy FILE: House rules of the owner, under --rules conduct: careful, lean, plain-dealing or a TOML file.
        brief_style: What the brief says about the owner's wishes, under --rules conduct.
    """

    files: list[str] | None = None
    _: KW_ONLY
    world: str | None = None
    days: Days | None = None
    stake: Yuan | None = None
    rules: str | None = None
    settings: list[str] | None = None
    policy: str | None = None
    brief_style: Literal["neutral", "pressure", "care"] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """How a model is asked.

    Options:
        window TOKENS[,TRIGGER,RELEASE]: Size of the context window, the size at which the oldest turns are dropped, and
            how many tokens are dropped then. [default: the paper's 128000,120000,60000; TOKENS alone keeps these
            proportions]
    """

    arguments: list[str] | None = None
    window: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplierOptions:
    """The model that writes the suppliers' letters.

    Options:
        supplier_model PROVIDER/MODEL: A model that writes the suppliers' letters. [default: templates]
        supplier_arguments --supplier-M KEY=VALUE: Like -M, for the suppliers' model.
    """

    supplier_model: str | None = None
    supplier_arguments: list[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parallel:
    """How many episodes are played in parallel, and where.

    Options:
        executor NAME: Where to play: in worker processes, or on ray (merchants). [default: in this process;
            with --jobs, merchants in worker processes]
    """

    jobs: Jobs | None = None
    executor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """How much a command prints about a run.

    Options:
        quiet --quiet -q: Print only the result.
    """

    quiet: bool = False
    as_json: bool = False

    @property
    def silent(self) -> bool:
        """Whether only the result is printed, without progress."""
        return self.quiet or self.as_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Playing:
    """What every command takes that plays episodes here.

    Options:
        budget LIMIT=N: Stop after the turn in which the models of the whole run have used this many dollars or tokens
            (cached ones included), or this command this many hours: dollars=20, tokens=5000000, hours=8. May be
            repeated.
        no_doctor: Do not check beforehand that the model answers, calls tools and has a large enough window.
        traceback: Show the full traceback if your own merchant fails.
    """

    sign: Path | None = None
    budget: list[str] | None = None
    no_doctor: bool = False
    traceback: bool = False
    output: Output


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatServer:
    """Where an arena serves the seats that external agents play.

    Options:
        port: Port for the seats of http, mcp and person; 0 picks a free one.
        bind ADDRESS: Address for those seats. Each has a random token, which is printed; all people share one.
    """

    port: Port = DEFAULT_PORT
    bind: str = LOOPBACK


@dataclass(frozen=True, slots=True, kw_only=True)
class HostOptions:
    """What both servers of external agents take.

    Options:
        token T: What clients must send to be let in. Other users of this machine can read it in the process list; set
            ECBENCH_TOKEN in the environment to hide it. [default: a random one, printed once]
        out RUN: The run's folder; a run in it is continued. [default: runs/TIME_AGENT]
        rate: Requests per second allowed for one token.
        agent NAME: The player's name in the record and the tables. [default: visitor]
    """

    bind: str = LOOPBACK
    token: Token | None = None
    out: Path | None = None
    sign: Path | None = None
    rate: Annotated[int, RATE] = 100
    agent: str | None = None
    game: GameOptions
    supplier: SupplierOptions
