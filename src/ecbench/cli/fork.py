"""ecbench fork: take a recorded year over on one of its days."""

from typing import Annotated

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
    WindowOption,
)
from ecbench.cli.playing import JsonOption, OutOption, QuietOption, RunArgument, WorldPlaceOption, new_folder


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
    window: WindowOption = None,
    attempt_seconds: AttemptSecondsOption = None,
    give_up_seconds: GiveUpSecondsOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Go on from any day of a recorded year with another agent.

    The other agent finds the books, the stock, the stores and the notes as they were on that morning, and has seen
    nothing of what was said before. A fork is a run of its own.

    Exit codes: 0 every year came to its end, 1 an agent or a model failed, 2 bad input, 130 stopped by a signal.
    """
    from ecbench.cli.model_terms import harness_options, model_terms, patience, provider_options
    from ecbench.cli.playing import check_reach, choose_executor, find_own_modules, play_run, provenance
    from ecbench.runs.agents import lasting_name, short_name
    from ecbench.runs.folder import open_run, refuse_used
    from ecbench.runs.fork import take_over
    from ecbench.runs.stopping import signals_held

    find_own_modules()
    agent = lasting_name(agent)
    own = provider_options("--", model_arg, base_url, effort, extra_body, price) | harness_options(brief, window)
    opened = open_run(run).with_world_at(world)
    waits = patience(attempt_seconds, give_up_seconds)
    voice, suppliers = opened.terms.voice, dict(opened.terms.model.get("supplier", {}))
    model = model_terms(agent, voice, own=own, supplier=suppliers, waits=waits)
    loaded = opened.load_world(episode)
    takeover = take_over(opened, episode=episode, day=day, agent=agent, model=model)
    if out is not None:
        refuse_used(out)
    check_reach(takeover.terms)
    made = provenance(agent, voice)
    with signals_held():
        forked = takeover.create_in(out or new_folder(short_name(agent)), made)
    play_run(forked, loaded, [0], executor=choose_executor(None, agent), quiet=quiet, as_json=as_json)
