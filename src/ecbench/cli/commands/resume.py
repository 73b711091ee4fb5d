"""ecbench resume: continue a run that was stopped or killed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecbench.cli.options import Parallel, Playing, SeatServer, Seconds
from ecbench.cli.terminal import say
from ecbench.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ecbench.runs.budget_limits import BudgetLimits
    from ecbench.runs.folder import Run
    from ecbench.runs.play.budget import Budget
    from ecbench.runs.play.episodes import Result
    from ecbench.runs.record.reader import Recording


def resume(
    run: Path,
    *,
    parallel: Parallel,
    world: str | None = None,
    salvage: bool = False,
    window: str | None = None,
    server: SeatServer,
    turn_seconds: Seconds | None = None,
    playing: Playing,
) -> None:
    """Continue a run that was stopped or killed.

    The recorded turns are replayed and compared with the record; then the agent takes its next turn. No model is asked
    again for a recorded turn. Finished episodes stay as they are. Derived files that are missing or do not match the
    recorded events are written again.

    Options:
        salvage: Continue after the last complete turn of a damaged record; the damaged file is kept.
        window TOKENS[,TRIGGER,RELEASE]: Continue with another context window if the conversation did not fit the
            model's. It is recorded, and `compare` says so.
    """
    from ecbench.cli.new_run import find_own_modules, signing_key
    from ecbench.cli.play import check_seat_server, is_clear, play_run
    from ecbench.cli.run_file import read_limits
    from ecbench.runs.folder import open_run, restate
    from ecbench.runs.play.episodes import read_episode
    from ecbench.runs.play.play_here import choose_executor, finished_episodes
    from ecbench.runs.signatures.signature import signed_with
    from ecbench.runs.workers.pool import Inline

    key, limits = signing_key(playing.sign), read_limits(playing.budget)
    jobs = parallel.jobs or 1
    begun = replace(open_run(run).with_world_at(world), turn_seconds=turn_seconds)
    find_own_modules(*(seat.agent for seat in begun.terms.seats))
    begun = begun if key is None else signed_with(begun, key)
    policy = None if window is None else _changed_window(begun, window)
    begun.load_world()  # before anything is changed
    executor = choose_executor(parallel.executor, begun.terms, jobs, begun.episodes)
    if salvage:
        _salvage_records(begun, as_json=playing.output.as_json)
    finished = finished_episodes(begun)
    over = [result.episode for result in finished]
    left = [] if is_clear(begun, over) else sorted(set(range(begun.episodes)) - set(over))
    begun = signed_with(begun, key) if left else begun
    budget, facts = None, dict[str, Any]()
    records = {episode: read_episode(begun, episode) for episode in left}
    if all(record.finished for record in records.values()):
        executor = Inline()  # which needs neither the agent nor its provider to show what it did
    else:
        _refuse_absent(begun)
        check_seat_server(begun.terms, server, jobs)
        budget = _rest_of_budget(begun, limits, finished, records)
        _check_models(begun, policy, playing)
        begun = restate(begun, resumed_window=policy) if policy else begun
        facts = _estimate(begun, records.values(), playing)
    del records  # of many long episodes much memory
    play_run(begun, left, executor, playing, jobs, server=server, finished=finished, budget=budget, facts=facts)


def _salvage_records(run: Run, *, as_json: bool) -> None:
    from ecbench.runs.play.episodes import salvage

    for episode in range(run.episodes):
        if aside := salvage(run, episode):
            say(f"The damaged record is kept as {aside}", err=as_json)


def _refuse_absent(run: Run) -> None:
    from ecbench.runs.play.agents import canonical_name, refuse_external

    if not run.terms.shared:
        refuse_external(run.player.transport)
    for seat in run.terms.seats:
        canonical_name(seat.agent, at_seat=True)


def _changed_window(run: Run, window: str) -> dict[str, Any]:
    """A context window is that of a model in our own loop, in an episode that continues."""
    from ecbench.cli.run_file import window_terms

    if not any(seat.own_loop for seat in run.terms.seats):
        raise RunError(f"--window is for models, and {run.folder} has none that plays here")
    return window_terms(window)


def _rest_of_budget(
    run: Run, limits: BudgetLimits, finished: Sequence[Result], unfinished: Mapping[int, Recording]
) -> Budget | None:
    """What the run has left of the limits that are given now, or were when it began; exits where nothing is left."""
    from ecbench.cli.model_costs import check_limits
    from ecbench.cli.play import refuse_used_up
    from ecbench.runs.play.budget import Budget, recorded_usage

    limits = limits.over(run.manifest.budget)
    check_limits(limits, run.terms, "this run was begun without one; use --budget tokens=N or hours=N")
    if not limits.flags:
        return None
    budget = Budget(limits, recorded_usage(run, finished, unfinished))
    refuse_used_up(run, budget)
    return budget


def _check_models(run: Run, policy: dict[str, int] | None, playing: Playing) -> None:
    """With the window that they continue with. Raises RunError if one cannot play."""
    from ecbench.cli.new_run import check_reach, name_addresses

    terms = run.terms
    for number, seat in enumerate(terms.seats if policy else ()):
        terms = terms.with_seat(number, model={**seat.model, "window": policy}) if seat.own_loop else terms
    name_addresses(terms, run.folder)
    check_reach(terms, doctor=not playing.no_doctor, silent=playing.output.silent)


def _estimate(run: Run, records: Collection[Recording], playing: Playing) -> dict[str, Any]:
    """What the days that are left may take, at the pace of the recorded turns."""
    from ecbench.cli.model_costs import announce_estimate

    days = [max(1, run.terms.days - max((state.day for state in each.states), default=0)) for each in records]
    timed = [seconds for each in records for turn in each.turns if (seconds := turn.message.get("seconds"))]
    return announce_estimate(run.terms, days, playing.output, sum(timed) / len(timed) if timed else 0.0)
