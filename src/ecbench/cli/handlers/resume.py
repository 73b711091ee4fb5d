"""Continue a run or an arena."""

from pathlib import Path

from ecbench.cli.arena_runs import resume_arena
from ecbench.cli.options import Output, Parallel, SeatServer
from ecbench.cli.plain_text import say
from ecbench.cli.run_episodes import check_reach, choose_executor, find_own_modules, play_run
from ecbench.runs.arena.folder import is_arena
from ecbench.runs.folder import open_run
from ecbench.runs.play.agents import lasting_name, refuse_visitor
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.recovery import salvage as put_aside
from ecbench.runs.workers import get_executor
from ecbench.runs.workers.episode_tasks import finished_episodes


def resume_folder(
    folder: Path,
    parallel: Parallel,
    seats: SeatServer,
    turn_seconds: int | None,
    output: Output,
    *,
    world: str | None,
    salvage: bool,
    traceback: bool,
) -> None:
    find_own_modules()
    if is_arena(folder):
        resume_arena(folder, seats, turn_seconds, parallel.jobs, output)
        return
    run = open_run(folder).with_world_at(world)
    loaded = run.load_world()
    executor = choose_executor(parallel.executor, run.terms.agent, parallel.jobs, run.episodes)
    episodes = range(run.episodes)
    if salvage:
        for episode in episodes:
            for aside in put_aside(run, episode)[:1]:
                say(f"The damaged record is kept as {aside}", err=output.as_json)
    finished = finished_episodes(run)
    left = sorted(set(episodes) - {result.episode for result in finished})
    if all(read_episode(run, episode).finished for episode in left):
        executor = get_executor("inline")  # which needs neither the agent nor its provider to show what it did
    else:
        refuse_visitor(run.terms.door)
        lasting_name(run.terms.agent)
        check_reach(run.terms)
    play_run(run, loaded, left, executor, output, parallel.jobs, traceback=traceback, finished=finished)
