"""ecbench run: play a year, or several."""

from typing import Annotated

import typer

from ecbench.cli.model_options import (
    BaseUrlOption,
    BriefOption,
    EffortOption,
    ExtraBodyOption,
    ModelArgOption,
    PriceOption,
    SupplierModelOption,
)
from ecbench.cli.playing import ExecutorOption, JobsOption, JsonOption, OutOption, QuietOption, default_folder
from ecbench.ranges import DAYS, EPISODES, STAKE, TURNS

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
        help="A merchant of `ecbench agents`, module:Class or file.py:Class of your own, or provider/model.",
    ),
]
EpisodesOption = Annotated[
    int, typer.Option("--episodes", "-n", metavar="N", min=EPISODES.least, max=EPISODES.most, help="Years to play.")
]
DaysOption = Annotated[
    int | None,
    typer.Option("--days", metavar="N", min=DAYS.least, max=DAYS.most, help="Length of a year. [default: the world's]"),
]
StakeOption = Annotated[
    float | None,
    typer.Option("--stake", metavar="YUAN", callback=_check_stake, help="Opening money. [default: 100000]"),
]
WorldOption = Annotated[str, typer.Option("--world", metavar="WORLD", help="A shipped world's name, or a folder.")]
MaxTurnsOption = Annotated[
    int,
    typer.Option("--max-turns", metavar="N", min=TURNS.least, max=TURNS.most, help="Turns after which a year ends."),
]
RuleOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a rule; may be repeated.")
]


def run(
    agent: AgentOption = DEFAULT_AGENT,
    episodes: EpisodesOption = 1,
    jobs: JobsOption = 1,
    executor: ExecutorOption = None,
    days: DaysOption = None,
    stake: StakeOption = None,
    world: WorldOption = "default",
    max_turns: MaxTurnsOption = 4_000,
    out: OutOption = None,
    settings: RuleOption = None,
    model_arg: ModelArgOption = None,
    base_url: BaseUrlOption = None,
    effort: EffortOption = None,
    extra_body: ExtraBodyOption = None,
    price: PriceOption = None,
    brief: BriefOption = None,
    supplier_model: SupplierModelOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a year, record it, and compare it with the paper's models.

    Without options the built-in merchant plays on the default world; no model and no key are needed. Ctrl-C stops at
    the end of the turn, and `ecbench resume` goes on from there, as it does after a crash.
    """
    from ecbench.cli.model_options import model_options, voice_of
    from ecbench.cli.playing import check_reach, choose_executor, find_own_modules, play_run, provenance
    from ecbench.runs.events import Terms
    from ecbench.runs.folder import create_run, refuse_used
    from ecbench.runs.overrides import read_overrides, rules_with
    from ecbench.runs.seats import seated, short_name
    from ecbench.world.load import load_world

    find_own_modules()
    agent = seated(agent)
    overrides = read_overrides(settings or [])
    model = model_options(
        agent, model_args=model_arg, base_url=base_url, effort=effort, extra_body=extra_body, price=price, brief=brief
    )
    chosen = choose_executor(executor, agent, jobs, episodes)
    loaded = load_world(world)
    terms = Terms(
        world=loaded.name,
        world_id=loaded.id,
        seed=loaded.seed,
        agent=agent,
        days=loaded.days if days is None else days,
        stake=rules_with(overrides).stake if stake is None else stake,
        max_turns=max_turns,
        voice=voice_of(supplier_model),
        rules=overrides,
        model=model,
    )
    folder = out or default_folder(short_name(agent))
    refuse_used(folder)
    check_reach(terms)
    created = create_run(folder, terms, episodes=episodes, world_source=world, provenance=provenance())
    play_run(created, loaded, range(episodes), jobs=jobs, executor=chosen, quiet=quiet, as_json=as_json)
