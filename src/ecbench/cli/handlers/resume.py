"""Continue a run."""

from dataclasses import replace
from pathlib import Path

from ecbench.cli.handlers.arena import refuse_jobs
from ecbench.cli.new_run import check_reach, find_own_modules, name_addresses
from ecbench.cli.options import Output, Parallel, SeatServer
from ecbench.cli.plain_text import say
from ecbench.cli.run_episodes import play_run
from ecbench.cli.until_clear import is_clear
from ecbench.runs.folder import open_run
from ecbench.runs.play.agents import refuse_external
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.seat_names import lasting_seat_name
from ecbench.runs.receipts.receipt_writer import signed_with
from ecbench.runs.receipts.signing import SigningKey
from ecbench.runs.record.recovery import recover
from ecbench.runs.workers import choose_executor, get_executor
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
    doctor: bool,
    traceback: bool,
    key: SigningKey | None,
) -> None:
    """`turn_seconds` holds from here on; without it, what the run was begun with."""
    run = replace(open_run(folder).with_world_at(world), turn_seconds=turn_seconds)
    find_own_modules(parallel.executor, *(seat.agent for seat in run.terms.seats))
    if key is not None:
        run = signed_with(run, key)
    loaded = run.load_world()
    executor = choose_executor(parallel.executor, run.terms, parallel.jobs, run.episodes)
    episodes = range(run.episodes)
    if salvage:
        for episode in episodes:
            for aside in recover(run, episode)[:1]:
                say(f"The damaged record is kept as {aside}", err=output.as_json)
    finished = finished_episodes(run)
    left = sorted(set(episodes) - {result.episode for result in finished})
    if is_clear(run, [result.episode for result in finished]):
        left = []
    if left:
        run = signed_with(run, key)
    if all(read_episode(run, episode).finished for episode in left):
        executor = get_executor("inline")  # which needs neither the agent nor its provider to show what it did
    else:
        if not run.terms.shared:
            refuse_external(run.terms.door)
        for seat in run.terms.seats:
            lasting_seat_name(seat.agent)
        refuse_jobs(run.terms, parallel.jobs)
        name_addresses(run.terms, folder)
        check_reach(run.terms, doctor=doctor, silent=output.silent)
    play_run(run, loaded, left, executor, output, parallel.jobs, traceback=traceback, finished=finished, server=seats)
