"""ecbench run: play a year, or several."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ecbench.cli.model_options import (
    AttemptSecondsOption,
    BaseUrlOption,
    BriefOption,
    EffortOption,
    ExtraBodyOption,
    GiveUpSecondsOption,
    ModelArgOption,
    PriceOption,
    SupplierBaseUrlOption,
    SupplierEffortOption,
    SupplierExtraBodyOption,
    SupplierModelArgOption,
    SupplierModelOption,
    SupplierPriceOption,
    WindowOption,
)
from ecbench.cli.run_episodes import ExecutorOption, JobsOption, JsonOption, OutOption, QuietOption, TracebackOption
from ecbench.ranges import DAYS, EPISODES, STAKE, TURNS
from ecbench.rules import DEFAULT_SET

if TYPE_CHECKING:
    from ecbench.runs.record.events import Terms
    from ecbench.runs.run_worlds import Site
    from ecbench.world.model import World

DEFAULT_AGENT = "steady"  # the registry's; naming it here keeps `ecbench --help` quick


def _check_stake(stake: float | None) -> float | None:
    if stake is not None and stake not in STAKE:
        raise typer.BadParameter(f"{stake} is not {STAKE}")
    return stake


AgentOption = Annotated[
    str,
    typer.Option(
        "--agent",
        metavar="AGENT",
        help="A merchant of `ecbench agents`, your own module:Class or file.py:Class, or provider/model.",
    ),
]
EpisodesOption = Annotated[
    int,
    typer.Option(
        "--episodes", "-n", metavar="N", min=EPISODES.least, max=EPISODES.most, help="Years to play on each world."
    ),
]
DaysOption = Annotated[
    int | None,
    typer.Option("--days", metavar="N", min=DAYS.least, max=DAYS.most, help="Days in a year. [default: the world's]"),
]
StakeOption = Annotated[
    float | None,
    typer.Option("--stake", metavar="YUAN", callback=_check_stake, help="Money to start with. [default: 100000]"),
]
WorldOption = Annotated[
    str | None,
    typer.Option(
        "--world",
        metavar="WORLD",
        help="A shipped world's name, seed-N for a fresh one, or a folder. [default: default]",
    ),
]
WorldsOption = Annotated[
    str | None,
    typer.Option("--worlds", metavar="SEEDS", help="Play on several fresh worlds, given by seed: 1-10 or 3,7."),
]
MaxTurnsOption = Annotated[
    int,
    typer.Option("--max-turns", metavar="N", min=TURNS.least, max=TURNS.most, help="Turns after which a year ends."),
]
RuleSetOption = Annotated[
    str,
    typer.Option("--rules", metavar="NAME", help="A named set of rules; `ecbench rules --sets` lists them."),
]
RuleOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change one rule of the set; may be repeated.")
]

ReportOption = Annotated[bool, typer.Option("--report", help="Write RUN/report.html at the end; see `ecbench report`.")]


def run(
    agent: AgentOption = DEFAULT_AGENT,
    episodes: EpisodesOption = 1,
    jobs: JobsOption = 1,
    executor: ExecutorOption = None,
    days: DaysOption = None,
    stake: StakeOption = None,
    world: WorldOption = None,
    worlds: WorldsOption = None,
    max_turns: MaxTurnsOption = 4_000,
    out: OutOption = None,
    rules: RuleSetOption = DEFAULT_SET,
    settings: RuleOption = None,
    model_arg: ModelArgOption = None,
    base_url: BaseUrlOption = None,
    effort: EffortOption = None,
    extra_body: ExtraBodyOption = None,
    price: PriceOption = None,
    brief: BriefOption = None,
    window: WindowOption = None,
    attempt_seconds: AttemptSecondsOption = None,
    give_up_seconds: GiveUpSecondsOption = None,
    supplier_model: SupplierModelOption = None,
    supplier_model_arg: SupplierModelArgOption = None,
    supplier_base_url: SupplierBaseUrlOption = None,
    supplier_effort: SupplierEffortOption = None,
    supplier_extra_body: SupplierExtraBodyOption = None,
    supplier_price: SupplierPriceOption = None,
    report: ReportOption = False,
    traceback: TracebackOption = False,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a year, record it, and compare it with the paper's models.

    Without options the built-in merchant `steady` plays one year on the default world; no model or API key is needed.
    With --worlds one run covers several fresh worlds. Ctrl-C stops after the current turn, a second Ctrl-C stops at
    once; `ecbench resume` continues from there, also after a crash.

    Exit codes: 0 every year was finished, 1 an agent or a model failed, 2 bad input, 130 stopped by a signal.
    """
    from ecbench.cli.model_terms import harness_options, model_terms, patience, provider_options, voice_of
    from ecbench.cli.run_episodes import find_own_modules, play_new
    from ecbench.runs.play.agents import lasting_name
    from ecbench.world.load import load_world

    find_own_modules()
    agent, voice = lasting_name(agent), voice_of(supplier_model)
    own = provider_options("--", model_arg, base_url, effort, extra_body, price) | harness_options(brief, window)
    suppliers = provider_options(
        "--supplier-", supplier_model_arg, supplier_base_url, supplier_effort, supplier_extra_body, supplier_price
    )
    model = model_terms(agent, voice, own=own, supplier=suppliers, waits=patience(attempt_seconds, give_up_seconds))
    sites = _sites(world, worlds, days)
    first = load_world(sites[0].source)
    terms = terms_on(first, rules, settings, agent, voice, model, days=days, stake=stake, max_turns=max_turns)
    told = {"quiet": quiet, "as_json": as_json, "report": report, "traceback": traceback}
    play_new(terms, first, sites, episodes, out=out, jobs=jobs, executor=executor, **told)


def _sites(world: str | None, worlds: str | None, days: int | None) -> "list[Site]":
    from ecbench.runs.run_worlds import read_worlds, sites_at

    if world is not None and worlds is not None:
        raise typer.BadParameter("--world and --worlds exclude each other; --worlds takes names and folders too")
    return sites_at([world or "default"] if worlds is None else read_worlds(worlds), days)


def terms_on(
    world: "World",
    rule_set: str,
    settings: Sequence[str] | None,
    agent: str,
    voice: str,
    model: Mapping[str, Any],
    *,
    days: int | None,
    stake: float | None,
    max_turns: int,
) -> "Terms":
    """What the episodes are played under; what is not given is the world's or the rules'."""
    from ecbench.runs.record.events import Terms
    from ecbench.runs.rule_overrides import read_overrides, rules_with

    overrides = read_overrides(settings or [], rule_set)
    return Terms(
        world=world.name,
        world_id=world.id,
        seed=world.seed,
        agent=agent,
        days=world.days if days is None else days,
        stake=rules_with(overrides, rule_set).stake if stake is None else stake,
        max_turns=max_turns,
        voice=voice,
        rule_set=rule_set,
        rules=overrides,
        model=model,
    )
