"""ecbench fork: take a recorded year over on one of its days."""

from typing import Annotated

import typer

from ecbench.cli.model_options import (
    BaseUrlOption,
    BriefOption,
    EffortOption,
    ExtraBodyOption,
    ModelArgOption,
    PriceOption,
)
from ecbench.cli.playing import JsonOption, OutOption, QuietOption, RunArgument, WorldPlaceOption, default_folder


def fork(
    run: RunArgument,
    day: Annotated[int, typer.Option("--day", metavar="N", min=0, help="The day on which the other agent takes over.")],
    agent: Annotated[str, typer.Option("--agent", metavar="AGENT", help="Who goes on; see `ecbench run`.")],
    episode: Annotated[int, typer.Option("--episode", metavar="N", min=0, help="Which year of the run.")] = 0,
    out: OutOption = None,
    world: WorldPlaceOption = None,
    model_arg: ModelArgOption = None,
    base_url: BaseUrlOption = None,
    effort: EffortOption = None,
    extra_body: ExtraBodyOption = None,
    price: PriceOption = None,
    brief: BriefOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Go on from any day of a recorded year with another agent.

    The other agent finds the books, the stock, the stores and the notes as they were on that morning, and has seen
    nothing of what was said before. A fork is a run of its own.
    """
    from dataclasses import replace

    from ecbench.cli.model_options import model_options
    from ecbench.cli.playing import check_reach, choose_executor, find_own_modules, play_run, provenance
    from ecbench.runs.folder import open_run
    from ecbench.runs.fork import fork_run
    from ecbench.runs.seats import seated, short_name

    find_own_modules()
    agent = seated(agent)
    model = model_options(
        agent, model_args=model_arg, base_url=base_url, effort=effort, extra_body=extra_body, price=price, brief=brief
    )
    opened = open_run(run)
    model |= {name: value for name, value in opened.terms.model.items() if name == "supplier"}
    opened = replace(opened, world_source=world or opened.world_source)
    loaded = opened.load_world()
    check_reach(replace(opened.terms, agent=agent, model=model))
    forked = fork_run(
        opened,
        out or default_folder(short_name(agent)),
        episode=episode,
        day=day,
        agent=agent,
        model=model,
        provenance=provenance(),
    )
    play_run(forked, loaded, [0], executor=choose_executor(None, agent), quiet=quiet, as_json=as_json)
