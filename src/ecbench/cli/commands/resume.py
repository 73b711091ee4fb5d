"""ecbench resume: continue a run that was stopped or killed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from ecbench.cli.declare import option
from ecbench.cli.options import (
    BudgetOption,
    NoDoctorOption,
    Output,
    Parallel,
    RunArgument,
    SeatServer,
    SignOption,
    TracebackOption,
    TurnSecondsOption,
    WorldPlaceOption,
)
from ecbench.cli.terminal import say
from ecbench.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ecbench.runs.budget_limits import BudgetLimits
    from ecbench.runs.folder import Run
    from ecbench.runs.play.budget import Budget
    from ecbench.runs.play.episodes import Result
    from ecbench.runs.record.reader import Recording
    from ecbench.runs.signatures.keys import SigningKey
    from ecbench.runs.terms import Terms


def resume(
    *,
    run: RunArgument,
    parallel: Parallel,
    world: WorldPlaceOption = None,
    salvage: Annotated[
        bool,
        option(
            "--salvage", help="Continue after the last complete turn of a damaged record; the damaged file is kept."
        ),
    ] = False,
    window: Annotated[
        str | None,
        option(
            "--window",
            metavar="TOKENS[,TRIGGER,RELEASE]",
            help="Go on with another context window if the conversation did not fit the model's. It is recorded, "
            "and `compare` says so.",
        ),
    ] = None,
    sign: SignOption = None,
    traceback: TracebackOption = False,
    seats: SeatServer,
    turn_seconds: TurnSecondsOption = None,
    budget: BudgetOption = None,
    no_doctor: NoDoctorOption = False,
    output: Output,
) -> None:
    """Continue a run that was stopped or killed.

    The recorded turns are replayed and compared with the record; then the agent takes its next turn. No model is asked
    again for a recorded turn. Finished episodes stay as they are. Derived files that are missing or do not match the
    recorded events are written again.

    Exit codes: 0 every episode was finished, 1 an agent or a model failed, 2 bad input, 3 a limit of the
    budget is reached, 130 stopped by a signal.
    """
    from ecbench.cli.new_run import find_own_modules, signing_key
    from ecbench.cli.run_file import read_limits
    from ecbench.runs.folder import open_run
    from ecbench.runs.signatures.signature import signed_with

    key = signing_key(sign)
    begun = replace(open_run(run).with_world_at(world), turn_seconds=turn_seconds)
    find_own_modules(*(seat.agent for seat in begun.terms.seats))
    if key is not None:
        begun = signed_with(begun, key)
    policy = None if window is None else _changed_window(begun, window)
    _continue(
        begun, parallel, seats, output, key, read_limits(budget), policy, salvage, traceback, doctor=not no_doctor
    )


def _continue(
    run: Run,
    parallel: Parallel,
    seats: SeatServer,
    output: Output,
    key: SigningKey | None,
    limits: BudgetLimits,
    policy: dict[str, Any] | None,
    salvage: bool,
    traceback: bool,
    *,
    doctor: bool,
) -> None:
    """Play the episodes that are not over."""
    from ecbench.cli.new_run import prepare
    from ecbench.cli.play import play_run
    from ecbench.cli.until_clear import is_clear
    from ecbench.runs.folder import restate
    from ecbench.runs.play.episodes import read_episode
    from ecbench.runs.signatures.signature import signed_with
    from ecbench.runs.workers import choose_executor, get_executor
    from ecbench.runs.workers.episode_tasks import finished_episodes

    loaded = run.load_world()
    jobs = parallel.jobs or 1
    executor = choose_executor(parallel.executor, run.terms, jobs, run.episodes)
    if salvage:
        _salvage_records(run, output)
    finished = finished_episodes(run)
    left = sorted(set(range(run.episodes)) - {result.episode for result in finished})
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
        _refuse_absent(run, jobs)
        budget = _rest_of_budget(run, limits, finished, records)
        terms = run.terms if policy is None else _with_window(run.terms, policy)
        prepare(terms, run.folder, doctor=doctor, silent=output.silent)
        run = run if policy is None else restate(run, resumed_window=dict(policy))
        facts = _announce_rest(terms, records.values(), output)
    del records  # of many long episodes much memory
    play_run(
        run,
        loaded,
        left,
        executor,
        output,
        jobs,
        traceback=traceback,
        finished=finished,
        server=seats,
        budget=budget,
        facts=facts,
    )


def _salvage_records(run: Run, output: Output) -> None:
    from ecbench.runs.record.salvage import salvage

    for episode in range(run.episodes):
        for aside in salvage(run, episode)[:1]:
            say(f"The damaged record is kept as {aside}", err=output.as_json)


def _with_window(terms: Terms, policy: Mapping[str, int]) -> Terms:
    """The terms under which models continue."""
    from ecbench.runs.verify.year_check import has_own_loop

    for number, seat in enumerate(terms.seats):
        if has_own_loop(seat):
            terms = terms.with_seat(number, model={**seat.model, "window": dict(policy)})
    return terms


def _refuse_absent(run: Run, jobs: int) -> None:
    """Raises RunError if an agent of the run cannot play on here."""
    from ecbench.cli.play import refuse_jobs
    from ecbench.runs.play.agents import canonical_seat_name, refuse_external

    if not run.terms.shared:
        refuse_external(run.player.transport)
    for seat in run.terms.seats:
        canonical_seat_name(seat.agent)
    refuse_jobs(run.terms, jobs)


def _changed_window(run: Run, window: str) -> dict[str, Any]:
    """A context window is that of a model in our own loop, in an episode that continues."""
    from ecbench.cli.run_file import window_terms
    from ecbench.runs.verify.year_check import has_own_loop
    from ecbench.runs.workers.episode_tasks import finished_episodes

    if not any(map(has_own_loop, run.terms.seats)):
        raise RunError(f"--window is for models, and {run.folder} has none that plays here")
    if len(finished_episodes(run)) == run.episodes:
        raise RunError(f"--window: every episode of {run.folder} is over; use ecbench run or ecbench fork")
    return window_terms(window)


def _rest_of_budget(
    run: Run, limits: BudgetLimits, finished: Sequence[Result], unfinished: Mapping[int, Recording]
) -> Budget | None:
    """What the run has left of the limits that are given now, or were when it began; exits where nothing is left."""
    from ecbench.cli.cost_checks import check_limits
    from ecbench.cli.play import refuse_used_up
    from ecbench.runs.play.budget import Budget, recorded_usage

    limits = limits.over(run.manifest.budget)
    check_limits(limits, run.terms, "this run was begun without one; use --budget tokens=N or hours=N")
    if not limits.flags:
        return None
    budget = Budget(limits, recorded_usage(run, finished, unfinished))
    refuse_used_up(run, budget)
    return budget


def _announce_rest(terms: Terms, records: Iterable[Recording], output: Output) -> dict[str, Any]:
    """The estimate for the days that are not played yet, at the pace of the recorded turns."""
    from ecbench.cli.cost_checks import announce_estimate
    from ecbench.runs.play.budget import models_of

    if not models_of(terms):
        return {}
    days, turns, seconds = [], 0, 0.0
    for recording in records:
        days.append(max(1, terms.days - max((state.day for state in recording.states), default=0)))
        timed = [turn.message["seconds"] for turn in recording.turns if turn.message.get("seconds")]
        turns, seconds = turns + len(timed), seconds + sum(timed)
    return announce_estimate(terms, days, output, seconds / turns if turns else 0.0)
