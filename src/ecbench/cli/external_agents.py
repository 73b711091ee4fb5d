"""What `host` and `mcp` share: the run in which agents of other programs play, begun or gone on with."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ecbench.cli.model_options import BriefOption, SupplierBaseUrlOption, SupplierModelArgOption, SupplierModelOption
from ecbench.cli.run import RuleOption, StakeOption
from ecbench.ranges import DAYS, RATE, TURNS
from ecbench.rules import DEFAULT_SET

if TYPE_CHECKING:
    from ecbench.runs.folder import Run
    from ecbench.runs.record.events import Terms
    from ecbench.world.model import World

VISITOR = "visitor"

OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="RUN", help="The run's folder; a run that it holds is continued. [default: runs/TIME_AGENT]"
    ),
]
NameOption = Annotated[
    str | None,
    typer.Option("--agent", metavar="NAME", help="The player's name in the record and the tables. [default: visitor]"),
]
WorldOption = Annotated[
    str | None,
    typer.Option(
        "--world",
        metavar="WORLD",
        help="A shipped world's name, seed-N, or a folder. [default: default]",
    ),
]
DaysOption = Annotated[
    int | None,
    typer.Option("--days", metavar="N", min=DAYS.least, max=DAYS.most, help="Days in a year. [default: the world's]"),
]
MaxTurnsOption = Annotated[
    int | None,
    typer.Option(
        "--max-turns",
        metavar="N",
        min=TURNS.least,
        max=TURNS.most,
        help="Turns after which a year ends. [default: 4000; with mcp, where each call is a turn, 40000]",
    ),
]
RuleSetOption = Annotated[
    str | None,
    typer.Option("--rules", metavar="NAME", help=f"A named set of rules. [default: {DEFAULT_SET}]"),
]
BindOption = Annotated[
    str,
    typer.Option("--bind", metavar="ADDRESS", help="Address to listen on; beyond this machine it needs --token."),
]
RateOption = Annotated[
    int,
    typer.Option(
        "--rate", metavar="N", min=RATE.least, max=RATE.most, help="Requests per second allowed for one token."
    ),
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


@dataclass(frozen=True, slots=True)
class Wishes:
    """The terms as the options give them; what is None is the run's own where it was begun, and else the usual."""

    agent: NameOption = None
    world: WorldOption = None
    days: DaysOption = None
    stake: StakeOption = None
    max_turns: MaxTurnsOption = None
    rules: RuleSetOption = None
    settings: RuleOption = None
    brief: BriefOption = None
    supplier_model: SupplierModelOption = None
    supplier_base_url: SupplierBaseUrlOption = None
    supplier_model_arg: SupplierModelArgOption = None


def with_wishes(command: Callable[..., None]) -> Callable[..., None]:
    """A command with a parameter `wishes`, in the form that Typer reads: with one for each field of it instead."""
    own, options = signature(command), signature(Wishes).parameters

    @wraps(command)
    def given(**values: Any) -> None:
        wishes = Wishes(**{name: values.pop(name) for name in options})
        command(**values, wishes=wishes)

    before = [parameter for parameter in own.parameters.values() if parameter.name != "wishes"]
    shown = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in (*before, *options.values())]
    # Typer asks for the signature, which the types know of no function.
    given.__signature__ = own.replace(parameters=shown)  # type: ignore[attr-defined]
    return given


@dataclass(frozen=True, slots=True)
class Prepared:
    """All that can be wrong with the options has been said; nothing is written before `begin`."""

    terms: "Terms"
    world: "World"
    begin: "Callable[[], Run]"


def prepared(door: str, out: Path | None, wishes: Wishes, *, usual_turns: int) -> Prepared:
    """A run that was begun keeps its terms; options that say otherwise are refused."""
    from dataclasses import replace

    from ecbench.cli.run_episodes import check_reach, new_folder, provenance
    from ecbench.runs.folder import MANIFEST, open_run
    from ecbench.runs.play.cancellation import signals_held
    from ecbench.runs.play.external_sessions import visited_run
    from ecbench.world.load import load_world

    if out is not None and (out / MANIFEST).exists():
        begun = open_run(out).with_world_at(wishes.world)
        world = begun.load_world()
        terms = replace(begun.terms, door=door, **_named(wishes))
    else:
        world = load_world(wishes.world or "default")
        terms = replace(_terms(world, wishes, usual_turns), door=door)
    check_reach(replace(terms, agent=VISITOR))
    made = provenance(terms.voice)

    def begin() -> "Run":
        with signals_held():
            place = out or new_folder(terms.agent)
            return visited_run(place, terms, world_source=wishes.world or "default", provenance=made)

    return Prepared(terms, world, begin)


def _terms(world: "World", wishes: Wishes, usual_turns: int) -> "Terms":
    from ecbench.cli.run import terms_on

    voice, model = _spoken(wishes)
    return terms_on(
        world,
        wishes.rules or DEFAULT_SET,
        wishes.settings,
        wishes.agent or VISITOR,
        voice,
        model,
        days=wishes.days,
        stake=wishes.stake,
        max_turns=wishes.max_turns or usual_turns,
    )


def _named(wishes: Wishes) -> dict[str, Any]:
    """The terms that somebody gave options for."""
    from ecbench.runs.rule_overrides import read_overrides

    voice, model = _spoken(wishes)
    given = {
        "agent": wishes.agent,
        "days": wishes.days,
        "stake": wishes.stake,
        "max_turns": wishes.max_turns,
        "rule_set": wishes.rules,
        "rules": read_overrides(wishes.settings, wishes.rules or DEFAULT_SET) if wishes.settings else None,
        "voice": voice if wishes.supplier_model else None,
        "model": model or None,
    }
    return {name: value for name, value in given.items() if value is not None}


def _spoken(wishes: Wishes) -> tuple[str, dict[str, Any]]:
    """The suppliers' voice, and what the record keeps of models and of the brief."""
    from ecbench.cli.model_terms import harness_options, model_terms, provider_options, voice_of

    voice = voice_of(wishes.supplier_model)
    supplier = provider_options("--supplier-", wishes.supplier_model_arg, wishes.supplier_base_url, None, None, None)
    letters = model_terms(VISITOR, voice, own={}, supplier=supplier, waits={})
    return voice, letters | harness_options(wishes.brief, None)
