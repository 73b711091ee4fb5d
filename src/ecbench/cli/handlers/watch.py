"""Look at two runs while they are played, until it is clear which is better."""

from dataclasses import asdict
from pathlib import Path
from time import monotonic, sleep

import typer

from ecbench.cli.exit_codes import FAILED
from ecbench.cli.plain_text import say, say_json
from ecbench.compare.entries import ComparedRun, is_known, labels, read_finished
from ecbench.compare.fairness import GAME, HANDICAPS, differing_terms, played_terms
from ecbench.compare.stopping import SMALLEST, Look, look_line, look_sentence, looks_between, looks_taken
from ecbench.compare.verdict import COUNTED_FROM
from ecbench.errors import RunError
from ecbench.runs.folder import Run, open_run
from ecbench.runs.run_worlds import Site

PATIENCE = 24 * 3600.0  # seconds without a new year, after which watching ends


def watch_runs(one: Path, other: Path, every: float, smallest: float | None, *, as_json: bool) -> None:
    """Print a line for each planned look, and the verdict at the end; exits with 1 where the runs stand still."""
    runs = [open_run(folder) for folder in (one, other)]
    sites, ratio = _shared_worlds(*runs), _smallest(runs, smallest)
    names, shown, years, since = labels(runs), list[Look](), -1, monotonic()
    while True:
        first, second = (read_finished(name, run) for name, run in zip(names, runs, strict=True))
        for look in looks_between(first, second, sites, ratio)[len(shown) :]:
            shown.append(look)
            _print_look(look, names, ratio, as_json=as_json)
        if (shown and (shown[-1].is_clear or shown[-1].worlds == shown[-1].planned)) or _ended(first, second):
            break
        if first.count + second.count != years:
            years, since = first.count + second.count, monotonic()
        elif monotonic() - since > PATIENCE:
            say(f"ecbench: no new year in {PATIENCE / 3600:.0f} hours; give the command again to go on", err=True)
            raise typer.Exit(FAILED)
        sleep(every)
    if not as_json:
        say(look_sentence(shown[-1], names[0], names[1], ratio) if shown else "The first planned look was not reached.")


def _shared_worlds(first: Run, second: Run) -> list[Site]:
    if first.seats > 1 or second.seats > 1:
        raise RunError("--watch takes two runs of one agent each, and no arena")
    for name, here, there in differing_terms(played_terms(first), played_terms(second), {**GAME, **HANDICAPS}):
        raise RunError(f"these runs cannot be compared: {name} {here} and {there}")
    played = {site.id for site in second.sites}
    sites = [site for site in first.sites if site.id in played]
    if (fresh := sum(not is_known(site) for site in sites)) < COUNTED_FROM:
        raise RunError(f"looks need at least {COUNTED_FROM} fresh worlds that both runs play, and they share {fresh}")
    return sites


def _smallest(runs: list[Run], given: float | None) -> float:
    plan = next((run.stopping for run in runs if run.stopping), None)
    if plan is not None and given not in (None, plan.smallest):
        raise RunError(f"the plan of these runs states --smallest {plan.smallest:g}; leave the option out")
    return plan.smallest if plan else given or SMALLEST


def _ended(*entries: ComparedRun) -> bool:
    """Whether no further year is to come: all are over, or the run's own plan has ended."""
    return all(_is_complete(entry) for entry in entries)


def _is_complete(entry: ComparedRun) -> bool:
    looks = looks_taken(entry.run.stopping, entry) if entry.run.stopping and entry.count else []
    return entry.count == entry.run.episodes or bool(looks and looks[-1].is_clear)


def _print_look(look: Look, names: list[str], smallest: float, *, as_json: bool) -> None:
    if as_json:
        say_json({"a": names[0], "b": names[1], "smallest": smallest, **asdict(look)}, indent=None)
    else:
        say(look_line(look, names[0], names[1], smallest))
