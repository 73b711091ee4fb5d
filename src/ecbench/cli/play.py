"""What `run`, `resume` and `fork` share: play the episodes of a run folder, and print the result."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from shlex import quote
from typing import Any

from ecbench.analysis.compare.chance import analyses_of
from ecbench.analysis.compare.entries import read_entries
from ecbench.analysis.compare.stopping import analyses_taken, episodes_of, order_of
from ecbench.analysis.compare.verdict import Verdict, sentence
from ecbench.cancellation import StopFlag
from ecbench.cli.options import Output, Playing, SeatServer
from ecbench.cli.progress import STOPPING, RunProgress
from ecbench.cli.run_tables import standings_parts, summary_parts
from ecbench.cli.signals import stopping_on_signals
from ecbench.cli.terminal import (
    BAD_INPUT,
    BUDGET,
    FAILED,
    INTERRUPTED,
    harmless,
    leave,
    print_parts,
    printing_aside,
    say,
    say_json,
)
from ecbench.errors import RunError
from ecbench.extras import import_with_extra, require_extra
from ecbench.harness.context import NONE_FITS, advised_window
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import short_name
from ecbench.runs.play.budget import Budget
from ecbench.runs.play.episodes import Result
from ecbench.runs.play.external_seats import ExternalSeats, external_seats
from ecbench.runs.play.play_here import play_episodes
from ecbench.runs.results.anchors_file import bound_of, write_bounds
from ecbench.runs.results.summary import seat_failures, shared_json, summarize
from ecbench.runs.terms import Terms
from ecbench.runs.workers.pool import Executor, Inline
from ecbench.season.season_file import SHORT

ARENA_SEATS = "ecbench.cli.arena_seats"


def play_run(
    run: Run,
    episodes: Sequence[int],
    executor: Executor,
    playing: Playing,
    jobs: int = 1,
    *,
    server: SeatServer | None = None,
    finished: Sequence[Result] = (),
    budget: Budget | None = None,
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Play, print, and exit with 1 if an episode failed or was lost, 2 if one cannot be continued, 3 if a limit of the
    budget is reached, 130 on a signal.

    `facts` are added to the result as JSON. `finished` are the results of episodes that are over already: they are
    shown and counted with the others. Where external agents have seats, `server` is where they connect, and episodes
    are played one after another here.
    """
    output, stop = playing.output, StopFlag()
    with (
        stopping_on_signals(stop, STOPPING, harmless(resume_command(run, budget))),
        _serving_seats(run, server, stop, output) as external,
    ):
        progress, results = RunProgress(run, budget, silent=output.silent), list(finished)
        for result in finished:
            progress(result.episode, result)
        for group in groups_of(run, episodes, as_json=output.as_json):
            with printing_aside(output.as_json):  # what a merchant prints
                played = play_episodes(
                    run,
                    group,
                    executor=Inline() if external else executor,
                    jobs=jobs,
                    hear=progress,
                    stop=stop,
                    external=external,
                    budget=budget,
                )
            results += played
            if stop.requested or sum(result.over for result in played) < len(group):
                wanted = len(finished) + len(episodes)
                break
        else:
            wanted = len(results)
        _print_results(run, results, output, facts or {})
        for result in results if playing.traceback else ():
            if result.stack:
                say(f"ecbench: {run.called(result.episode)}:\n{result.stack}", err=True)
        _exit_with_code(run, results, wanted, stop.cancelling, budget)


def _print_results(run: Run, results: Sequence[Result], output: Output, facts: Mapping[str, Any]) -> None:
    summary = None
    if run.seats == 1:
        if any(result.over for result in results):
            write_bounds(run)
        summary = summarize(run, results, bound_of)
    analyses = analyses_json(run) if run.manifest.stopping is not None else {}
    print_short_season([run])
    if output.as_json:
        found = summary.to_json() if summary else shared_json(run, results)
        say_json({**found, **analyses, **facts})
        return
    verdict = [analyses["verdict"]] if analyses.get("verdict") else []
    parts = summary_parts(summary, endings_printed=not output.quiet) if summary else standings_parts(run, results)
    print_parts([*parts, *verdict, f"\nRun folder: {run.folder}"])


@contextmanager
def _serving_seats(run: Run, server: SeatServer | None, stop: StopFlag, output: Output) -> Iterator[ExternalSeats]:
    external = external_seats(run) if run.seats > 1 else {}
    if external and server is not None:
        served = import_with_extra(ARENA_SEATS, "serve").served
        with served(run, external, server, stop, as_json=output.as_json):
            yield external
    else:
        yield external


def check_seat_server(terms: Terms, server: SeatServer, jobs: int) -> None:
    """Raise RunError if seats for external agents could not be served, before a folder is made."""
    transports = {seat.transport for seat in terms.seats if seat.transport}
    if not (terms.shared and transports):
        return
    if jobs > 1:
        raise RunError(f"--jobs {jobs}: with a seat that is played from outside, episodes are played one after another")
    if "mcp" in transports:
        require_extra("mcp")
    import_with_extra(ARENA_SEATS, "serve").refuse_address(server)


def _exit_with_code(run: Run, results: Sequence[Result], wanted: int, interrupted: bool, budget: Budget | None) -> None:
    """Print problems and the command that continues the rest, and exit with the code of the worst."""
    problems = [result for result in results if result.problem]
    stopped = [result for result in results if result.lost or (result.ends and not result.over)]
    failed = []
    for result in results:
        if run.seats > 1:
            failed += [f"{run.called(result.episode)}, {line}" for line in seat_failures(run, result)]
        elif result.end is not None and result.end.reason and (result.end.resumable or result.end.never_acted):
            failed.append(f"{run.called(result.episode)}, day {result.end.day}: {result.end.reason}")
    for line in [*(f"{run.called(result.episode)}: {result.problem}" for result in problems), *failed]:
        say(f"ecbench: {line}", err=True)
    unfinished = bool(stopped) or len(results) < wanted
    spent = budget.reached if budget else ""
    if unfinished:
        if spent:
            say(f"Budget reached: {spent}", err=True)
        condition = "Once the server has a larger window: " * any(NONE_FITS in line for line in failed)
        salvage = any(result.recoverable for result in results)  # or those would be refused once more
        say(condition + resume_command(run, budget, _fitting_window(results)) + " --salvage" * salvage, err=True)
    if any(not result.lost for result in problems):
        leave(BAD_INPUT)
    if interrupted and unfinished:
        leave(INTERRUPTED)
    if failed or (stopped and not spent):
        leave(FAILED)
    if unfinished and spent:
        leave(BUDGET)


def print_short_season(runs: Iterable[Run]) -> None:
    """Print what the result of a short season is worth, if any of the runs has the shape of one."""
    if any(map(SHORT.has_shape_of, runs)):
        say(f"ecbench: note: {SHORT.note}", err=True)


def refuse_used_up(run: Run, budget: Budget) -> None:
    """Exit with 3 if the budget of a run was used up before."""
    if budget.reached:
        say(f"ecbench: the budget is used up: {budget.reached}. {resume_command(run, budget)}", err=True)
        leave(BUDGET)


def resume_command(run: Run, budget: Budget | None = None, window: int | None = None) -> str:
    """The command that continues a run, with limits that leave something to use.

    `window` is one that the model's window holds, where the run's is too large.
    """
    options = [f"--window {window}"] if window else []
    options += [budget.resume_options] if budget else []
    options += ["--sign KEYFILE"] if run.signed is not None else []
    return " ".join(["Continue with: ecbench resume", quote(str(run.folder)), *options])


def _fitting_window(results: Sequence[Result]) -> int | None:
    """The smallest window that an ending advises; None if none does, so that the run's own is kept."""
    advised = [advised_window(end.reason) for result in results for end in result.ends if end.resumable]
    return min(filter(None, advised), default=None)


def groups_of(run: Run, episodes: Sequence[int], *, as_json: bool = False) -> Iterator[list[int]]:
    """These episodes at once, or by the interim analyses of the run's plan until one is clear.

    A group is asked for when the one before is over. After the last analysis the worlds that none compares are played,
    so that a season that was never clear is a whole one.
    """
    left = set(episodes)
    analyses = analyses_of(len(order_of(run.worlds))) if run.manifest.stopping else []
    for number in range(len(analyses)):
        group = sorted(left & set(episodes_of(run, number)))
        yield group
        left -= set(group)
        analysis = _analyses(run)[number]
        say(f"Interim analysis: {_sentence(run, analysis)}", err=as_json)
        if analysis.interim and analysis.interim.is_clear:
            return
    yield sorted(left)


def is_clear(run: Run, finished: Sequence[int]) -> bool:
    """Whether a run has a plan that has ended already, so that nothing is left to play."""
    analyses = _analyses(run) if finished and run.manifest.stopping else []
    return bool(analyses and analyses[-1].interim and analyses[-1].interim.is_clear)


def analyses_json(run: Run) -> dict[str, Any]:
    """What the interim analyses of a run with a plan showed."""
    analyses = _analyses(run)
    return {
        "interim_analyses": [
            asdict(found.interim) | {"ratio": found.ratio, "interval": found.stated_interval, "p": found.p}
            for found in analyses
            if found.interim
        ],
        "stopped_early": bool(analyses and analyses[-1].interim and analyses[-1].interim.stopped_early),
        "verdict": _sentence(run, analyses[-1]) if analyses else "",
    }


def _analyses(run: Run) -> list[Verdict]:
    return analyses_taken(read_entries([run])[0])


def _sentence(run: Run, analysis: Verdict) -> str:
    plan = run.manifest.stopping
    own, rival = short_name(run.player.agent), short_name(plan.against if plan else "")
    return sentence(analysis, *((own, rival) if own != rival else (f"{own} (now)", f"{rival} (before)")))
