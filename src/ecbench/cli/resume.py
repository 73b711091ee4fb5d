"""ecbench resume: go on with a run that was stopped or killed."""

from typing import Annotated

import typer

from ecbench.cli.arena import TurnSecondsOption
from ecbench.cli.arena_host import Outside, SeatBindOption, SeatPortOption, SeatTokenOption
from ecbench.cli.host import USUAL_PORT
from ecbench.cli.plain_text import say
from ecbench.cli.run_episodes import (
    ExecutorOption,
    JobsOption,
    JsonOption,
    QuietOption,
    RunArgument,
    TracebackOption,
    WorldPlaceOption,
)


def resume(
    run: RunArgument,
    jobs: JobsOption = 1,
    executor: ExecutorOption = None,
    world: WorldPlaceOption = None,
    salvage: Annotated[
        bool,
        typer.Option(
            "--salvage", help="Continue after the last complete turn of a damaged record; the damaged file is kept."
        ),
    ] = False,
    traceback: TracebackOption = False,
    port: SeatPortOption = USUAL_PORT,
    bind: SeatBindOption = "127.0.0.1",
    token: SeatTokenOption = None,
    turn_seconds: TurnSecondsOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Continue a run that was stopped or killed.

    The recorded turns are replayed and compared with the record; then the agent takes its next turn. No model is asked
    again for a recorded turn. Finished years stay as they are, and derived files that are missing or do not match the
    recorded events are written again.

    Exit codes: 0 every year was finished, 1 an agent or a model failed, 2 bad input, 130 stopped by a signal.
    """
    from ecbench.cli.arena_runs import resume_arena
    from ecbench.cli.run_episodes import check_reach, choose_executor, find_own_modules, play_run
    from ecbench.runs.arena.folder import is_arena
    from ecbench.runs.folder import open_run
    from ecbench.runs.play.agents import lasting_name, refuse_visitor
    from ecbench.runs.play.episodes import read_episode
    from ecbench.runs.record.recovery import salvage as put_aside
    from ecbench.runs.workers import get_executor

    find_own_modules()
    if is_arena(run):
        outside = Outside(port, bind, token or ())
        resume_arena(run, outside, turn_seconds, jobs=jobs, quiet=quiet, as_json=as_json)
        return
    opened = open_run(run).with_world_at(world)
    loaded = opened.load_world()
    chosen = choose_executor(executor, opened.terms.agent, jobs, opened.episodes)
    episodes = range(opened.episodes)
    if salvage:
        for episode in episodes:
            for aside in put_aside(opened, episode)[:1]:
                say(f"The damaged record is kept as {aside}", err=as_json)
    if all(read_episode(opened, episode).finished for episode in episodes):
        chosen = get_executor("inline")  # which needs neither the agent nor its provider to look at what it did
    else:
        refuse_visitor(opened.terms.door)
        lasting_name(opened.terms.agent)
        check_reach(opened.terms)
    play_run(opened, loaded, episodes, jobs=jobs, executor=chosen, quiet=quiet, as_json=as_json, traceback=traceback)
