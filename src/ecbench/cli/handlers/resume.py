"""Continue a run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ecbench.cli.cost_checks import announce_estimate, check_limits
from ecbench.cli.handlers.arena import refuse_jobs
from ecbench.cli.model_terms import window_terms
from ecbench.cli.new_run import check_reach, find_own_modules, name_addresses
from ecbench.cli.options import Output, Parallel, SeatServer
from ecbench.cli.plain_text import say
from ecbench.cli.run_episodes import play_run, refuse_used_up
from ecbench.cli.until_clear import is_clear
from ecbench.errors import RunError
from ecbench.runs.budget_limits import BudgetLimits
from ecbench.runs.folder import Run, change_window, open_run
from ecbench.runs.play.agents import canonical_seat_name, refuse_external
from ecbench.runs.play.budget import Budget, models_of, recorded_usage
from ecbench.runs.play.episodes import Result, read_episode
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.salvage import salvage as salvage_record
from ecbench.runs.signatures.keys import SigningKey
from ecbench.runs.signatures.signature import signed_with
from ecbench.runs.terms import Terms
from ecbench.runs.verify.said_check import has_own_loop
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
    window: str | None,
    traceback: bool,
    key: SigningKey | None,
    limits: BudgetLimits,
) -> None:
    """`turn_seconds` holds from here on; without it, what the run was begun with."""
    run = replace(open_run(folder).with_world_at(world), turn_seconds=turn_seconds)
    find_own_modules(*(seat.agent for seat in run.terms.seats))
    if key is not None:
        run = signed_with(run, key)
    loaded = run.load_world()
    policy = None if window is None else _changed_window(run, window)
    executor = choose_executor(parallel.executor, run.terms, parallel.jobs, run.episodes)
    episodes = range(run.episodes)
    if salvage:
        _salvage_records(run, output)
    finished = finished_episodes(run)
    left = sorted(set(episodes) - {result.episode for result in finished})
    if is_clear(run, [result.episode for result in finished]):
        left = []
    if left:
        run = signed_with(run, key)
    budget: Budget | None = None
    facts: dict[str, Any] = {}
    records = {episode: read_episode(run, episode) for episode in left}
    if all(record.finished for record in records.values()):
        executor = get_executor("inline")  # which needs neither the agent nor its provider to show what it did
    else:
        _refuse_absent(run, parallel.jobs)
        budget = _rest_of_budget(run, limits, finished, records)
        name_addresses(run.terms, folder)
        terms = run.terms if policy is None else _with_window(run.terms, policy)
        check_reach(terms, doctor=doctor, silent=output.silent)
        run = run if policy is None else change_window(run, policy)
        facts = _announce_rest(terms, records.values(), output)
    del records  # of many long years much memory
    play_run(
        run,
        loaded,
        left,
        executor,
        output,
        parallel.jobs,
        traceback=traceback,
        finished=finished,
        server=seats,
        budget=budget,
        facts=facts,
    )


def _salvage_records(run: Run, output: Output) -> None:
    for episode in range(run.episodes):
        for aside in salvage_record(run, episode)[:1]:
            say(f"The damaged record is kept as {aside}", err=output.as_json)


def _with_window(terms: Terms, policy: Mapping[str, int]) -> Terms:
    """The terms as models go on under them."""
    for number, seat in enumerate(terms.seats):
        if has_own_loop(seat):
            terms = terms.with_seat(number, model={**seat.model, "window": dict(policy)})
    return terms


def _refuse_absent(run: Run, jobs: int) -> None:
    """Raises RunError where an agent of the run cannot play on here."""
    if not run.terms.shared:
        refuse_external(run.player.transport)
    for seat in run.terms.seats:
        canonical_seat_name(seat.agent)
    refuse_jobs(run.terms, jobs)


def _changed_window(run: Run, window: str) -> dict[str, Any]:
    """A context window is that of a model in our own loop, in a year that goes on."""
    if not any(map(has_own_loop, run.terms.seats)):
        raise RunError(f"--window is for models, and {run.folder} has none that plays here")
    if len(finished_episodes(run)) == run.episodes:
        raise RunError(f"--window: every year of {run.folder} is over; play it anew with ecbench run, or ecbench fork")
    return window_terms(window)


def _rest_of_budget(
    run: Run, limits: BudgetLimits, finished: Sequence[Result], unfinished: Mapping[int, Recording]
) -> Budget | None:
    """What the run has left of the limits that are given now, or were when it began; exits where nothing is left."""
    limits = limits.over(run.manifest.budget)
    check_limits(limits, run.terms, "this run was begun without one; use --max-tokens-total or --max-hours")
    if not limits.flags:
        return None
    budget = Budget(limits, recorded_usage(run, finished, unfinished))
    refuse_used_up(run, budget)
    return budget


def _announce_rest(terms: Terms, records: Iterable[Recording], output: Output) -> dict[str, Any]:
    """The estimate for the days that are not played yet, at the pace of the recorded turns."""
    if not models_of(terms):
        return {}
    days, turns, seconds = [], 0, 0.0
    for recording in records:
        days.append(max(1, terms.days - max((state.day for state in recording.states), default=0)))
        timed = [turn.message["seconds"] for turn in recording.turns if turn.message.get("seconds")]
        turns, seconds = turns + len(timed), seconds + sum(timed)
    return announce_estimate(terms, days, output, seconds / turns if turns else 0.0)
