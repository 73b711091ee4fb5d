"""ecbench fork: take a recorded year over on one of its days."""

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from ecbench.cli.arena_host import Outside, SeatBindOption, SeatPortOption, SeatTokenOption
from ecbench.cli.host import USUAL_PORT
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
from ecbench.cli.run_episodes import (
    JsonOption,
    OutOption,
    QuietOption,
    RunArgument,
    Showing,
    WorldPlaceOption,
    new_folder,
)


def fork(
    run: RunArgument,
    day: Annotated[int, typer.Option("--day", metavar="N", min=0, help="The day on which the other agent takes over.")],
    agent: Annotated[str, typer.Option("--agent", metavar="AGENT", help="Who takes over; see `ecbench run`.")],
    episode: Annotated[
        int, typer.Option("--episode", metavar="N", min=0, help="Which year, or which round of an arena.")
    ] = 0,
    seat: Annotated[
        int | None,
        typer.Option("--seat", metavar="N", min=0, help="In an arena: the seat to take over; the others play on."),
    ] = None,
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
    port: SeatPortOption = USUAL_PORT,
    bind: SeatBindOption = "127.0.0.1",
    token: SeatTokenOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Continue a recorded year from any day with another agent.

    The other agent takes over the money, stock, stores and notes as they were on that morning, but has seen nothing of
    the conversation before it. A fork is a run of its own.

    Exit codes: 0 every year was finished, 1 an agent or a model failed, 2 bad input, 130 stopped by a signal.
    """
    from ecbench.cli.arena_runs import fork_arena
    from ecbench.cli.model_terms import harness_options, patience, provider_options
    from ecbench.cli.run_episodes import find_own_modules
    from ecbench.errors import RunError
    from ecbench.runs.arena.folder import is_arena
    from ecbench.runs.arena.seat_names import lasting_seat_name
    from ecbench.runs.play.agents import lasting_name

    find_own_modules()
    agent = lasting_seat_name(agent) if is_arena(run) else lasting_name(agent)
    own = provider_options("--", model_arg, base_url, effort, extra_body, price) | harness_options(brief, window)
    options = Options(own, patience(attempt_seconds, give_up_seconds))
    showing = Showing(out, quiet, as_json)
    if is_arena(run):
        model, outside = options.terms(agent, "template", {}), Outside(port, bind, token or ())
        fork_arena(run, episode, seat, day, agent, model, showing, outside)
    elif seat is not None:
        raise RunError(f"--seat {seat}: only an arena has seats, and {run} is a run")
    else:
        _fork_run(run, episode, day, agent, world, options, showing)


class Options(NamedTuple):
    """What was said about the model that goes on."""

    own: dict[str, Any]
    waits: dict[str, Any]

    def terms(self, agent: str, voice: str, suppliers: dict[str, Any]) -> dict[str, Any]:
        from ecbench.cli.model_terms import model_terms

        return model_terms(agent, voice, own=self.own, supplier=suppliers, waits=self.waits)


def _fork_run(
    run: Path, episode: int, day: int, agent: str, world: str | None, options: Options, showing: Showing
) -> None:
    from ecbench.cancellation import signals_held
    from ecbench.cli.run_episodes import check_reach, choose_executor, play_run, provenance
    from ecbench.runs.folder import open_run, refuse_used
    from ecbench.runs.play.agents import short_name
    from ecbench.runs.play.fork import take_over

    opened = open_run(run).with_world_at(world)
    voice, suppliers = opened.terms.voice, dict(opened.terms.model.get("supplier", {}))
    loaded = opened.load_world(episode)
    model = options.terms(agent, voice, suppliers)
    takeover = take_over(opened, episode=episode, day=day, agent=agent, model=model)
    if showing.out is not None:
        refuse_used(showing.out)
    check_reach(takeover.terms)
    made = provenance(agent, voice)
    with signals_held():
        forked = takeover.create_in(showing.out or new_folder(short_name(agent)), made)
    executor = choose_executor(None, agent)
    play_run(forked, loaded, [0], executor=executor, quiet=showing.quiet, as_json=showing.as_json)
