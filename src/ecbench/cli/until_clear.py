"""Play a run in the groups of its stopping plan, and print what each look shows."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ecbench.compare.entries import read_entries
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import short_name
from ecbench.runs.stopping_plan import StoppingPlan

if TYPE_CHECKING:
    from ecbench.compare.stopping import Look


def _stopping() -> ModuleType:
    """Loaded for runs with a plan alone."""
    return import_module("ecbench.compare.stopping")


def groups_of(run: Run, episodes: Sequence[int], console: Console) -> Iterator[list[int]]:
    """These episodes at once, or by the looks of the run's plan until one is clear.

    A group is asked for when the one before is over. After the last look the worlds that no look compares are played,
    so that a season that was never clear is a whole one.
    """
    plan = run.stopping
    if plan is None:
        yield list(episodes)
        return
    left = set(episodes)
    for number in range(len(plan.looks)):
        yield (group := sorted(left & set(plan.episodes(number, len(run.sites), run.episodes))))
        left -= set(group)
        look = taken_looks(run)[number]
        console.print(_stopping().look_line(look, *_names(run, plan), plan.smallest), soft_wrap=True)
        if look.is_clear:
            return
    yield sorted(left)


def taken_looks(run: Run) -> "list[Look]":
    """Empty for a run without a plan."""
    if run.stopping is None:
        return []
    (entry,) = read_entries([run])
    looks: list[Look] = _stopping().looks_taken(run.stopping, entry)
    return looks


def is_clear(run: Run, finished: Sequence[int]) -> bool:
    """Whether a run has a plan that has ended already, so that nothing is left to play."""
    looks = taken_looks(run) if run.stopping and finished else []
    return bool(looks and looks[-1].is_clear)


def stop_sentence(run: Run) -> str:
    """The verdict of the last look; empty where there is none."""
    looks, plan = taken_looks(run), run.stopping
    return _stopping().look_sentence(looks[-1], *_names(run, plan), plan.smallest) if looks and plan else ""


def looks_json(run: Run) -> dict[str, Any]:
    """What the looks of a run showed; empty without a plan."""
    if run.stopping is None:
        return {}
    looks = taken_looks(run)
    return {
        "looks": [asdict(look) for look in looks],
        "stopped_early": bool(looks and looks[-1].stopped_early),
        "verdict": stop_sentence(run),
    }


def _names(run: Run, plan: StoppingPlan) -> tuple[str, str]:
    own, rival = short_name(run.terms.agent), short_name(plan.against.agent)
    return (own, rival) if own != rival else (f"{own} (now)", f"{rival} (before)")
